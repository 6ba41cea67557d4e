import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** The session-level advisory lock for building. */
const BUILD_LOCK = 7_214_908_332;
const LOCK_POLL_MS = 200;
/**
 * A build waits for older transactions, such as a backup. Readers and writers do not queue behind
 * it, so it may wait longer than other migrations.
 */
const BUILD_LOCK_TIMEOUT_MS = 60_000;
const BUILD_TRIES = 3;
/** `lock_not_available` (appendix A of the PostgreSQL manual). */
const LOCK_NOT_AVAILABLE = '55P03';

const STATEMENT = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (\w+) ON \w+\b/;

interface IndexMigration {
  sql: string;
  isApplied(): Promise<boolean>;
  record(): Promise<void>;
}

/**
 * Builds the indexes of a migration outside a transaction, so that rows can be written in the
 * meantime (PostgreSQL manual, "Building Indexes Concurrently"). May be interrupted at any moment
 * and repeated. Returns false when another process has built them.
 */
export async function buildIndexes(client: pg.ClientBase, migration: IndexMigration): Promise<boolean> {
  const indexes = readIndexes(migration.sql);
  return withBuildLock(client, async () => {
    if (await migration.isApplied()) return false;
    try {
      await client.query(`SET lock_timeout = ${BUILD_LOCK_TIMEOUT_MS}`);
      for (const index of indexes) await buildIndex(client, index);
      await migration.record();
      return true;
    } finally {
      await client.query('RESET lock_timeout').catch(() => {});
    }
  });
}

/** Runs `work`, which changes tables outside a transaction, in one process at a time. */
export async function withBuildLock<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await acquireBuildLock(client);
  try {
    return await work();
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [BUILD_LOCK]).catch(() => {});
  }
}

export const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;

async function buildIndex(
  client: pg.ClientBase,
  { index, statement }: { index: string; statement: string },
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await dropInvalid(client, index);
      await client.query(statement);
      return;
    } catch (error) {
      if (!isLockTimeout(error) || tries === BUILD_TRIES) throw error;
    }
  }
}

/** Polls, because a build would wait for a statement that waits for the lock. */
async function acquireBuildLock(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [BUILD_LOCK]);
    if (rows[0]?.locked) return;
    await sleep(LOCK_POLL_MS);
  }
}

/** An interrupted build leaves an index that PostgreSQL maintains but never uses. */
async function dropInvalid(client: pg.ClientBase, index: string): Promise<void> {
  const { rows } = await client.query(
    'SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT (indisvalid AND indisready)',
    [index],
  );
  if (rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
}

/** Statements are sent one by one, because several sent together would be a transaction. */
function readIndexes(sql: string) {
  const statements = sql.replaceAll(/^--.*$/gm, '').split(';');
  return statements.flatMap((text) => {
    const statement = text.trim();
    if (statement === '') return [];
    const [, index] = STATEMENT.exec(statement) ?? [];
    if (index === undefined)
      throw new Error(`outside a transaction, each statement must begin with ${STATEMENT.source}: ${statement}`);
    return [{ index, statement }];
  });
}
