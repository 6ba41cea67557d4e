import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROGRAM } from './find-pgbouncer.ts';
import { freePorts } from './free-ports.ts';
import { isListening } from './listening.ts';
import { until } from './until.ts';

/** PgBouncer refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** PgBouncer in transaction mode in front of a database. */
export interface PgBouncer {
  /** The URL of the database through it. */
  url: string;
  kill(): Promise<void>;
  /** Starts it again at the same URL. */
  start(): Promise<void>;
  /** Kills it and deletes its files. */
  remove(): Promise<void>;
}

/** @param poolSize connections to the database that all clients share */
export async function runPgBouncer(databaseUrl: string, poolSize: number): Promise<PgBouncer> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const [own = 0] = await freePorts(1);
  // Not below TMPDIR, which another account may not be allowed to enter.
  const folder = await mkdtemp('/tmp/pgbouncer-');
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${port || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 100
server_login_retry = 1
`,
  );
  const launch = async (): Promise<ChildProcess> => {
    const started = spawn(PROGRAM, ['--quiet', join(folder, 'pgbouncer.ini')], {
      stdio: 'ignore',
      ...(process.getuid?.() === 0 && NOBODY),
    });
    await until('PgBouncer listens', () => isListening(own));
    return started;
  };
  let child = await launch();
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${own}${pathname}`,
    kill,
    async start() {
      child = await launch();
    },
    async remove() {
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}
