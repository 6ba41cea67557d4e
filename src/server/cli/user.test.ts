import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { getUser, login } from '#contracts/session.ts';
import { setUpFactor } from '#support/second-factor.ts';
import { startSessionApp } from '#support/session-app.ts';
import { createEmptyDatabase } from '#support/test-database.ts';
import { until } from '#support/until.ts';
import { startEmbeddedPostgres } from '../db/embedded/start-embedded-postgres.ts';
import { readNewPassword } from './read-password.ts';

const PROGRAM = fileURLToPath(new URL('./user.ts', import.meta.url));

const ADMIN = { username: 'admin', password: 'admin123' };

/** Runs the program as a person would, with a password piped in. */
async function user(environment: Record<string, string>, args: string[], piped = '') {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: { PATH: process.env.PATH, ...environment } });
  child.stdin.on('error', () => {});
  child.stdin.end(piped);
  const [printed, complained, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  return { printed, complained, code };
}

describe('beside the running product', { timeout: 30_000 }, () => {
  test('adds an account that can sign in, lists it, and signs it out everywhere by a new password, sign-out or removal', async () => {
    const on = await startSessionApp();
    const environment = { DATABASE_URL: on.database.url };
    const ann = on.anonymous();
    const isOut = async () => (await ann.request({ method: 'GET', url: '/api/user' })).statusCode === 401;

    expect(await user(environment, ['add', 'ann'], 'first password\n')).toMatchObject({ code: 0 });
    expect((await user(environment, ['list'])).printed).toMatch(/^admin\tsince .*\nann\tsince .*\n$/);
    await ann.call(login, { body: { username: 'ann', password: 'first password' } });
    await ann.call(getUser, {});

    expect(await user(environment, ['password', 'ann'], 'second password')).toMatchObject({ code: 0, complained: '' });
    await until('ann is signed out', isOut);
    await ann.call(login, { body: { username: 'ann', password: 'second password' } });

    expect(await user(environment, ['sign-out', 'ann'])).toEqual({
      code: 0,
      printed: 'ann was signed out everywhere (1 session).\n',
      complained: '',
    });
    await until('ann is signed out', isOut);
    await ann.call(login, { body: { username: 'ann', password: 'second password' } });

    expect(await user(environment, ['remove', 'ann'])).toMatchObject({ code: 0, complained: '' });
    await until('ann is signed out', isOut);
    expect(await user(environment, ['remove', 'admin'])).toEqual({
      code: 1,
      printed: '',
      complained: 'admin is the last account. Add another one first.\n',
    });
  });

  test('a second factor is listed, and taken away from who has lost phone and codes, which signs them out', async () => {
    const on = await startSessionApp();
    const environment = { DATABASE_URL: on.database.url };
    const person = on.anonymous();
    await person.call(login, { body: ADMIN });
    await setUpFactor(person, ADMIN.password, on.clock.read);
    expect((await user(environment, ['list'])).printed).toMatch(
      /^admin\tsince \d{4}-\d\d-\d\d\twith a second factor\n$/,
    );

    expect(await user(environment, ['reset-second-factor', 'admin'])).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/^The second factor of admin was removed: the password alone signs in/),
    });
    await until(
      'they are signed out',
      async () => (await person.request({ method: 'GET', url: '/api/user' })).statusCode === 401,
    );
    await person.call(login, { body: ADMIN });
    expect(await user(environment, ['reset-second-factor', 'admin'])).toEqual({
      code: 1,
      printed: '',
      complained: 'admin has no second factor.\n',
    });
  });

  test('says what is wrong in one sentence', async () => {
    const on = await startSessionApp();
    const environment = { DATABASE_URL: on.database.url };
    const complaint = async (args: string[], piped?: string) => (await user(environment, args, piped)).complained;
    expect(await complaint(['password', 'nobody'], 'long enough')).toBe('There is no account named nobody.\n');
    expect(await complaint(['add', 'admin'], 'long enough')).toBe('There is an account named admin already.\n');
    expect(await complaint(['add', 'ann'], 'short\n')).toBe('A password has 8 to 1000 characters.\n');
    expect(await complaint(['add', 'ann'], '\n')).toBe('Standard input holds no password. Nothing was changed.\n');
    expect((await user({ DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' }, ['list'])).complained).toMatch(
      /^The database cannot be reached: .*\n$/,
    );
  });
});

test('says what to do about a database that takes no more connections', async () => {
  const { database, db } = await startSessionApp();
  const role = `crowded_${process.pid}`;
  await sql`CREATE ROLE ${sql.id(role)} LOGIN PASSWORD 'anything' CONNECTION LIMIT 0`.execute(db);
  onTestFinished(async () => void (await sql`DROP ROLE ${sql.id(role)}`.execute(db)));
  const url = Object.assign(new URL(database.url), { username: role, password: 'anything' });
  expect((await user({ DATABASE_URL: url.href }, ['list'])).complained).toMatch(
    /^The database takes no more connections\. Raise max_connections .*DATABASE_POOL_SIZE/,
  );
});

test('an embedded database is used whether the product has it running or not', { timeout: 60_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'user-command-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  expect(await user({ DATA_DIR: dataDir }, ['add', 'ann'], 'a password')).toEqual({
    code: 0,
    printed: `Account ann was added. It is the first in ${dataDir}.\n`,
    complained: '',
  });

  const product = await startEmbeddedPostgres({ dataDir, log: { info: () => {} } });
  try {
    expect((await user({ DATA_DIR: dataDir }, ['list'])).printed).toMatch(/^ann\t/);
  } finally {
    await product.stop();
  }
  expect((await user({ DATA_DIR: dataDir }, ['list'])).printed).toMatch(/^ann\t/);
});

test.each([['list'], ['password', 'ann'], ['sign-out', 'ann'], ['remove', 'ann']])(
  '%s refuses a place where the product has made nothing, and makes nothing there',
  async (...args) => {
    const folder = await mkdtemp(join(tmpdir(), 'user-command-'));
    const database = await createEmptyDatabase();
    onTestFinished(() => Promise.all([rm(folder, { recursive: true, force: true }), database.drop()]).then(() => {}));
    const DATA_DIR = join(folder, 'mistyped');
    expect(await user({ DATA_DIR }, args, 'a password')).toEqual({
      code: 1,
      printed: '',
      complained: `There is no database in ${DATA_DIR}. Set DATA_DIR to the folder of the product, or start the product there first.\n`,
    });
    expect(await user({ DATA_DIR, DATABASE_URL: database.url }, args, 'a password')).toEqual({
      code: 1,
      printed: '',
      complained:
        'The database that DATABASE_URL names is empty. Set it to the one of the product, or start the product with it first.\n',
    });
    expect(await readdir(folder)).toEqual([]);
  },
);

test.each([
  [[], 'Say what to do.'],
  [['rename', 'ann'], 'There is no command rename.'],
  [['constructor'], 'There is no command constructor.'],
  [['add'], 'Say whom: npm run user -- add NAME'],
  [['add', 'ann', 'secret'], 'a password is never given as an argument'],
  [['list', 'ann'], 'Too many words.'],
])('%j is answered with the usage and ends with 2', async (args, reason) => {
  const { code, complained } = await user({}, args);
  expect(code).toBe(2);
  expect(complained).toContain(reason);
  expect(complained).toContain('npm run user -- password NAME');
});

describe('at a terminal', () => {
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

  test('the password is asked for twice and never shown', async () => {
    const person = terminal(['pass wordx\u007f\r', 'pass word\r']);
    expect(await readNewPassword(person)).toBe('pass word');
    expect(person.shown()).toBe('New password: \nThe same again: \n');
  });

  test('two different ones change nothing', async () => {
    await expect(readNewPassword(terminal(['one\r', 'two\r']))).rejects.toThrow('The two passwords differ.');
  });

  test.each(['\u0003', '\u0004'])('%j gives up', async (key) => {
    await expect(readNewPassword(terminal([key]))).rejects.toThrow('Nothing was changed.');
  });
});
