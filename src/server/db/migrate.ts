import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

const MIGRATIONS = new URL('./migrations/', import.meta.url);

/** The database cannot be migrated. The message contains the reason. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** Lets processes that start together migrate one after the other. */
const MIGRATION_LOCK = 7_214_908_331;

/**
 * Applies the migrations that the database is missing, in order, each in its own transaction, and
 * returns their names. With `upTo`, stops after that migration.
 * @throws MigrationError when the database is newer than this program, an applied migration was
 * changed, or a migration fails; the database is then as it was before that migration
 */
export async function migrate(connectionString: string, { upTo }: { upTo?: string } = {}): Promise<string[]> {
  const client = new pg.Client({ connectionString, application_name: 'interviews migration' });
  await client.connect();
  try {
    return await migrateOnConnection(client, { upTo });
  } finally {
    await client.end();
  }
}

/**
 * `migrate` on an open connection, with more work before other processes may migrate. Close the
 * connection after an error: it may still hold the lock.
 */
export async function migrateOnConnection(
  client: pg.ClientBase,
  { upTo, afterwards = async () => {} }: { upTo?: string | undefined; afterwards?: () => Promise<void> } = {},
): Promise<string[]> {
  await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  const applied = await applyMissing(client, upTo);
  await afterwards();
  await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  return applied;
}

/** Returns the names of the migrations that the database is missing. */
export async function missingMigrations(db: pg.Client | pg.Pool): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('SELECT name FROM migration');
  const applied = new Set(rows.map(({ name }) => name));
  return (await migrationFiles()).filter((name) => !applied.has(name));
}

interface AppliedMigration {
  name: string;
  /** Null when an early release applied it, which stored no checksums. */
  checksum: string | null;
}

async function applyMissing(client: pg.ClientBase, upTo?: string): Promise<string[]> {
  const applied = await readApplied(client);
  const files = await migrationFiles();
  const unknown = applied.filter(({ name }) => !files.includes(name)).map(({ name }) => name);
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database is newer than this program (it has ${unknown.join(', ')}). Start the newer version.`,
    );
  }
  // In parallel: reading them one by one takes longer than the query.
  const texts = await Promise.all(
    applied.map(async (one) => ({ ...one, is: (await readMigration(one.name)).checksum })),
  );
  for (const text of texts) await checkUnchanged(client, text);
  const there = new Set(applied.map(({ name }) => name));
  const missing = files.filter((name) => !there.has(name) && (upTo === undefined || name <= upTo));
  for (const name of missing) await apply(client, name);
  return missing;
}

async function readApplied(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<{ columns: number }>(
    "SELECT count(*)::int AS columns FROM pg_attribute WHERE attrelid = to_regclass('migration') AND attname IN ('name', 'checksum')",
  );
  // `IF NOT EXISTS` would wait for the locks of a running backup, even when nothing is missing.
  const columns = rows[0]?.columns ?? 0;
  if (columns === 0) {
    await client.query(
      'CREATE TABLE migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now(), checksum text)',
    );
  } else if (columns === 1) await client.query('ALTER TABLE migration ADD COLUMN checksum text');
  return (await client.query<AppliedMigration>('SELECT name, checksum FROM migration ORDER BY name')).rows;
}

/**
 * Throws when the file of an applied migration was changed, because the database lacks that change.
 */
async function checkUnchanged(
  client: pg.ClientBase,
  { name, checksum, is }: AppliedMigration & { is: string },
): Promise<void> {
  if (checksum === null) await client.query('UPDATE migration SET checksum = $2 WHERE name = $1', [name, is]);
  else if (checksum !== is) {
    throw new MigrationError(
      `Migration ${name} was changed after it was applied to this database. Restore the file, and make the change in a new migration.`,
    );
  }
}

async function apply(client: pg.ClientBase, name: string): Promise<void> {
  const { sql, checksum } = await readMigration(name);
  try {
    await client.query('BEGIN');
    await client.query(sql);
    await client.query('INSERT INTO migration (name, checksum) VALUES ($1, $2)', [name, checksum]);
    await client.query('COMMIT');
  } catch (cause) {
    await client.query('ROLLBACK');
    throw new MigrationError(`Migration ${name} failed: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** The names of all migrations, in order. */
export const migrationFiles = async (): Promise<string[]> =>
  (await readdir(MIGRATIONS)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();

/** The checksum is the SHA-256 of the text with Unix line ends, as a checkout may change them. */
export async function readMigration(name: string): Promise<{ sql: string; checksum: string }> {
  const sql = (await readFile(new URL(name, MIGRATIONS), 'utf8')).replaceAll('\r\n', '\n');
  return { sql, checksum: createHash('sha256').update(sql).digest('hex') };
}
