import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listLogs } from '#contracts/logs.ts';
import { isReachable } from '#server/config/config.ts';
import { Logs } from '#server/features/logs/logs.service.ts';
import { Accounts } from '#server/features/session/accounts/accounts.service.ts';
import { startApp, type TestApp } from './support/start-app.ts';
import { createTestDatabase } from './support/test-database.ts';

const MAIN = fileURLToPath(new URL('../src/server/server.ts', import.meta.url));
const WARNING =
  'This server is reachable by others and still accepts the default credentials (admin / admin123). ' +
  'Change the password now: Change password in the menu, or npm run user -- password admin';

const warningsOf = async (product: TestApp, password = 'admin123') => {
  const recruiter = await product.signedIn('admin', password);
  const { logs } = await recruiter.call(listLogs, { query: { type: 'system' } });
  return logs.filter(({ action }) => action === 'default-credentials');
};

test.each([
  ['127.0.0.1', false],
  ['127.1.2.3', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['localhost', false],
  ['0.0.0.0', true],
  ['::', true],
  ['192.168.1.5', true],
  ['interviews.example', true],
])('HOST=%s is reachable from other machines: %s', (HOST, reachable) => {
  expect(isReachable({ HOST, TRUST_PROXY: false })).toBe(reachable);
  expect(isReachable({ HOST, TRUST_PROXY: true })).toBe(true);
});

test('each start logs a warning while others can use the default credentials', async () => {
  const first = await startApp({ env: { HOST: '0.0.0.0' } });
  expect(await warningsOf(first)).toMatchObject([{ type: 'system', status: 'warning', summary: WARNING }]);
  await first.stop();
  const again = await startApp({ env: { TRUST_PROXY: 'true' }, database: first.database, dataDir: first.dataDir });
  expect(await warningsOf(again)).toHaveLength(2);
});

test('there is no warning with another password or on a local address', async () => {
  const here = await startApp();
  expect(await warningsOf(here)).toEqual([]);
  const accounts = new Accounts(here.db, new Logs(here.db, 365));
  await accounts.changePassword({ username: 'admin', password: 'another password' });
  const env = { TRUST_PROXY: 'true' };
  const reached = await startApp({ env, database: here.database, dataDir: here.dataDir });
  expect(await warningsOf(reached, 'another password')).toEqual([]);
});

test('the console shows the warning with every LOG_LEVEL', async () => {
  const database = await createTestDatabase();
  const { dataDir } = await startApp({ jobs: false });
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', TRUST_PROXY: 'true', LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [MAIN], { env: { PATH: process.env.PATH, ...env } });
  child.stdout.once('data', () => child.kill('SIGTERM'));
  const [complained] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(complained).toBe(`WARNING: ${WARNING}\n\n`);
  await database.drop();
});
