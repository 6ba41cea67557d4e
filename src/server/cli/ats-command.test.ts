import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { getAts } from '#contracts/ats.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { CLI } from '#support/commands.ts';
import { freePorts } from '#support/free-ports.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';
import { runCli } from './main.ts';

async function startUnconnected() {
  const sandbox = await startSandbox();
  const product = await startApp({ jobs: false, env: productVariables(sandbox) });
  return { sandbox, product };
}

/** The program as an administrator runs it, without a terminal. */
async function connectInProcess({ environment }: TestApp) {
  const args = [CLI, 'ats:connect', '--port', String((await freePorts(1))[0])];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment as NodeJS.ProcessEnv,
  });
  onTestFinished(() => void child.kill());
  const said = { printed: '', explained: '' };
  child.stdout.on('data', (chunk) => {
    said.printed += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.explained += chunk;
  });
  const ended = new Promise<typeof said & { code: number | null }>((resolve) =>
    child.on('close', (code) => resolve({ ...said, code })),
  );
  const url = await until(
    'the consent URL is printed',
    () => /^ {2}(http\S+authorize\?\S+)\n/m.exec(said.explained)?.[1],
  );
  return { ended, url };
}

async function run(environment: NodeJS.ProcessEnv, args: string[]) {
  let said = '';
  const say = (text: string) => {
    said += text;
  };
  const terminal = { input: new PassThrough().end(), output: new PassThrough().on('data', say) };
  const code = await runCli(['ats:connect', ...args], { environment, terminal, print: say, printError: say });
  return { code, said };
}

/** Follows a link of the consent page. Returns where it redirects to. */
async function decide(url: string, decision: 'allow' | 'deny'): Promise<URL> {
  const { headers } = await fetch(`${url}&sandbox_decision=${decision}`, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '');
}

test('connects the running product after the consent, and prints the account', async () => {
  const { product } = await startUnconnected();
  const { ended, url } = await connectInProcess(product);
  const returned = await decide(url, 'allow');
  const forged = new URL(returned);
  forged.searchParams.set('state', 'forged');
  expect((await fetch(forged)).status).toBe(404);
  expect((await fetch(`${forged.origin}//`)).status).toBe(404);
  expect(await (await fetch(returned)).text()).toContain('Connected with Bullhorn as interviews.api.');
  const { printed, explained, code } = await ended;
  expect([code, printed]).toEqual([0, 'Connected with Bullhorn as interviews.api, which may write notes.\n']);
  expect(printed + explained).not.toMatch(/sandbox-(refresh|access|session|bullhorn-secret)/);
  expect(await (await product.signedIn()).call(getAts, {})).toMatchObject({ state: 'connected' });
});

test('a port that is in use is reported with instructions', async () => {
  const { product } = await startUnconnected();
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, said } = await run(product.environment, ['--port', String(port)]);
  expect([code, said]).toEqual([
    1,
    expect.stringContaining(`Port ${port} can't be used: another program uses it. Free it and run this again, or pass`),
  ]);
});

test('nothing changes when the terms are rejected', async () => {
  const { product } = await startUnconnected();
  const { ended, url } = await connectInProcess(product);
  await fetch(await decide(url, 'deny'));
  const { explained, code } = await ended;
  expect([code, explained]).toEqual([1, expect.stringContaining('Permission was not granted. Nothing was changed.')]);
  expect(await (await product.signedIn()).call(getAts, {})).toMatchObject({ state: 'not_configured' });
});

test.each([
  [{ BULLHORN_CLIENT_ID: '' }, [], 1, 'BULLHORN_USERNAME needs BULLHORN_CLIENT_ID.'],
  [{ BULLHORN_USERNAME: '' }, [], 1, 'Set BULLHORN_USERNAME,'],
  [{ BULLHORN_USERNAME: 'stranger' }, [], 1, 'Ask an admin to check BULLHORN_USERNAME.'],
  [{ LEVER_API_KEY: 'key' }, [], 1, 'LEVER_API_KEY must be unset if BULLHORN_USERNAME is set'],
  [{}, ['--port', '0'], 2, '--port needs a number from 1 to 65535.'],
  [{}, ['--verbose'], 2, "Unknown option '--verbose'"],
])('%o with %o fails with a message', async (changed, args, code, message) => {
  const { product } = await startUnconnected();
  expect(await run({ ...product.environment, ...changed }, args)).toEqual({
    code,
    said: expect.stringContaining(message),
  });
});

test('check:config shows the account and whether it may write', async () => {
  const { sandbox, product } = await startUnconnected();
  const check = async () => {
    let said = '';
    const say = (text: string) => {
      said += text;
    };
    const terminal = { input: new PassThrough().end(), output: new PassThrough() };
    await runCli(['check:config'], { environment: product.environment, terminal, print: say, printError: say });
    return said;
  };
  const unconnected = await check();
  expect(unconnected).toContain("Bullhorn isn't connected. Run `npm run ats:connect`.");
  expect(unconnected).toContain('notes in the applicant tracking system (after `npm run ats:connect`)');
  const { ended, url } = await connectInProcess(product);
  await fetch(await decide(url, 'allow'));
  await ended;
  expect(await check()).toContain('Bullhorn accepts our sign-in as interviews.api, which may write notes.');
  const fault = sandbox.control.fail({ kind: 'ats-body', body: '["READ_CORPORATE"]', path: '*/entitlements/Note' });
  expect(await check()).toContain('but it may not write notes.');
  fault.stop();
  sandbox.control.bullhorn.tokens.revoke();
  expect(await check()).toContain('Bullhorn no longer accepts our sign-in. Run `npm run ats:connect`.');
});

test('a key of Lever is checked, even after Lever had rejected it', async () => {
  const { sandbox, product } = await startUnconnected();
  const { url, apiKey, user } = sandbox.lever;
  const environment = {
    ...product.environment,
    ...{ BULLHORN_USERNAME: '', LEVER_URL: url, LEVER_API_KEY: apiKey, LEVER_USER: user },
  };
  const accepted = { code: 0, said: `Lever accepts our sign-in as ${user}, which may write notes.\n` };
  expect(await run(environment, [])).toEqual(accepted);
  sandbox.control.lever.isKeyValid = false;
  expect(await run(environment, [])).toEqual({ code: 1, said: expect.stringMatching(/^Lever rejected our key\. Set/) });
  sandbox.control.lever.isKeyValid = true;
  expect(await run(environment, [])).toEqual(accepted);
  const stranger = { ...environment, LEVER_USER: 'nobody@agency.example' };
  expect(await run(stranger, [])).toMatchObject({ code: 1, said: expect.stringContaining('may not write notes') });
});
