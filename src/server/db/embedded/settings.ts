import { writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { giveToOwnerOf } from '#server/owner-of-folder.ts';

/** In the cluster's folder; its `postgresql.conf` includes it. */
export const SETTINGS_FILE = 'embedded.conf';

/** Uses 1/32 of the memory, from 64 to 256 MB. More slows down each start (512 MB: 17 ms). */
export const sharedBuffersMb = (memoryBytes: number): number =>
  Math.round(Math.min(256, Math.max(64, memoryBytes / 2 ** 20 / 32)));

/** Memory of the machine or its container. */
const MEMORY_BYTES = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/**
 * At least 60: a connection slot costs only 20 KB. The 20 in addition to the pool are for
 * announcements, health checks, commands, and the three that PostgreSQL reserves for superusers.
 */
export const maxConnections = (poolSize: number): number => Math.max(60, poolSize + 20);

/** For one application on one machine: little memory when idle. Durability is on by default. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // Accept only connections to the port, with a password: this works the same on every system.
  unix_socket_directories: '',
  wal_compression: 'on',
  min_wal_size: '48MB',
  max_wal_size: '512MB',
  checkpoint_timeout: '10min',
  shared_buffers: `${sharedBuffersMb(MEMORY_BYTES)}MB`,
  work_mem: '8MB',
  // No worker processes for reads: the page cache of the system is enough.
  io_method: 'sync',
  huge_pages: 'off',
  // Compiling our queries costs more than it saves.
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  default_text_search_config: 'pg_catalog.simple',
  // Keeps personal data out of the log. The application logs failed statements without values.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

export async function writeSettings(cluster: string, { port, poolSize }: { port: number; poolSize: number }) {
  const file = join(cluster, SETTINGS_FILE);
  const settings = { ...SETTINGS, port, max_connections: maxConnections(poolSize) };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  const text = `# Written at every start of the application. Changes are lost.\n${lines.join('')}`;
  await writeFile(file, text, { mode: 0o600 });
  await giveToOwnerOf(cluster, file);
}
