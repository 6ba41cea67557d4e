import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { buildIndexes, isLockTimeout } from './build-indexes.ts';
import { openClient } from './client.ts';
import { checksumOf, isSameChecksum } from './migration-checksum.ts';
import { type MigrationProgress, withProgress } from './migration-progress.ts';

const MIGRATIONS = new URL('./migrations/', import.meta.url);

/** The database cannot be migrated. The message contains the reason. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** An SQLSTATE. */
const INSUFFICIENT_PRIVILEGE = '42501';
/** Lets processes migrate one after the other. Held until the transaction ends. */
const MIGRATION_LOCK = 7_214_908_331;
/**
 * A migration that waits for a table makes every later query of that table wait as well, so it
 * gives up soon and tries again.
 */
const LOCK_TIMEOUT_MS = 500;
const LOCK_TRIES = 120;
const RETRY_DELAY_MS = 500;

export interface MigrateOptions {
  /** Stops after this migration. */
  upTo?: string | undefined;
  /** Default: the migrations of this release. */
  folder?: URL;
  /** Default: nothing is reported. */
  progress?: MigrationProgress | undefined;
}

/**
 * Applies the migrations that the database is missing, in order, and returns their names. Each runs
 * in its own transaction, except those that build indexes of big tables.
 * @throws MigrationError when the database is too new for this program, an applied migration was
 * changed, or a migration fails; the database is then as it was before that migration
 */
export async function migrate(connectionString: string, options: MigrateOptions = {}): Promise<string[]> {
  await using client = await openClient(connectionString, 'migration');
  return await migrateOnConnection(client, options);
}

/** `migrate` on an open connection. */
export async function migrateOnConnection(
  client: pg.ClientBase,
  { upTo, folder = MIGRATIONS, progress }: MigrateOptions = {},
): Promise<string[]> {
  const files = await migrationFiles(folder);
  const rows = await inTurn(client, async () => {
    await prepareTable(client);
    return readApplied(client);
  });
  demandKnown(rows, files);
  const known = rows.filter(({ name }) => files.includes(name));
  await checkUnchanged(client, known, folder);
  const present = new Set(rows.map(({ name }) => name));
  const applied: string[] = [];
  for (const name of files.filter((file) => !present.has(file) && (upTo === undefined || file <= upTo)))
    if (await withProgress({ client, name }, progress, () => apply(client, name, folder))) applied.push(name);
  return applied;
}

/**
 * Runs `work` in a transaction that only one process of this database is in. Repeats it while it
 * waits too long for a lock.
 */
export async function inTurn<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      const result = await work();
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      if (!isLockTimeout(error) || tries === LOCK_TRIES) throw error;
      await sleep(RETRY_DELAY_MS);
    }
  }
}

/** Returns the names of the migrations that the database is missing. */
export async function missingMigrations(db: pg.Client | pg.Pool): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('SELECT name FROM migration');
  const applied = new Set(rows.map(({ name }) => name));
  return (await migrationFiles()).filter((name) => !applied.has(name));
}

/** @throws MigrationError unless this program can work with the database as it is */
export async function demandMigrated(db: pg.Pool): Promise<void> {
  const found = await db.query<{ name: string | null }>("SELECT to_regclass('migration')::text AS name");
  const applied = found.rows[0]?.name ? await readApplied(db).catch(demandRights) : [];
  const files = await migrationFiles();
  demandKnown(applied, files);
  const missing = files.filter((file) => applied.every(({ name }) => name !== file));
  if (missing.length === 0) return;
  throw new MigrationError(
    `The database is from an earlier release (it lacks ${missing.join(', ')}). Run npm run migrate, or set MIGRATE=auto.`,
  );
}

/** An upgrade grants the account of the application its rights when all migrations are applied. */
function demandRights(error: unknown): never {
  if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE) throw error;
  throw new MigrationError(
    'The database is not ready for this release: the account that serves requests has no rights in it yet. Run npm run migrate, or set MIGRATE=auto.',
    { cause: error },
  );
}

interface AppliedMigration {
  name: string;
  /** Null when an early release applied it, which stored no checksums. */
  checksum: string | null;
  /** Releases that include the migration of this name work with this one. Null if unknown. */
  works_since: string | null;
}

/** @throws MigrationError for a migration of a newer release that does not work with this one */
function demandKnown(applied: readonly AppliedMigration[], files: readonly string[]): void {
  const isAccepted = ({ name, works_since }: AppliedMigration) =>
    files.includes(name) || (works_since !== null && files.includes(works_since));
  const unknown = applied.filter((one) => !isAccepted(one)).map(({ name }) => name);
  if (unknown.length === 0) return;
  throw new MigrationError(
    `The database is newer than this program (it has ${unknown.join(', ')}). Start the newer version.`,
  );
}

/** Does not touch a current table: `IF NOT EXISTS` would wait for the locks of a running backup. */
async function prepareTable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass('migration') AND attnum > 0",
  );
  const columns = new Set(rows.map(({ name }) => name));
  if (columns.size === 0)
    await client.query(
      'CREATE TABLE migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now(), checksum text, works_since text)',
    );
  else
    for (const column of ['checksum', 'works_since'])
      if (!columns.has(column)) await client.query(`ALTER TABLE migration ADD COLUMN ${column} text`);
}

/** Early releases created the table without the last columns. */
async function readApplied(db: pg.ClientBase | pg.Pool): Promise<AppliedMigration[]> {
  const { rows } = await db.query<{ row: AppliedMigration }>(
    'SELECT to_jsonb(migration) AS row FROM migration ORDER BY name',
  );
  return rows.map(({ row: { name, checksum = null, works_since = null } }) => ({ name, checksum, works_since }));
}

/**
 * @throws MigrationError when the file of an applied migration was changed, because the database
 * lacks that change
 */
async function checkUnchanged(client: pg.ClientBase, applied: readonly AppliedMigration[], folder: URL): Promise<void> {
  // In parallel: reading them one by one takes longer than the query.
  const files = await Promise.all(
    applied.map(async (one) => ({ ...one, current: (await readMigration(one.name, folder)).checksum })),
  );
  for (const { name, checksum, current } of files) {
    if (checksum === null) await client.query('UPDATE migration SET checksum = $2 WHERE name = $1', [name, current]);
    else if (!isSameChecksum(checksum, current)) {
      throw new MigrationError(
        `Migration ${name} was changed after it was applied to this database. Restore the file, and make the change in a new migration.`,
      );
    }
  }
}

/** Returns false when another process has applied it in the meantime. */
async function apply(client: pg.ClientBase, name: string, folder: URL): Promise<boolean> {
  const { sql, checksum, worksSince, isOutsideTransaction } = await readMigration(name, folder);
  const isApplied = async () => (await client.query('SELECT 1 FROM migration WHERE name = $1', [name])).rows.length > 0;
  const record = async () => {
    const insert = 'INSERT INTO migration (name, checksum, works_since) VALUES ($1, $2, $3)';
    await client.query(insert, [name, checksum, worksSince]);
  };
  try {
    if (isOutsideTransaction) return await buildIndexes(client, { sql, isApplied, record });
    return await inTurn(client, async () => {
      if (await isApplied()) return false;
      await client.query(sql);
      await record();
      return true;
    });
  } catch (cause) {
    const reason = isLockTimeout(cause)
      ? 'a table was in use for too long. End long queries and backups, and migrate again'
      : cause instanceof Error
        ? cause.message
        : cause;
    throw new MigrationError(`Migration ${name} failed: ${reason}`, { cause });
  }
}

/** The names of all migrations, in order. */
export const migrationFiles = async (folder = MIGRATIONS): Promise<string[]> =>
  (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();

interface MigrationFile {
  sql: string;
  checksum: string;
  /**
   * From a line at its head, `-- Works since 0019_bulk_runs.sql`: releases with that migration or a
   * newer one work with this migration too. Null without such a line.
   */
  worksSince: string | null;
  /** From a line at its head, `-- Outside a transaction`: it builds indexes of big tables. */
  isOutsideTransaction: boolean;
}

export async function readMigration(name: string, folder = MIGRATIONS): Promise<MigrationFile> {
  const sql = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n');
  const [head = ''] = /^(?:-- .*\n)*/.exec(sql) ?? [];
  return {
    sql,
    checksum: checksumOf(sql),
    worksSince: /^-- Works since (\d{4}_\w+\.sql)$/m.exec(head)?.[1] ?? null,
    isOutsideTransaction: /^-- Outside a transaction$/m.test(head),
  };
}
