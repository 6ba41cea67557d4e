import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import { CLI } from '#support/commands.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';
import { runCli } from './main.ts';
import { connectChannel } from './youtube-command.ts';

interface Connection {
  printed: string;
  explained: string;
  code: number | null | undefined;
}

const variables = ({ google }: Sandbox) => ({
  YOUTUBE_API_URL: google.url,
  YOUTUBE_CLIENT_ID: google.clientId,
  YOUTUBE_CLIENT_SECRET: google.clientSecret,
});

/** The program as an administrator runs it, connected with a sandbox. */
function connectInProcess(sandbox: Sandbox) {
  const child = spawn(process.execPath, [CLI, 'youtube:connect'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...variables(sandbox) },
  });
  onTestFinished(() => void child.kill());
  const said = { printed: '', explained: '' };
  child.stdout.on('data', (chunk) => {
    said.printed += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.explained += chunk;
  });
  const ended = new Promise<Connection>((resolve) => child.on('close', (code) => resolve({ ...said, code })));
  return { ended, consentUrl: () => urlIn(() => said.explained) };
}

/** Runs the program in this process, because starting one takes longer than the rest. */
function connect(sandbox: Sandbox, environment: Record<string, string> = {}, args: string[] = []) {
  const said = { printed: '', explained: '' };
  const explain = (text: string) => {
    said.explained += text;
  };
  const ended = runCli(['youtube:connect', ...args], {
    environment: { ...variables(sandbox), ...environment },
    terminal: { input: new PassThrough().end(), output: new PassThrough().on('data', explain) },
    print: (text) => {
      said.printed += text;
    },
    printError: explain,
  }).then((code): Connection => ({ ...said, code }));
  return { ended, consentUrl: () => urlIn(() => said.explained) };
}

const urlIn = (text: () => string) =>
  until('the consent URL is printed', () => /^ {2}(http\S+auth\?\S+)\n/m.exec(text())?.[1]);

/** Opens the consent page, follows one of its links, and returns the URL that it redirects to. */
async function decide(url: string, link: 'Allow' | 'Cancel'): Promise<string> {
  const page = await (await fetch(url)).text();
  const href = new RegExp(`href="([^"]+)">${link}<`).exec(page)?.[1] ?? '';
  const target = new URL(href.replace(/&#38;/g, '&'), url);
  const { headers } = await fetch(target, { redirect: 'manual' });
  return headers.get('location') ?? '';
}

test('prints the configuration lines after consent in the browser', async () => {
  const sandbox = await startSandbox();
  const { ended, consentUrl } = connectInProcess(sandbox);
  const url = await consentUrl();
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    scope:
      'https://www.googleapis.com/auth/youtube.upload https://www.googleapis.com/auth/youtube.readonly https://www.googleapis.com/auth/youtube.force-ssl',
    access_type: 'offline',
    prompt: 'consent',
    code_challenge_method: 'S256',
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
  });

  const shown = await (await fetch(await decide(url, 'Allow'))).text();
  expect(shown).toContain('Connected with Sandbox Channel.');
  const { printed, explained, code } = await ended;
  expect(code).toBe(0);
  expect(explained).toContain('"Desktop app"');
  const { clientId, clientSecret } = sandbox.google;
  const token = /^YOUTUBE_REFRESH_TOKEN=(.+)$/m.exec(printed)?.[1] ?? '';
  expect(printed).toBe(
    `YOUTUBE_CLIENT_ID=${clientId}\nYOUTUBE_CLIENT_SECRET=${clientSecret}\nYOUTUBE_REFRESH_TOKEN=${token}\n`,
  );
  expect(explained).not.toContain(token);
  expect(await isAccepted(sandbox, token)).toBe(true);
});

test('a callback with another state is rejected', async () => {
  const sandbox = await startSandbox();
  const { ended, consentUrl } = connect(sandbox);
  const answer = await decide(await consentUrl(), 'Allow');
  const forged = new URL(answer);
  forged.searchParams.set('state', 'forged');
  expect((await fetch(forged)).status).toBe(404);
  expect((await fetch(new URL('/favicon.ico', answer))).status).toBe(404);
  expect((await fetch(answer)).status).toBe(200);
  expect((await ended).code).toBe(0);
});

test('nothing changes when the consent is canceled', async () => {
  const sandbox = await startSandbox();
  const { ended, consentUrl } = connect(sandbox);
  await fetch(await decide(await consentUrl(), 'Cancel'));
  const { printed, explained, code } = await ended;
  expect([printed, code]).toEqual(['', 1]);
  expect(explained).toContain('Permission was not granted.');
});

test.each<[string, FaultInput, string]>([
  ['an account without a channel', { kind: 'no-channel' }, 'This Google account has no YouTube channel.'],
  [
    'an unknown secret',
    { kind: 'token-refused', error: 'invalid_client' },
    'check YOUTUBE_CLIENT_ID and YOUTUBE_CLIENT_SECRET',
  ],
  ['a code that is too old', { kind: 'token-refused' }, 'Google rejected the code'],
  ['an API that is not enabled', { kind: 'google-refuses', reason: 'accessNotConfigured' }, 'is not enabled'],
])('%s is reported with a message', async (_, fault, words) => {
  const sandbox = await startSandbox();
  sandbox.control.fail(fault);
  const { ended, consentUrl } = connect(sandbox);
  const shown = await (await fetch(await decide(await consentUrl(), 'Allow'))).text();
  expect(shown).toContain('See the terminal for details');
  const { printed, explained, code } = await ended;
  expect([printed, code]).toEqual(['', 1]);
  expect(explained).toContain(words);
});

test('a missing scope is reported with a message', async () => {
  const sandbox = await startSandbox();
  const { ended, consentUrl } = connect(sandbox);
  const url = new URL(await consentUrl());
  url.searchParams.set('scope', 'https://www.googleapis.com/auth/youtube.readonly');
  await fetch(await decide(url.href, 'Allow'));
  expect((await ended).explained).toContain('leave all boxes checked');
});

test('--help prints the usage, and unknown arguments exit with 2 and the usage', async () => {
  const sandbox = await startSandbox();
  const helped = await connect(sandbox, {}, ['--help']).ended;
  expect(helped).toMatchObject({ code: 0, explained: '' });
  expect(helped.printed).toMatch(/^Usage:\n {2}npm run youtube:connect\n/);
  const refused = await connect(sandbox, {}, ['now']).ended;
  expect([refused.code, refused.printed]).toEqual([2, '']);
  expect(refused.explained).toMatch(/^Too many arguments\.\n\nUsage:\n/);
});

test('an invalid configuration is reported with a message', async () => {
  const { ended } = connect(await startSandbox(), { PORT: 'x' });
  expect(await ended).toMatchObject({ code: 1, explained: expect.stringMatching(/^Configuration:\n {2}PORT must be/) });
});

test('missing variables are named without a terminal', async () => {
  const { ended } = connect(await startSandbox(), { YOUTUBE_CLIENT_SECRET: '' });
  const { explained, code } = await ended;
  expect(code).toBe(1);
  expect(explained).toContain('Set YOUTUBE_CLIENT_ID and YOUTUBE_CLIENT_SECRET');
});

/** Connects at a terminal, without a configured client. */
async function atTerminal() {
  const sandbox = await startSandbox();
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  let shown = '';
  output.on('data', (chunk) => {
    shown += chunk;
  });
  const { clientId, clientSecret, url } = sandbox.google;
  const connected = connectChannel({
    terminal: { input, output },
    clientId: undefined,
    clientSecret: undefined,
    apiUrl: url,
  });
  connected.catch(() => {});
  const type = async (question: string, answer: string) => {
    await until(`${question} is asked`, () => shown.includes(question));
    input.write(`${answer}\n`);
  };
  return { connected, input, type, clientId, clientSecret, shown: () => shown };
}

test('asks for the client at a terminal, and accepts the pasted URL of a browser on another machine', async () => {
  const person = await atTerminal();
  await person.type('Client ID: ', person.clientId);
  await person.type('Client secret: ', person.clientSecret);
  const answer = await decide(await urlIn(person.shown), 'Allow');
  await person.type('Paste that page', 'hello');
  await person.type("That isn't the URL", answer);
  expect(await person.connected).toContain('YOUTUBE_REFRESH_TOKEN=1//');
});

test.each([0, 2])('nothing changes when the input ends after %i answers', async (answers) => {
  const person = await atTerminal();
  if (answers > 0) {
    await person.type('Client ID: ', person.clientId);
    await person.type('Client secret: ', person.clientSecret);
    await urlIn(person.shown);
  } else await until('it asks', () => person.shown().includes('Client ID: '));
  person.input.end();
  await expect(person.connected).rejects.toThrow('Nothing was changed.');
});

async function isAccepted({ google }: Sandbox, refreshToken: string): Promise<boolean> {
  const response = await fetch(`${google.url}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: google.clientId,
      client_secret: google.clientSecret,
      refresh_token: refreshToken,
      grant_type: 'refresh_token',
    }),
  });
  return response.ok;
}
