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

/** What a small installation gets by far; a slot costs some 20 KB, used or not. */
const FEWEST_CONNECTIONS = 60;
/**
 * Beside the pool of the product: its ear for announcements, the look whether the server is there, three that PostgreSQL keeps for
 * superusers, and commands that run meanwhile, with up to three each.
 */
const CONNECTIONS_BESIDE_POOL = 20;

/** How many connections the server takes, so that a pool of this size can be full and everything else still gets in. */
export const maxConnections = (poolSize: number): number =>
  Math.max(FEWEST_CONNECTIONS, poolSize + CONNECTIONS_BESIDE_POOL);

/** What of the settings differs between servers. */
export interface ServerSettings {
  programsVersion: string;
  maxConnections: number;
}

/** One machine, one application: small when idle, durable always. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // The port with a password is the only door, the same one on every system.
  unix_socket_directories: '',
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
 * this; one from an earlier release, or with room for fewer connections, is restarted.
 */
export function clusterName({ programsVersion, maxConnections }: ServerSettings): string {
  const settings = JSON.stringify({ ...SETTINGS, maxConnections });
  const digest = createHash('sha256').update(programsVersion).update(settings).digest('hex');
  return `interviews-${digest.slice(0, 12)}`;
}

/** The text of the settings file. */
export function renderSettings(port: number, settings: ServerSettings): string {
  const { maxConnections } = settings;
  const all = { ...SETTINGS, max_connections: maxConnections, port, cluster_name: clusterName(settings) };
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'`);
  return ['# Written at every start of the application; edits are lost.', ...lines, ''].join('\n');
}
