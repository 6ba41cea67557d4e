import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createConnection, type Socket } from 'node:net';
import { platform } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { getUser, logout } from '#contracts/session.ts';
import { ConfigError } from '#server/config/config.ts';
import { explainError } from '#server/db/explain-error.ts';
import { ListenError, listen } from '#server/http/listen.ts';
import { emptyFolder } from './support/backups.ts';
import { prepareDataDir } from './support/process-surroundings.ts';
import { startApp } from './support/start-app.ts';
import { startProcess } from './support/start-process.ts';
import { createEmptyDatabase, createTestDatabase } from './support/test-database.ts';
import { until } from './support/until.ts';

const MAIN = fileURLToPath(new URL('../src/server/main.mjs', import.meta.url));

/** Returns what a failing start prints to standard error. */
async function failedStart(env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: await emptyFolder(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stderr = await text(child.stderr);
  expect(await ended).toBe(1);
  return stderr;
}

/** Returns the reason that such a start prints. Sets the product up without a process. */
async function failedSetup(url: string, env: Record<string, string> = {}): Promise<string> {
  const database = { name: '', url, applicationUrl: url, drop: async () => {} };
  return reasonOf(startApp({ database, dataDir: await emptyFolder(), env }));
}

const reasonOf = (start: Promise<unknown>): Promise<string> =>
  start.then(
    () => 'It has started.',
    (error) => explainError(error, [ConfigError, ListenError]),
  );

async function databaseUrl(): Promise<string> {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  return database.url;
}

/** Errors are printed even with LOG_LEVEL=silent. */
describe('the reason of a failed start and its fix are one sentence', { timeout: 30_000 }, () => {
  test('when another program has the port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((listening) => other.once('listening', listening));
    const { port } = other.address() as AddressInfo;
    expect(await failedStart({ DATABASE_URL: await databaseUrl(), PORT: String(port) })).toBe(
      `Port ${port} of 127.0.0.1 is in use by another program. Stop it, or set PORT to another port.\n`,
    );
  });

  test('when HOST is not an address of this machine', async () => {
    const { app } = await startApp();
    expect(await reasonOf(listen(app, { port: 0, host: '192.0.2.1' }))).toMatch(
      /^HOST is 192\.0\.2\.1, which is not an address of this machine\. .*$/,
    );
  });

  test('when DATA_DIR cannot be a folder', async () => {
    const file = join(await emptyFolder(), 'file');
    await writeFile(file, '');
    expect(await failedStart({ DATA_DIR: join(file, 'data') })).toMatch(
      /^Configuration:\n {2}DATA_DIR .* cannot be used: .* Give this account access .*\n$/,
    );
  });

  test.runIf(platform() === 'linux')('when the file system reports each new folder as missing', async () => {
    expect(await failedStart({ DATA_DIR: '/proc/sys/nope' })).toMatch(
      /^Configuration:\n {2}DATA_DIR \/proc\/sys\/nope cannot be used: .*mkdir '\/proc\/sys\/nope'\. Give this .*\n$/,
    );
  });

  test('when the database is unavailable', async () => {
    expect(await failedStart({ DATABASE_URL: 'postgres://ann:secret@127.0.0.1:1/x' })).toMatch(
      /^The database cannot be reached: .*ECONNREFUSED.* Check DATABASE_URL\.\n$/,
    );
  });

  test('when the database is unavailable at each of its addresses', async () => {
    expect(await failedSetup('postgres://ann:secret@localhost:1/x')).toMatch(
      /^The database cannot be reached: \S.* Check DATABASE_URL\.$/,
    );
  });

  test('when the database does not exist', async () => {
    const url = new URL(await databaseUrl());
    url.pathname = '/nowhere';
    expect(await failedSetup(url.href)).toBe(
      'The database refused access: database "nowhere" does not exist. Check DATABASE_URL and DATABASE_OWNER_URL.',
    );
  });

  test.skipIf(process.env.DATABASE_URL)('when postgres-access.json belongs to another database', async () => {
    const DATA_DIR = await prepareDataDir();
    const note = join(DATA_DIR, 'postgres-access.json');
    const access = JSON.parse(await readFile(note, 'utf8'));
    await writeFile(note, JSON.stringify({ ...access, password: 'of-another-database-entirely' }));
    expect(await failedStart({ DATA_DIR })).toBe(
      `The password of the database in ${join(DATA_DIR, 'postgres')} differs from postgres-access.json. Restore the file that belongs to it.\n`,
    );
  });

  test('when the database is from a newer release', async () => {
    const url = await databaseUrl();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("INSERT INTO migration (name) VALUES ('9999_from_the_future.sql')");
    await client.end();
    expect(await failedSetup(url)).toMatch(/^The database is newer than this program .*$/);
  });
});

test('a start names misspelled variables', async () => {
  const DATABASE_URL = 'postgres://ann@127.0.0.1:1/x';
  expect(await failedStart({ DATABASE_URL, INTERVIEW_SERVICE_ULR: 'https://interviews.example' })).toMatch(
    /^WARNING: INTERVIEW_SERVICE_ULR .* Did you mean INTERVIEW_SERVICE_URL\?\nThe database cannot be reached/,
  );
});

test('SIGTERM while the database is being created leaves no partial files and no process', {
  timeout: 60_000,
}, async () => {
  const DATA_DIR = await emptyFolder();
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', DATA_DIR },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stderr = text(child.stderr);
  const ended = once(child, 'exit');
  await until('the database is being made', async () => (await readdir(DATA_DIR)).includes('postgres.unfinished'));
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(await stderr).toBe('');
  expect((await readdir(DATA_DIR)).filter((name) => name.startsWith('postgres.unfinished'))).toEqual([]);
  expect(existsSync(join(DATA_DIR, 'postgres', 'postmaster.pid'))).toBe(false);
});

test('MIGRATE=only sets up an empty database and exits, MIGRATE=wait exits after that, and MIGRATE=off does not start before', async () => {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  const env = { DATABASE_URL: database.url };
  expect(await failedSetup(database.url, { MIGRATE: 'off' })).toMatch(
    /^The database is from an earlier release .* Run npm run migrate/,
  );
  const run = async (MIGRATE: string) => {
    const child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', DATA_DIR: await emptyFolder(), ...env, MIGRATE },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    const stdout = await text(child.stdout);
    return [stdout, (await ended)[0]];
  };
  const waiting = run('wait');
  const applied = /^Applied 0001_accounts\.sql, .* is up to date for release [\d.]+\.\n$/;
  expect(await run('only')).toEqual([expect.stringMatching(applied), 0]);
  expect(await waiting).toEqual([expect.stringMatching(/The database is up to date\.\n$/), 0]);
  const nothing = /^Nothing to do\. The database is up to date for release/;
  expect(await run('only')).toEqual([expect.stringMatching(nothing), 0]);
}, 60_000);

test('with SHUTDOWN_DELAY_S, monitors see the stop before the process stops serving, responses end their connections, and the log names its roles', async () => {
  const env = { DATABASE_URL: await databaseUrl(), DATA_DIR: await emptyFolder(), SHUTDOWN_DELAY_S: '3' };
  const lines: string[] = [];
  const onLog = (line: string) => {
    if (line.startsWith('{')) lines.push(line);
  };
  const product = await startProcess({ ...env, LOG_LEVEL: 'info' }, { onLog });
  const ended = product.terminate();
  const ready = await until('readiness ends', async () => {
    const response = await fetch(`${product.origin}/readyz`);
    return response.status === 503 ? response.json() : null;
  });
  expect(ready).toMatchObject({ status: 'stopping', checks: { database: 'ok' } });
  expect((await product.call(getUser, {})).username).toBe('admin');
  const changed = await fetch(`${product.origin}${logout.path}`, { method: logout.method });
  expect([changed.status, changed.headers.get('connection')]).toEqual([200, 'close']);
  expect(await ended).toBe(0);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => JSON.parse(line).roles !== 'web,worker')).toEqual([]);
});

test('with SHUTDOWN_DELAY_S, clients that connect while the process is too busy to accept them are served, also those whose request arrives later', async () => {
  const delayMs = 3_000;
  const env = { DATABASE_URL: await databaseUrl(), DATA_DIR: await emptyFolder(), SHUTDOWN_DELAY_S: '3' };
  const product = await startProcess(env);
  const stoppedBy = Date.now() + delayMs;
  const ended = product.terminate();
  await until('readiness ends', async () => (await fetch(`${product.origin}/readyz`)).status === 503);
  // The kernel completes the connections of a process that is stopped.
  process.kill(product.pid, 'SIGSTOP');
  const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(product.origin)));
  await pause(stoppedBy + 500 - Date.now());
  process.kill(product.pid, 'SIGCONT');
  const received = await Promise.all(sockets.map((socket) => postLater(socket, 20)));
  expect(received.filter((text) => !text.startsWith('HTTP/1.1 200'))).toEqual([]);
  expect(await ended).toBe(0);
});

async function openSocket(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = createConnection({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  return socket;
}

/** Sends a POST after `ms`, as a proxy may. Returns what arrives, or the error. */
async function postLater(socket: Socket, ms: number): Promise<string> {
  const received = text(socket).catch((error) => String(error));
  await pause(ms);
  socket.write('POST /api/logout HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
  return received;
}
