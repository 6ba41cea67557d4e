import { createHash } from 'node:crypto';
import { totalmem } from 'node:os';

/** The file inside the cluster that carries our settings; its `postgresql.conf` includes it. */
export const SETTINGS_FILE = 'embedded.conf';

const MEGABYTE = 2 ** 20;

/**
 * What the database keeps of itself in memory: a page that is nowhere else costs a read from the disk, and a list far back reads thirty.
 * A thirty-second of the memory there is, from 64 MB to 256 MB; what is not used is not taken, but each start
 * prepares for all of it (512 MB took 17 ms).
 */
export function sharedBuffersMb(memoryBytes: number): number {
  return Math.round(Math.min(256, Math.max(64, memoryBytes / MEGABYTE / 32)));
}

/** Of the machine, or of its container. */
const memoryBytes = () => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/** One machine, one application: small when idle, durable always. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // The port with a password is the only door, the same one on every system.
  unix_socket_directories: '',
  max_connections: '60',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_compression: 'on',
  min_wal_size: '48MB',
  max_wal_size: '512MB',
  checkpoint_timeout: '10min',
  shared_buffers: `${sharedBuffersMb(memoryBytes())}MB`,
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  // No process of its own for reads: the machine's page cache does that work here.
  io_method: 'sync',
  huge_pages: 'off',
  // Compiling a query costs more than it saves on ours.
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  default_text_search_config: 'pg_catalog.simple',
  password_encryption: 'scram-sha-256',
  // The log may hold no personal data: the application reports failed statements itself, with what it may say.
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
} as const;

/**
 * Names what the server runs with. A server left behind by a killed process is taken over only when its `cluster_name` equals
 * this; one from an earlier release is restarted.
 */
export function clusterName(programsVersion: string): string {
  const digest = createHash('sha256').update(programsVersion).update(JSON.stringify(SETTINGS)).digest('hex');
  return `interviews-${digest.slice(0, 12)}`;
}

/** The text of the settings file. */
export function renderSettings({ port, programsVersion }: { port: number; programsVersion: string }): string {
  const all = { ...SETTINGS, port: String(port), cluster_name: clusterName(programsVersion) };
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'`);
  return ['# Written at every start of the application; edits are lost.', ...lines, ''].join('\n');
}
