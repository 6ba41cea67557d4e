import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findPostmasterPid, killHard, query, startInOtherProcess } from '#support/embedded-server.ts';
import { until } from '#support/until.ts';
import { isRunning } from './server.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.ts';

const log = { info: () => {} };
const unix = process.platform !== 'win32';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Stops the server also when `use` fails. */
async function withServer(use: (server: EmbeddedPostgres) => Promise<void>) {
  const server = await startEmbeddedPostgres({ dataDir, log });
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

const postmasterPid = () => findPostmasterPid(dataDir);

const canConnect = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

const RIGHTS = `SELECT current_user AS role, rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS "isPowerful"
  FROM pg_roles WHERE rolname = current_user`;
const APPLICATION_RIGHTS = { role: 'interviews_app', isPowerful: false };

describe('a started embedded server', () => {
  let server: EmbeddedPostgres;
  beforeAll(async () => {
    server = await startEmbeddedPostgres({ dataDir, log, poolSize: 70 });
  });
  afterAll(() => server?.stop());

  test('embedded PostgreSQL in an empty folder creates a durable database that knows upper and lower case of every language', async () => {
    expect(
      await query(
        server.ownerUrl,
        `SELECT current_database() AS name, lower('ÉŻΩЖ') AS lower, current_setting('fsync') AS fsync,
           current_setting('server_encoding') AS encoding, current_setting('jit') AS jit`,
      ),
    ).toEqual({ name: 'interviews', lower: 'éżωж', fsync: 'on', encoding: 'UTF8', jit: 'off' });
  });

  test('embedded PostgreSQL in an empty folder stores the password of the owner readable by its owner only, and never on a command line', async () => {
    const file = join(dataDir, 'postgres-access.json');
    if (unix) expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { password } = JSON.parse(await readFile(file, 'utf8'));
    expect(new URL(server.ownerUrl).password).toBe(password);
    expect(await readFile(file, 'utf8')).not.toContain(new URL(server.applicationUrl).password);
    if (process.platform !== 'linux') return;
    const pid = await postmasterPid();
    for (const place of ['cmdline', 'environ'])
      expect(await readFile(`/proc/${pid}/${place}`, 'utf8').catch(() => '')).not.toContain(password);
  });

  test('the accounts of the embedded database are an owner and an application that owns nothing', async () => {
    const { ownerUrl, applicationUrl } = server;
    expect(await query(ownerUrl, RIGHTS)).toEqual({ role: 'interviews', isPowerful: true });
    expect(await query(applicationUrl, RIGHTS)).toEqual(APPLICATION_RIGHTS);
  });

  test('the running embedded server demands the password', async () => {
    const { ownerUrl } = server;
    const wrong = new URL(ownerUrl);
    wrong.password = 'guess';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  });

  test('the running embedded server accepts all connections of a large pool and more', async () => {
    const { ownerUrl } = server;
    // Not a pool: `end()` of a pool does not wait until its connections are closed.
    const taken = Array.from({ length: 70 }, () => new pg.Client({ connectionString: ownerUrl }));
    await Promise.all(taken.map((client) => client.connect()));
    expect(await query(ownerUrl, 'SELECT 1 AS one')).toEqual({ one: 1 });
    await Promise.all(taken.map((client) => client.end()));
  });

  test('the running embedded server listens on 127.0.0.1 and on no other address', async () => {
    const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const addresses = others.map(({ address }) => address).filter((address) => !address.startsWith('127.'));
    const { port } = server;
    expect(await canConnect('127.0.0.1', port)).toBe(true);
    for (const address of [...addresses, '::1']) expect(await canConnect(address, port), address).toBe(false);
  });
});

test.skipIf(!unix)('a server that exits unexpectedly is restarted on the same port, until it is stopped', async () => {
  let pid = 0;
  await withServer(async ({ ownerUrl }) => {
    const first = await postmasterPid();
    process.kill(first, 'SIGKILL');
    const back = await until(
      'the server is back',
      async () =>
        (await postmasterPid().catch(() => first)) === first
          ? null
          : query(ownerUrl, 'SELECT 1 AS one').catch(() => null),
      20_000,
    );
    expect(back).toEqual({ one: 1 });
    pid = await postmasterPid();
  });
  expect(await isRunning(pid)).toBe(false);
});

describe('the accounts of the embedded database', () => {
  test('the accounts of the embedded database have new passwords after each start', async () => {
    const urls = (server: EmbeddedPostgres) => [server.ownerUrl, server.applicationUrl].map((url) => new URL(url));
    let before: URL[] = [];
    await withServer(async (server) => {
      before = urls(server);
    });
    await withServer(async (server) => {
      const passwords = [...before, ...urls(server)].map(({ password }) => password);
      expect(new Set(passwords).size).toBe(4);
      for (const former of before) {
        former.port = String(server.port);
        await expect(query(former.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
      }
    });
  });

  test('the accounts of the embedded database are split at the first start on a folder of an earlier release', async () => {
    await withServer(async ({ ownerUrl }) => {
      await query(ownerUrl, 'DROP ROLE interviews_app');
    });
    await withServer(async ({ applicationUrl }) => {
      expect(await query(applicationUrl, RIGHTS)).toEqual(APPLICATION_RIGHTS);
    });
  });

  test.each(['before', 'after'])('work after a crash just %s the password was changed', async (moment) => {
    const file = join(dataDir, 'postgres-access.json');
    const { port, password } = JSON.parse(await readFile(file, 'utf8'));
    const other = 'the-password-of-another-moment';
    const [current, next] = moment === 'before' ? [password, other] : [other, password];
    await writeFile(file, JSON.stringify({ port, password: current, nextPassword: next }));
    await withServer(async ({ applicationUrl }) => {
      expect(await query(applicationUrl, RIGHTS)).toEqual(APPLICATION_RIGHTS);
    });
    expect(Object.keys(JSON.parse(await readFile(file, 'utf8')))).toEqual(['port', 'password']);
  });
});

describe('an existing embedded database', () => {
  test('an existing embedded database keeps its data and port at the next start', async () => {
    let port = 0;
    await withServer(async (server) => {
      port = server.port;
      await query(server.ownerUrl, 'CREATE TABLE kept AS SELECT 7 AS number');
    });
    const before = performance.now();
    await withServer(async (server) => {
      expect(performance.now() - before).toBeLessThan(15_000);
      expect(server.port).toBe(port);
      expect(await query(server.ownerUrl, 'SELECT number FROM kept')).toEqual({ number: 7 });
    });
  });

  test('an existing embedded database moves to another port when its own is taken', async () => {
    const { port } = JSON.parse(await readFile(join(dataDir, 'postgres-access.json'), 'utf8'));
    const squatter = createServer().listen(port, '127.0.0.1');
    await once(squatter, 'listening');
    try {
      await withServer(async (server) => {
        expect(server.port).not.toBe(port);
        expect(await query(server.ownerUrl, 'SELECT 1 AS one')).toEqual({ one: 1 });
      });
    } finally {
      squatter.close();
    }
  });
});

describe('the running embedded server', () => {
  test('the running embedded server ends after stop, which may be called twice', async () => {
    const server = await startEmbeddedPostgres({ dataDir, log });
    const pid = await postmasterPid();
    await Promise.all([server.stop(), server.stop()]);
    expect(await isRunning(pid)).toBe(false);
    expect(await canConnect('127.0.0.1', server.port)).toBe(false);
  });
});

describe('after the application was killed', () => {
  test('a database that was killed too recovers all committed data', async () => {
    const { child, ownerUrl } = await startInOtherProcess(dataDir);
    await query(ownerUrl, 'CREATE TABLE survivor AS SELECT 1 AS number');
    const pid = await postmasterPid();
    // First the application, which would start the server again.
    await killHard(child);
    process.kill(pid, 'SIGKILL');
    await until('the server has ended', async () => !(await isRunning(pid)), 5_000);
    await withServer(async (server) => {
      expect(await query(server.ownerUrl, 'SELECT number FROM survivor')).toEqual({ number: 1 });
    });
  });

  test('a postmaster.pid with the id of another program does not prevent the start', async () => {
    const file = (pid: number) => `${pid}\n${join(dataDir, 'postgres')}\n1700000000\n5432\n\n127.0.0.1\n`;
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), file(process.ppid), { mode: 0o600 });
    await withServer(async () => {});
    expect(await isRunning(process.ppid)).toBe(true);
  });

  test('an empty postmaster.pid does not prevent the start', async () => {
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), '');
    await withServer(async () => {});
  });
});

describe('a second application on the same data folder', () => {
  test('a second application on the same data folder fails and names the process that uses it, even after Ctrl-C', async () => {
    const { child, ownerUrl } = await startInOtherProcess(dataDir);
    process.kill(-(child.pid as number), 'SIGINT');
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
      new RegExp(`is in use by another process: process ${child.pid} on .*DATA_DIR`),
    );
    expect(await query(ownerUrl, 'SELECT 1 AS one')).toEqual({ one: 1 });
    const pid = await postmasterPid();
    await killHard(child);
    await withServer(async ({ port }) => expect(port).toBe(Number(new URL(ownerUrl).port)));
    expect(await isRunning(pid)).toBe(false);
  });

  test('a second application on the same data folder also fails within the same process, until the first has stopped', async () => {
    await withServer(async () => {
      await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(/in use/);
    });
    await withServer(async () => {});
  });
});

describe('startEmbeddedPostgres reports in one sentence', () => {
  test('a database of another major version', async () => {
    const file = join(dataDir, 'postgres', 'PG_VERSION');
    const written = await readFile(file, 'utf8');
    await writeFile(file, '15\n');
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(/created by another version of PostgreSQL/);
    await writeFile(file, written);
  });

  test('a folder that cannot be locked', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await mkdir(join(folder, 'in-use.lock'));
    await expect(startEmbeddedPostgres({ dataDir: folder, log })).rejects.toThrow(
      `This account cannot use the database in ${folder}. Give it access, or set DATA_DIR to another folder.`,
    );
  });

  test('a damaged password file', async () => {
    const file = join(dataDir, 'postgres-access.json');
    const written = await readFile(file, 'utf8');
    await writeFile(file, '');
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
      `${file} is damaged. Restore it from a copy: it contains the password of the database.`,
    );
    await writeFile(file, written);
  });

  test("settings that PostgreSQL refuses, with PostgreSQL's message", async () => {
    const file = join(dataDir, 'postgres', 'postgresql.conf');
    const written = await readFile(file, 'utf8');
    await writeFile(file, `${written}\nmax_connections = many\n`);
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(/max_connections/);
    await writeFile(file, written);
    await withServer(async () => {});
  });
});
