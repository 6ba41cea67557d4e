/** Connection-level codes of Node and of PostgreSQL (class 08 and the shutdown codes of class 57P, appendix A of its manual). */
const DOWN = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57P01',
  '57P02',
  '57P03',
]);

/** True when a query failed because the database is not there, not because of the query. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    DOWN.has(code) ||
    code.startsWith('08') ||
    /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
      error.message,
    )
  );
}

/** What whoever runs the product can do about a database that takes no further connection. */
export const CROWDED_ADVICE =
  'The database takes no more connections. Raise max_connections of its server (or the limit of the role), ' +
  'or lower DATABASE_POOL_SIZE: each process holds up to that many, and two more.';

/** True when the database is there and takes no further connection: `too_many_connections` (appendix A). */
export const isDatabaseCrowded = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '53300';

/** `serialization_failure` and `deadlock_detected` (appendix A): nothing was written, and the same again succeeds. */
const COLLIDED = new Set(['40001', '40P01']);

/** True when two changed the same at the same moment, and this one was taken back. */
export const isCollision = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && COLLIDED.has(String(error.code));

/** Why nothing can be written, though the database is there: its disk is full, or something else. */
type WriteTrouble = 'full' | 'unwritable';

/**
 * `disk_full`; `read_only_sql_transaction`, as of a server that a failover has made a standby, and `io_error` of a disk in trouble
 * (appendix A).
 */
const WRITE_TROUBLES: Partial<Record<string, WriteTrouble>> = {
  '53100': 'full',
  '25006': 'unwritable',
  '58030': 'unwritable',
};

/** Why the database, which is there, could not write; null for any other error. */
export const writeTrouble = (error: unknown): WriteTrouble | null =>
  error instanceof Error && 'code' in error ? (WRITE_TROUBLES[String(error.code)] ?? null) : null;
