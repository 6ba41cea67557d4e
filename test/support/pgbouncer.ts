import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { PROGRAM } from './find-pgbouncer.ts';
import { until } from './until.ts';

/** PgBouncer refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/**
 * Starts PgBouncer in transaction mode in front of a database, with few connections, so that
 * clients share them. Returns the address of the database through it. It is stopped when the test
 * ends.
 */
export async function startPgBouncer(databaseUrl: string): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const own = await freePort();
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
default_pool_size = 3
max_client_conn = 100
`,
  );
  const child = spawn(PROGRAM, ['--quiet', join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
    ...(process.getuid?.() === 0 && NOBODY),
  });
  onTestFinished(async () => {
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true });
  });
  await until('PgBouncer listens', () => isListening(own));
  return `postgres://${username}:${password}@127.0.0.1:${own}${pathname}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
