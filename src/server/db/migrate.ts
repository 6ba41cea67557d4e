import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

const MIGRATIONS = new URL('./migrations/', import.meta.url);
/** Any number will do, as long as it is always the same: processes that start together migrate one after the other. */
const LOCK = 7_214_908_331;

/**
 * Brings the database to the newest version: every numbered SQL file that it has not seen runs once, in order, each in its own
 * transaction. With `upTo`, none that comes after that one.
 * @throws Error when the database is newer than this program, or a file fails; the database is then as it was before that file.
 */
export async function migrate(connectionString: string, { upTo }: { upTo?: string } = {}): Promise<string[]> {
  const client = new pg.Client({ connectionString, application_name: 'interviews migration' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    return await applyMissing(client, upTo);
  } finally {
    await client.end();
  }
}

/** The migrations that the database has not seen; for programs that leave migrating to the product. */
export async function missingMigrations(db: pg.Client | pg.Pool): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('SELECT name FROM migration');
  const applied = new Set(rows.map(({ name }) => name));
  return (await migrationFiles()).filter((name) => !applied.has(name));
}

export const migrationFiles = async () =>
  (await readdir(MIGRATIONS)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();

async function applyMissing(client: pg.Client, upTo?: string): Promise<string[]> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migration ORDER BY name');
  const applied = new Set(rows.map((row) => row.name));
  const files = await migrationFiles();

  const unknown = [...applied].filter((name) => !files.includes(name));
  if (unknown.length > 0) {
    throw new Error(`The database is newer than this program (it has ${unknown.join(', ')}). Start the newer version.`);
  }
  const missing = files.filter((name) => !applied.has(name) && (upTo === undefined || name <= upTo));
  for (const name of missing) await apply(client, name);
  return missing;
}

async function apply(client: pg.Client, name: string): Promise<void> {
  const sql = await readFile(new URL(name, MIGRATIONS), 'utf8');
  try {
    await client.query('BEGIN');
    await client.query(sql);
    await client.query('INSERT INTO migration (name) VALUES ($1)', [name]);
    await client.query('COMMIT');
  } catch (cause) {
    await client.query('ROLLBACK');
    throw new Error(`Migration ${name} failed: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
