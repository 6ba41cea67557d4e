import { tlsProblemOf } from '#server/ports/tls-problem.ts';

/**
 * Connection errors of Node and of PostgreSQL (class 08 and the shutdown codes of class 57P,
 * appendix A of its manual).
 */
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

/** Whether a query failed because the database is unavailable, and not because of the query. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    DOWN.has(code) ||
    code.startsWith('08') ||
    tlsProblemOf(error) !== null ||
    /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
      error.message,
    )
  );
}

/** For the operator, when the database accepts no more connections. */
export const CROWDED_ADVICE =
  'The database accepts no more connections. Raise max_connections on its server (or the limit of the role), ' +
  'or lower DATABASE_POOL_SIZE: each process opens up to that many connections and two more.';

/** `too_many_connections` (appendix A). */
export const isDatabaseCrowded = (error: unknown): boolean => codeOf(error) === '53300';

/**
 * `serialization_failure` and `deadlock_detected` (appendix A): nothing was written, and a retry
 * succeeds. After a `foreign_key_violation` it reports what was deleted at the same time.
 */
const COLLISIONS = new Set(['40001', '40P01', '23503']);

/** Whether the transaction was rolled back because of a concurrent one. */
export const isCollision = (error: unknown): boolean => COLLISIONS.has(codeOf(error));

/** Why nothing can be written: the disk of the database is full, or another reason. */
export type WriteProblem = 'full' | 'unwritable';

/**
 * `disk_full`, `read_only_sql_transaction` (for example a standby after a failover) and `io_error`
 * (appendix A).
 */
const WRITE_PROBLEMS: Partial<Record<string, WriteProblem>> = {
  '53100': 'full',
  '25006': 'unwritable',
  '58030': 'unwritable',
};

/** Returns why the database is available but could not write; null for any other error. */
export const writeProblemOf = (error: unknown): WriteProblem | null => WRITE_PROBLEMS[codeOf(error)] ?? null;

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
