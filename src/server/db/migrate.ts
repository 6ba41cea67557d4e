import pg from 'pg';
import { migrationFiles, readMigration } from './migration-files.ts';

/** The database cannot be brought to this release; the message says why. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** Any number will do, as long as it is always the same: processes that start together migrate one after the other. */
const LOCK = 7_214_908_331;

/**
 * Brings the database to the newest version: every numbered SQL file that it has not seen runs once, in order, each in its own
 * transaction. With `upTo`, none that comes after that one.
 * @throws MigrationError when the database is newer than this program, or was made by a file that was changed since, or a file fails; the database is then as it was before that file.
 */
export async function migrate(connectionString: string, { upTo }: { upTo?: string } = {}): Promise<string[]> {
  const client = new pg.Client({ connectionString, application_name: 'interviews migration' });
  await client.connect();
  try {
    return await migrateOver(client, upTo);
  } finally {
    await client.end();
  }
}

/** `migrate` over a connection that is there already; after an error it is of no further use. */
export async function migrateOver(client: pg.ClientBase, upTo?: string): Promise<string[]> {
  await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
  const applied = await applyMissing(client, upTo);
  await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
  return applied;
}

/** The migrations that the database has not seen; for programs that leave migrating to the product. */
export async function missingMigrations(db: pg.Client | pg.Pool): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('SELECT name FROM migration');
  const applied = new Set(rows.map(({ name }) => name));
  return (await migrationFiles()).filter((name) => !applied.has(name));
}

interface Applied {
  name: string;
  /** Null for one that was applied by a release that did not note it. */
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
  // Read together: one after the other they would cost more than asking the database.
  const texts = await Promise.all(
    applied.map(async (one) => ({ ...one, is: (await readMigration(one.name)).checksum })),
  );
  for (const text of texts) await compare(client, text);
  const there = new Set(applied.map(({ name }) => name));
  const missing = files.filter((name) => !there.has(name) && (upTo === undefined || name <= upTo));
  for (const name of missing) await apply(client, name);
  return missing;
}

async function readApplied(client: pg.ClientBase): Promise<Applied[]> {
  const { rows } = await client.query<{ columns: number }>(
    "SELECT count(*)::int AS columns FROM pg_attribute WHERE attrelid = to_regclass('migration') AND attname IN ('name', 'checksum')",
  );
  // Only what is missing: creating or altering, even for nothing, would wait for a backup that is reading.
  const columns = rows[0]?.columns ?? 0;
  if (columns === 0) {
    await client.query(
      'CREATE TABLE migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now(), checksum text)',
    );
  } else if (columns === 1) await client.query('ALTER TABLE migration ADD COLUMN checksum text');
  return (await client.query<Applied>('SELECT name, checksum FROM migration ORDER BY name')).rows;
}

/** A migration that was changed after it ran has not done here what it says: nobody knows what this database looks like. */
async function compare(client: pg.ClientBase, { name, checksum, is }: Applied & { is: string }): Promise<void> {
  if (checksum === null) await client.query('UPDATE migration SET checksum = $2 WHERE name = $1', [name, is]);
  else if (checksum !== is) {
    throw new MigrationError(
      `Migration ${name} is not the one that made this database: it was changed since. Put it back as it was, and make the change in a new migration.`,
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
