import pg from 'pg';
import { migrationFiles } from '../db/migration-files.ts';
import { BackupRefused } from './backup-refused.ts';
import { listTables } from './table-list.ts';

/** @throws BackupRefused when the backup is of a newer release */
export async function demandKnownMigrations(migrations: readonly string[]): Promise<void> {
  const known = await migrationFiles();
  const unknown = migrations.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new BackupRefused(
    `The backup is of a newer release (it has ${unknown.join(', ')}). Restore it with that one. Nothing was changed.`,
  );
}

/**
 * Empty is a database without tables, or with those that a restore that failed has made, none of them newer than the backup's.
 * @throws BackupRefused
 */
export async function demandEmpty(connectionString: string, migrations: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString, application_name: 'interviews restore' });
  await client.connect();
  try {
    for (const { name } of await listTables(client)) {
      const { rows } = await client.query<{ held: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM ${pg.escapeIdentifier(name)}) AS held`,
      );
      if (rows[0]?.held) throw inUse(`table ${name} has rows`);
    }
    const { rows } = await client.query<{ name: string | null }>(
      "SELECT to_regclass('public.migration')::text AS name",
    );
    if (!rows[0]?.name) return;
    const applied = await client.query<{ name: string }>('SELECT name FROM migration');
    if (applied.rows.some(({ name }) => !migrations.includes(name)))
      throw inUse('it was made by a later release than the backup');
  } finally {
    await client.end();
  }
}

const inUse = (why: string) =>
  new BackupRefused(
    `The database is not empty: ${why}. Restore into an empty DATA_DIR, or set DATABASE_URL to an empty database. Nothing was changed.`,
  );
