import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { API } from '#contracts/api.ts';
import { getLoginHint, getUser, login, replaceDefaultPassword } from '#contracts/session.ts';
import { createEvents } from '#server/compose-events.ts';
import { isReachable, readConfig } from '#server/config/config.ts';
import { Accounts } from '#server/features/session/accounts/accounts.service.ts';
import { hashPassword } from '#server/features/session/accounts/passwords.ts';
import { weaknessOfFirstPassword } from '#server/features/session/session.service.ts';
import { Person, refusal } from './support/call.ts';
import { startApp, type TestApp } from './support/start-app.ts';
import { createTestDatabase } from './support/test-database.ts';

const MAIN = fileURLToPath(new URL('../src/server/server.ts', import.meta.url));
const WARNING =
  'This server is reachable by others and admin still has the default password. ' +
  'It opens only the choice of a new password, together with the code that each start prints on the console. ' +
  'Set it now: sign in, or npm run user -- password admin';
const DEFAULTS = { username: 'admin', password: 'admin123' };
const NEW = 'correct horse battery';

const codeOf = ({ warning }: TestApp) => /Start code: (?<code>[0-9a-f-]{19})$/.exec(warning ?? '')?.groups?.code ?? '';

const warningsOf = ({ db }: TestApp) =>
  db.selectFrom('log_entry').selectAll().where('action', '=', 'default-credentials').execute();

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

test('where others can reach the server, the default password opens only its own replacement', async () => {
  const product = await startApp({ env: { TRUST_PROXY: 'true' } });
  const person = product.anonymous();
  expect(await person.call(getLoginHint, {})).toMatchObject({ signedIn: false, defaultCredentials: null });
  const refused = await refusal(person.call(login, { body: DEFAULTS }));
  expect(refused).toMatchObject({ status: 401, body: { code: 'password_change_required' } });
  expect(refused.headers['set-cookie']).toBeUndefined();
  for (const endpoint of API.filter(({ role }) => role !== 'open')) {
    const url = endpoint.path.replace(/:\w+/g, '1');
    expect((await person.request({ method: endpoint.method, url })).statusCode).toBe(401);
  }
  const { id } = await product.db.selectFrom('account').select('id').executeTakeFirstOrThrow();
  const link = { account_id: id, token_hash: Buffer.alloc(32), expires_at: new Date(Date.now() + 3_600_000) };
  await product.db.insertInto('invitation').values(link).execute();
  const startCode = codeOf(product);
  const replace = (body: { password: string; newPassword: string }) =>
    person.call(replaceDefaultPassword, { body: { username: 'admin', startCode, ...body } });
  expect(await refusal(replace({ password: 'admin124', newPassword: NEW }))).toMatchObject({ status: 401 });
  const weak = await refusal(replace({ password: 'admin123', newPassword: 'password' }));
  expect(weak).toMatchObject({ status: 400, body: { field: 'newPassword' } });
  await replace({ password: 'admin123', newPassword: NEW });
  expect(await product.db.selectFrom('invitation').selectAll().execute()).toEqual([]);
  expect((await refusal(person.call(login, { body: DEFAULTS }))).body.code).toBe('wrong_credentials');
  await person.call(login, { body: { username: 'admin', password: NEW } });
  const other = await refusal(replace({ password: NEW, newPassword: 'another good password' }));
  expect(other.status).toBe(409);
  const changes = await product.db
    .selectFrom('log_entry')
    .selectAll()
    .where('action', '=', 'change-password')
    .execute();
  expect(changes).toMatchObject([{ summary: 'admin replaced the default password.' }]);
});

test('replacing the default password requires the code that every process prints at its start', async () => {
  const env = { TRUST_PROXY: 'true' };
  const first = await startApp({ env, isAlone: false });
  const { database, dataDir } = first;
  const second = await startApp({ env, database, dataDir, isAlone: false });
  expect(codeOf(first)).toMatch(/^(?:[0-9a-f]{4}-){3}[0-9a-f]{4}$/);
  expect(codeOf(second)).toBe(codeOf(first));
  const replace = (startCode: string) =>
    second.anonymous().call(replaceDefaultPassword, { body: { ...DEFAULTS, startCode, newPassword: NEW } });
  const wrong = await refusal(replace('0000-0000-0000-0000'));
  expect(wrong).toMatchObject({ status: 401, body: { code: 'wrong_code', field: 'startCode' } });
  await replace(` ${codeOf(first).toUpperCase().replaceAll('-', ' ')} `);
  await second.signedIn('admin', NEW);
  const entries = JSON.stringify(await second.db.selectFrom('log_entry').selectAll().execute());
  expect(entries).toContain('admin entered the correct password but a wrong code.');
  expect(entries).not.toContain(codeOf(first));
});

test('a start code is invalid after the password was set, even to the default one again', async () => {
  const product = await startApp({ env: { TRUST_PROXY: 'true' } });
  const passwordHash = await hashPassword(DEFAULTS.password);
  await product.db.updateTable('account').set({ password_hash: passwordHash }).execute();
  const body = { ...DEFAULTS, startCode: codeOf(product), newPassword: NEW };
  const refused = await refusal(product.anonymous().call(replaceDefaultPassword, { body }));
  expect(refused.body.code).toBe('wrong_code');
});

test('a session that the default password opened on this machine ends when others can reach the server', async () => {
  const here = await startApp();
  const person = await here.signedIn();
  await here.stop();
  const { database, dataDir } = here;
  const reached = await startApp({ env: { TRUST_PROXY: 'true' }, database, dataDir });
  const again = new Person(reached.app, person.cookie);
  expect((await again.request({ method: 'GET', url: getUser.path })).statusCode).toBe(401);
});

test('on this machine the default password signs in, and its replacement is a 409', async () => {
  const product = await startApp();
  const person = await product.signedIn();
  expect(await person.call(getLoginHint, {})).toMatchObject({ defaultCredentials: DEFAULTS });
  const replaced = person.call(replaceDefaultPassword, { body: { ...DEFAULTS, startCode: 'x', newPassword: NEW } });
  expect((await refusal(replaced)).status).toBe(409);
});

test.each([
  ['a', /^Configuration:\n {2}ADMIN_PASSWORD is not accepted: Use 8 to 1000 characters\.$/],
  ['password', /too common/],
  ['admin-admin-1', /similar to the username/],
])(
  'ADMIN_PASSWORD=%s is a warning on this machine and ends the start where others can reach it',
  async (ADMIN_PASSWORD, why) => {
    const config = readConfig({ ADMIN_PASSWORD });
    expect(await weaknessOfFirstPassword(config)).toMatch(/^ADMIN_PASSWORD is not accepted: /);
    await (await startApp({ jobs: false, env: { ADMIN_PASSWORD } })).signedIn();
    const refused = startApp({ jobs: false, env: { ADMIN_PASSWORD, TRUST_PROXY: 'true' } });
    await expect(refused).rejects.toThrow(why);
  },
);

test('another password, or a local address, causes no warning', async () => {
  const here = await startApp();
  expect(await warningsOf(here)).toEqual([]);
  const accounts = new Accounts(here.db, createEvents());
  await accounts.changePassword({ username: 'admin', password: 'another password' });
  const env = { TRUST_PROXY: 'true' };
  const reached = await startApp({ env, database: here.database, dataDir: here.dataDir });
  expect(await warningsOf(reached)).toEqual([]);
});

test('the console shows the warning with every LOG_LEVEL', async () => {
  const database = await createTestDatabase();
  const { dataDir } = await startApp({ jobs: false });
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', TRUST_PROXY: 'true', LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [MAIN], { env: { PATH: process.env.PATH, ...env } });
  child.stdout.once('data', () => child.kill('SIGTERM'));
  const [complained] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(complained.replace(/[0-9a-f-]{19}$/m, '0000-0000-0000-0000')).toBe(
    `WARNING: ${WARNING}\nStart code: 0000-0000-0000-0000\n\n`,
  );
  await database.drop();
});
