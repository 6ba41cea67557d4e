import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { activateFunnel, createFunnel, updateFunnel } from '#contracts/funnels.ts';
import { listInterviews } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { convertInterview, summarizeInterview, transcribeInterview } from '#contracts/processing.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from '#contracts/second-factor.ts';
import { login } from '#contracts/session.ts';
import { getSyncStatus, startSync } from '#contracts/sync.ts';
import { VARIABLES } from '#server/config/variables.ts';
import { emptyFolder } from './support/backups.ts';
import { activeFunnel, FUNNEL, surroundings } from './support/process-surroundings.ts';
import { Authenticator } from './support/second-factor.ts';
import { type ProductProcess, startProcess } from './support/start-process.ts';
import { startSandbox } from './support/start-sandbox.ts';
import { until } from './support/until.ts';

const ROOT = join(import.meta.dirname, '..');
/** Unique values that the test searches for. */
const secret = (what: string) => `marker-${what}-8c1f5e`;
const TYPED = { password: secret('mistyped'), apiKey: secret('api-key'), otherKey: secret('other-api-key') };

/** Returns the response text, whatever the status. */
async function ask(product: ProductProcess, path: string, init: RequestInit = {}): Promise<string> {
  const headers = {
    cookie: product.cookie,
    ...(init.body && { 'content-type': 'application/json' }),
    ...init.headers,
  };
  const response = await fetch(`${product.origin}${path}`, { ...init, headers });
  return `${path} ${response.url} ${await response.text()}`;
}

test('no secret appears in the process log, a log entry, an error or a URL', {
  timeout: 120_000,
}, async () => {
  const sandbox = await startSandbox();
  const env: Record<string, string> & { DATA_DIR: string } = {
    ...(await surroundings(sandbox)),
    LOG_LEVEL: 'trace',
    SESSION_SECRET: secret('session-secret'),
    ENCRYPTION_KEY: 'c0ffee42'.repeat(8),
  };
  const printed: string[] = [];
  const product = await startProcess(env, { onLog: (line) => void printed.push(line) });
  const responses: string[] = [];
  const post = async (path: string, body: string, headers = {}) =>
    void responses.push(await ask(product, path, { method: 'POST', body, headers }));

  // A failed sign-in, and bodies that are not JSON, too long or invalid.
  const credentials = { username: 'admin', password: TYPED.password };
  await post('/api/login', JSON.stringify(credentials));
  await post('/api/login', JSON.stringify({ ...credentials, password: [TYPED.password] }));
  await post('/api/login', `{"password":"${TYPED.password}"`);
  await post('/api/funnels', JSON.stringify({ name: '', apiKey: TYPED.apiKey, funnelId: 7 }));
  await post('/api/funnels', JSON.stringify({ apiKey: TYPED.apiKey, name: 'x'.repeat(3_000_000) }));
  await post('/api/nothing', JSON.stringify({ apiKey: TYPED.apiKey }), { authorization: `Bearer ${TYPED.apiKey}` });
  responses.push(await ask(product, '/api/interviews?limit=none'));

  // A service that rejects the key and repeats it in its message.
  const { id } = await product.call(createFunnel, { body: { name: 'One', apiKey: TYPED.apiKey, funnelId: 'one' } });
  await product.call(updateFunnel, { params: { id }, body: { name: 'Two', apiKey: TYPED.otherKey, funnelId: 'one' } });
  await product.call(activateFunnel, { params: { id } });
  const fault = { body: { message: `Wrong key ${TYPED.otherKey}` } };
  sandbox.control.fail({ kind: 'status', status: 401, ...fault });
  const refreshed = async () => {
    await product.call(startSync, { query: {} });
    return until('the refresh ends', async () => {
      const status = await product.call(getSyncStatus, {});
      return status.inProgress ? null : status;
    });
  };
  responses.push(JSON.stringify(await refreshed()));
  sandbox.control.clearFaults();

  // Every step: first with services that fail and repeat the credentials, then with working ones.
  await activeFunnel(product, sandbox);
  await refreshed();
  const { interviews } = await product.call(listInterviews, { query: {} });
  const withVideo = interviews.find(({ hasLocalCopy }) => hasLocalCopy);
  const google = [env.YOUTUBE_CLIENT_SECRET, env.YOUTUBE_REFRESH_TOKEN, 'ya29.sandbox-access-token'];
  const services = [env.TRANSCRIPTION_API_KEY, env.SUMMARY_API_KEY];
  for (const fails of [true, false]) {
    if (fails) {
      for (const on of ['google', 'transcription', 'chat'])
        sandbox.control.fail({
          kind: 'status',
          status: 401,
          on,
          body: { error: { message: `Bad ${[...google, ...services].join(' ')}` } },
        });
    } else sandbox.control.clearFaults();
    for (const step of [convertInterview, transcribeInterview, summarizeInterview])
      responses.push(await ask(product, step.path.replace(':id', withVideo?.id ?? ''), { method: step.method }));
    await until(
      'the steps end',
      async () => (await product.call(listInterviews, { query: { status: 'processing' } })).total === 0,
      40_000,
    );
  }
  expect((await product.call(listInterviews, { query: { limit: 100 } })).interviews).toContainEqual(
    expect.objectContaining({ id: withVideo?.id, youtubeStatus: 'completed', summaryStatus: 'completed' }),
  );
  const logged = JSON.stringify(await product.call(listLogs, { query: { limit: 100 } }));
  responses.push(JSON.stringify(await product.call(listInterviews, { query: { limit: 100 } })));
  const cookie = product.cookie.split('=')[1] ?? '';
  responses.push(await ask(product, '/api/logout', { method: 'POST' }));
  await product.terminate();

  const { password = '' } = env.DATABASE_URL
    ? new URL(env.DATABASE_URL)
    : JSON.parse(await readFile(join(env.DATA_DIR, 'postgres-access.json'), 'utf8'));
  const funnelKey = sandbox.funnels.find(({ funnelId }) => funnelId === FUNNEL)?.apiKey;
  const secrets = [
    ...Object.values(TYPED),
    ...google,
    ...services,
    env.SESSION_SECRET,
    env.ENCRYPTION_KEY,
    'admin123',
    cookie,
    funnelKey,
  ];
  const urls = JSON.stringify(sandbox.requests.list().map(({ path, query }) => [path, query]));
  expect(printed.length).toBeGreaterThan(5);
  expect(urls.length).toBeGreaterThan(1_500);
  for (const wanted of [...secrets, password]) {
    expect(wanted?.length).toBeGreaterThan(3);
    for (const [where, text] of Object.entries({
      printed: printed.join('\n'),
      responses: responses.join('\n'),
      logged,
      urls,
    }))
      expect(occurrences(text, wanted ?? ''), `${wanted} in what was ${where}`).toEqual([]);
  }
});

const ANOTHER_BROWSER = { cookie: '' };

test('the secret and codes of a second factor appear only in the setup responses', {
  timeout: 60_000,
}, async () => {
  const env = { ...(await surroundings(await startSandbox())), LOG_LEVEL: 'trace' };
  const printed: string[] = [];
  const product = await startProcess(env, { onLog: (line) => void printed.push(line) });
  const responses: string[] = [];
  const currentPassword = 'admin123';
  const post = async (path: string, body: object, headers = {}) =>
    void responses.push(await ask(product, path, { method: 'POST', body: JSON.stringify(body), headers }));
  const { secret } = await product.call(beginSecondFactor, { body: { currentPassword } });
  const phone = new Authenticator(secret);
  await post(confirmSecondFactor.path, { code: phone.wrongCode() });
  const codes = [phone.wrongCode(), phone.code(), phone.code(1)];
  const { recoveryCodes } = await product.call(confirmSecondFactor, { body: { code: phone.code() } });
  for (const code of [...codes, codes[1], recoveryCodes[0], `${recoveryCodes[1]}x`, undefined])
    await post(login.path, { username: 'admin', password: currentPassword, code }, ANOTHER_BROWSER);
  await post(turnOffSecondFactor.path, { currentPassword, code: recoveryCodes[2]?.slice(1) });
  const renewed = await product.call(renewRecoveryCodes, { body: { currentPassword, code: recoveryCodes[3] ?? '' } });
  responses.push(await ask(product, getSecondFactor.path), await ask(product, '/api/user'));
  const logged = JSON.stringify(await product.call(listLogs, { query: { limit: 100 } }));
  await product.terminate();

  expect(responses.join()).toMatch(/second_factor_required.*That code is wrong|That code.*second_factor_required/s);
  expect(logged).toContain('admin signed in with a recovery code.');
  const groups = [...recoveryCodes, ...renewed.recoveryCodes].map((code) => code.slice(0, 13));
  const texts = { printed: printed.join('\n'), responses: responses.join('\n'), logged };
  for (const wanted of [secret, ...codes, ...groups])
    for (const [where, text] of Object.entries(texts))
      expect(occurrences(text, wanted), `${wanted} in what was ${where}`).toEqual([]);
});

test('the built pages contain no variable of the build environment', {
  timeout: 120_000,
}, async () => {
  const folder = await emptyFolder();
  const names = Object.keys(VARIABLES);
  const secrets = Object.fromEntries(names.map((name) => [name, secret(name.toLowerCase())]));
  const vite = spawn(process.execPath, [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', folder], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...secrets },
    stdio: 'ignore',
  });
  expect(await once(vite, 'exit')).toEqual([0, null]);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.(js|css|html|map)$/.test(entry.name));
  expect(files.length).toBeGreaterThan(5);
  for (const { parentPath, name } of files)
    expect(occurrences(await readFile(join(parentPath, name), 'utf8'), '-8c1f5e'), name).toEqual([]);
});

const occurrences = (text: string, wanted: string) =>
  text.split('\n').flatMap((line) => {
    const at = line.indexOf(wanted);
    return at < 0 ? [] : [line.slice(Math.max(0, at - 120), at + wanted.length + 40)];
  });
