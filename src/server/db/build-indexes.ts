import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Lets processes build one after the other. Held by the connection. */
const BUILD_LOCK = 7_214_908_332;
const LOCK_POLL_MS = 200;
/**
 * A build waits for older transactions, such as a backup. Readers and writers do not queue
 * behind it, so it waits longer than other migrations.
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
 * meantime (PostgreSQL manual, "Building Indexes Concurrently"). Can be repeated after an
 * interruption at any moment. Returns false when another process has done it.
 */
export async function buildIndexes(client: pg.ClientBase, migration: IndexMigration): Promise<boolean> {
  const indexes = readIndexes(migration.sql);
  return inBuildTurn(client, async () => {
    if (await migration.isApplied()) return false;
    try {
      await client.query(`SET lock_timeout = ${BUILD_LOCK_TIMEOUT_MS}`);
      for (const index of indexes) await build(client, index);
      await migration.record();
      return true;
    } finally {
      await client.query('RESET lock_timeout').catch(() => {});
    }
  });
}

/** Runs what changes tables outside a transaction of ours, in one process at a time. */
export async function inBuildTurn<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await lock(client);
  try {
    return await work();
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [BUILD_LOCK]).catch(() => {});
  }
}

export const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;

async function build(client: pg.ClientBase, { index, statement }: { index: string; statement: string }): Promise<void> {
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

/** Asks repeatedly: a statement that waits for the lock would be waited for by the build. */
async function lock(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [BUILD_LOCK]);
    if (rows[0]?.locked) return;
    await sleep(LOCK_POLL_MS);
  }
}

/** An interrupted build leaves an index that is maintained, but never used. */
async function dropInvalid(client: pg.ClientBase, index: string): Promise<void> {
  const { rows } = await client.query(
    'SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT (indisvalid AND indisready)',
    [index],
  );
  if (rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
}

/** Several statements sent together would be a transaction. */
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
