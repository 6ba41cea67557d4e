import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { getUser, login } from '#contracts/session.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { migrate } from '#server/db/migrate.ts';
import { runCommandLine } from '#support/commands.ts';
import { setUpFactor } from '#support/second-factor.ts';
import { startSessionApp } from '#support/session-app.ts';
import { startApp } from '#support/start-app.ts';
import { createEmptyDatabase } from '#support/test-database.ts';
import { until } from '#support/until.ts';
import { readNewPassword } from './terminal.ts';

const ADMIN = { username: 'admin', password: 'admin123' };

const user = (environment: Record<string, string>, args: string[], piped = '') =>
  runCommandLine(['user', ...args], environment, piped);

describe('while the server runs', { timeout: 30_000 }, () => {
  test('user adds an account, lists it, and signs it out everywhere with password, sign-out and remove', async () => {
    const on = await startSessionApp();
    const environment = { DATABASE_URL: on.database.url };
    const ann = on.anonymous();
    const isOut = async () => (await ann.request({ method: 'GET', url: '/api/user' })).statusCode === 401;

    expect(await user(environment, ['add', 'ann'], 'first password\n')).toMatchObject({ code: 0 });
    expect((await user(environment, ['list'])).printed).toMatch(
      /^admin\tsince [\d-]+\tadministrator\nann\tsince [\d-]+\tadministrator\n$/,
    );
    await ann.call(login, { body: { username: 'ann', password: 'first password' } });
    await ann.call(getUser, {});

    expect(await user(environment, ['password', 'ann'], 'second password')).toMatchObject({ code: 0, stderr: '' });
    await until('ann is signed out', isOut);
    await ann.call(login, { body: { username: 'ann', password: 'second password' } });

    expect(await user(environment, ['sign-out', 'ann'])).toEqual({
      code: 0,
      printed: 'Signed ann out everywhere (1 session).\n',
      stderr: '',
    });
    await until('ann is signed out', isOut);
    await ann.call(login, { body: { username: 'ann', password: 'second password' } });

    expect(await user(environment, ['remove', 'ann', '--yes'])).toMatchObject({ code: 0, stderr: '' });
    await until('ann is signed out', isOut);
    expect(await user(environment, ['remove', 'admin', '--yes'])).toEqual({
      code: 1,
      printed: '',
      stderr: 'admin is the last account. Add another one first.\n',
    });
  });

  test('user lists second factors and resets a lost one, which signs the account out', async () => {
    const on = await startSessionApp();
    const environment = { DATABASE_URL: on.database.url };
    const person = on.anonymous();
    await person.call(login, { body: ADMIN });
    await setUpFactor(person, ADMIN.password, on.clock.read);
    expect((await user(environment, ['list'])).printed).toMatch(
      /^admin\tsince \d{4}-\d\d-\d\d\tadministrator\twith a second factor\n$/,
    );

    expect(await user(environment, ['reset-second-factor', 'admin'])).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/^Removed admin's second factor and signed them out\./),
    });
    await until(
      'they are signed out',
      async () => (await person.request({ method: 'GET', url: '/api/user' })).statusCode === 401,
    );
    await person.call(login, { body: ADMIN });
    expect(await user(environment, ['reset-second-factor', 'admin'])).toEqual({
      code: 1,
      printed: '',
      stderr: 'admin has no second factor.\n',
    });
  });

  test('user reports each error in one sentence', async () => {
    const on = await startSessionApp();
    const environment = { DATABASE_URL: on.database.url };
    const complaint = async (args: string[], piped?: string) => (await user(environment, args, piped)).stderr;
    expect(await complaint(['password', 'unknown'], 'long enough')).toBe('No account is named unknown.\n');
    expect(await complaint(['add', 'admin'], 'long enough')).toBe('An account named admin already exists.\n');
    expect(await complaint(['add', 'ann'], 'short\n')).toBe('Use 8 to 1000 characters.\n');
    expect(await complaint(['add', 'ann'], '\n')).toBe('Standard input contains no password. Nothing was changed.\n');
    expect((await user({ DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' }, ['list'])).stderr).toMatch(
      /^The database cannot be reached: .*\n$/,
    );
  });
});

test('user gives advice when the database accepts no more connections', async () => {
  const { database, db } = await startApp({ jobs: false });
  const role = `crowded_${process.pid}`;
  await sql`CREATE ROLE ${sql.id(role)} LOGIN PASSWORD 'anything' CONNECTION LIMIT 0`.execute(db);
  onTestFinished(async () => void (await sql`DROP ROLE ${sql.id(role)}`.execute(db)));
  const url = Object.assign(new URL(database.url), { username: role, password: 'anything' });
  expect((await user({ DATABASE_URL: url.href }, ['list'])).stderr).toMatch(
    /^The database accepts no more connections\. Raise max_connections .*DATABASE_POOL_SIZE/,
  );
});

test('user works on an embedded database whether the server runs or not', { timeout: 60_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'user-command-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  expect(await user({ DATA_DIR: dataDir }, ['add', 'ann'], 'a password')).toEqual({
    code: 0,
    printed: `Added account ann. It is the first one in ${dataDir}.\n`,
    stderr: '',
  });

  const product = await startEmbeddedPostgres({ dataDir, log: { info: () => {} } });
  try {
    expect((await user({ DATA_DIR: dataDir }, ['list'])).printed).toMatch(/^ann\t/);
  } finally {
    await product.stop();
  }
  expect((await user({ DATA_DIR: dataDir }, ['list'])).printed).toMatch(/^ann\t/);
});

test('user remove fails without a terminal, unless --yes is passed', { timeout: 30_000 }, async () => {
  const on = await startSessionApp();
  const environment = { DATABASE_URL: on.database.url };
  await user(environment, ['add', 'ann'], 'first password\n');
  expect(await user(environment, ['remove', 'bob'])).toMatchObject({ code: 1, stderr: 'No account is named bob.\n' });
  expect(await user(environment, ['remove', 'ann'])).toEqual({
    code: 1,
    printed: '',
    stderr:
      'The account ann will be removed and signed out everywhere. Its edits and log entries stay.\nNo terminal to confirm in. Run again with --yes. Nothing was changed.\n',
  });
  expect((await user(environment, ['list'])).printed).toMatch(/^ann\t/m);
  expect(await user(environment, ['remove', 'ann', '--yes'])).toMatchObject({ code: 0 });
  expect((await user(environment, ['list'])).printed).not.toMatch(/^ann\t/m);
});

test.each([['list'], ['password', 'ann'], ['sign-out', 'ann'], ['remove', 'ann']])(
  'user %s refuses a place without a database, and creates nothing there',
  async (...args) => {
    const folder = await mkdtemp(join(tmpdir(), 'user-command-'));
    const database = await createEmptyDatabase();
    onTestFinished(() => Promise.all([rm(folder, { recursive: true, force: true }), database.drop()]).then(() => {}));
    const DATA_DIR = join(folder, 'mistyped');
    expect(await user({ DATA_DIR }, args, 'a password')).toEqual({
      code: 1,
      printed: '',
      stderr: `There is no database in ${DATA_DIR}. Set DATA_DIR to the product's folder, or start the server there first.\n`,
    });
    expect(await user({ DATA_DIR, DATABASE_URL: database.url }, args, 'a password')).toEqual({
      code: 1,
      printed: '',
      stderr:
        "The database in DATABASE_URL is empty. Set it to the product's database, or start the server with it first.\n",
    });
    expect(await readdir(folder)).toEqual([]);
  },
);

test.each([
  ['add', 'ann'],
  ['password', 'admin'],
])('user %s refuses a database that this release has not migrated yet, and changes nothing', async (...args) => {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  await migrate(database.url, { upTo: '0011_second_factor.sql' });
  expect(await user({ DATABASE_URL: database.url }, args, 'a long password')).toEqual({
    code: 1,
    printed: '',
    stderr:
      'The database is from an earlier release. Start this release with npm start, which migrates it, then run this again.\n',
  });
});

test.each([
  [[], 'Missing command.'],
  [['rename', 'ann'], 'Unknown command rename.'],
  [['constructor'], 'Unknown command constructor.'],
  [['add'], 'Missing NAME. Usage: npm run user -- add NAME'],
  [['add', 'ann', 'secret'], 'A password is never an argument.'],
  [['list', 'ann'], 'Too many arguments.'],
  [['sign-out', 'ann', '--yes'], 'Too many arguments.'],
  [['remove', 'ann', '--yes', 'bob'], 'Too many arguments.'],
])('user %j prints the usage and exits with 2', async (args, reason) => {
  const { code, stderr } = await user({}, args);
  expect(code).toBe(2);
  expect(stderr).toContain(reason);
  expect(stderr).toContain('npm run user -- password NAME');
});

describe('a new password at a terminal', () => {
  /** A terminal that types the answers, each when it is asked for. */
  function terminal(answers: string[]) {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input as never });
    const output = new PassThrough();
    let shown = '';
    output.on('data', (chunk) => {
      shown += chunk;
      if (String(chunk).endsWith(': ')) setImmediate(() => input.write(answers.shift() ?? '\u0003'));
    });
    return { input, output, shown: () => shown };
  }

  test('a new password at a terminal is asked for twice and never shown', async () => {
    const person = terminal(['pass wordx\u007f\r', 'pass word\r']);
    expect(await readNewPassword(person)).toBe('pass word');
    expect(person.shown()).toBe('New password: \nRepeat the password: \n');
  });

  test('a new password at a terminal changes nothing when the two entries differ', async () => {
    await expect(readNewPassword(terminal(['one\r', 'two\r']))).rejects.toThrow("The passwords don't match.");
  });

  test.each(['\u0003', '\u0004'])('a new password at a terminal is canceled with %j', async (key) => {
    await expect(readNewPassword(terminal([key]))).rejects.toThrow('Nothing was changed.');
  });
});
