import pg from 'pg';
import { openClient } from '#server/db/client.ts';
import { migrationFiles } from '#server/db/migrate.ts';
import { BackupError } from './manifest.ts';
import { listTables } from './table-list.ts';

/** @throws BackupError when the backup is from a newer release */
export async function demandKnownMigrations(migrations: readonly string[]): Promise<void> {
  const known = await migrationFiles();
  const unknown = migrations.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new BackupError(
    `The backup is from a newer release (it has ${unknown.join(', ')}). Restore it with that release. Nothing was changed.`,
  );
}

/**
 * Accepts a database without tables, or with the empty tables of a failed restore.
 * @throws BackupError when a table has rows, or a migration is newer than the backup
 */
export async function demandEmpty(connectionString: string, migrations: readonly string[]): Promise<void> {
  await using client = await openClient(connectionString, 'restore');
  for (const { name } of await listTables(client)) {
    const { rows } = await client.query<{ isUsed: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM ${pg.escapeIdentifier(name)}) AS "isUsed"`,
    );
    if (rows[0]?.isUsed) throw notEmpty(`table ${name} has rows`);
  }
  const { rows } = await client.query<{ name: string | null }>("SELECT to_regclass('public.migration')::text AS name");
  if (!rows[0]?.name) return;
  const applied = await client.query<{ name: string }>('SELECT name FROM migration');
  if (applied.rows.some(({ name }) => !migrations.includes(name)))
    throw notEmpty('its tables are from a newer release than the backup');
}

const notEmpty = (why: string) =>
  new BackupError(
    `The database is not empty: ${why}. Restore into an empty DATA_DIR, or set DATABASE_URL to an empty database. Nothing was changed.`,
  );
