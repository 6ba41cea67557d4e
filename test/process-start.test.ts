import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { emptyFolder } from './support/backups.ts';
import { createTestDatabase } from './support/test-database.ts';
import { until } from './support/until.ts';

const MAIN = fileURLToPath(new URL('../src/server/start.mjs', import.meta.url));

/** What a start that must fail says to whoever started it. */
async function failedStart(env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: await emptyFolder(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const said = await text(child.stderr);
  expect(await ended).toBe(1);
  return said;
}

async function databaseUrl(): Promise<string> {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  return database.url;
}

/** Also where LOG_LEVEL=silent: a start that fails without a word could be anything. */
describe('a start that cannot be says why in one sentence, and what to do', { timeout: 30_000 }, () => {
  test('when another program has the port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((listening) => other.once('listening', listening));
    const { port } = other.address() as AddressInfo;
    expect(await failedStart({ DATABASE_URL: await databaseUrl(), PORT: String(port) })).toBe(
      `Port ${port} of 127.0.0.1 is in use by another program. Stop that one, or set PORT to another port.\n`,
    );
  });

  test('when HOST is no address of this machine', async () => {
    expect(await failedStart({ DATABASE_URL: await databaseUrl(), HOST: '192.0.2.1' })).toMatch(
      /^HOST is 192\.0\.2\.1, which is no address of this machine\. .*\n$/,
    );
  });

  test('when DATA_DIR cannot be a folder', async () => {
    const file = join(await emptyFolder(), 'file');
    await writeFile(file, '');
    expect(await failedStart({ DATA_DIR: join(file, 'data') })).toMatch(
      /^Configuration:\n {2}DATA_DIR .* cannot be used: .* Give this account the folder .*\n$/,
    );
  });

  test.each([
    ['is away', '127.0.0.1:1', /^The database cannot be reached: .*ECONNREFUSED.* Check DATABASE_URL\.\n$/],
    [
      'is away under each of its addresses',
      'localhost:1',
      /^The database cannot be reached: \S.* Check DATABASE_URL\.\n$/,
    ],
  ])('when the database %s', async (_, host, words) => {
    expect(await failedStart({ DATABASE_URL: `postgres://ann:secret@${host}/x` })).toMatch(words);
  });

  test('when the database does not know us', async () => {
    const url = new URL(await databaseUrl());
    url.pathname = '/nowhere';
    expect(await failedStart({ DATABASE_URL: url.href })).toBe(
      'The database refuses what it is asked for: database "nowhere" does not exist. Check DATABASE_URL.\n',
    );
  });

  test('when the note of the password is of another database', async () => {
    const DATA_DIR = await emptyFolder();
    const database = await startEmbeddedPostgres({ dataDir: DATA_DIR, log: { info: () => {} } });
    await database.stop();
    const note = join(DATA_DIR, 'postgres-access.json');
    const access = JSON.parse(await readFile(note, 'utf8'));
    await writeFile(note, JSON.stringify({ ...access, password: 'of-another-database-entirely' }));
    expect(await failedStart({ DATA_DIR })).toBe(
      `The database in ${DATA_DIR} has another password than postgres-access.json beside it. Put back the file that belongs to it.\n`,
    );
  });

  test('when the database is of a newer release', async () => {
    const url = await databaseUrl();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("INSERT INTO migration (name) VALUES ('9999_from_the_future.sql')");
    await client.end();
    expect(await failedStart({ DATABASE_URL: url })).toMatch(/^The database is newer than this program .*\n$/);
  });
});

test('a SIGTERM while the database is being made leaves nothing half done, and nothing running', {
  timeout: 60_000,
}, async () => {
  const DATA_DIR = await emptyFolder();
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', DATA_DIR },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = text(child.stderr);
  const ended = once(child, 'exit');
  await until('the database is being made', async () => (await readdir(DATA_DIR)).includes('postgres.unfinished'));
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(await said).toBe('');
  expect((await readdir(DATA_DIR)).filter((name) => name.startsWith('postgres.unfinished'))).toEqual([]);
  const database = await startEmbeddedPostgres({ dataDir: DATA_DIR, log: { info: () => {} } });
  onTestFinished(database.stop);
  expect(database.adopted).toBe(false);
});
