import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

const MIGRATIONS = new URL('./migrations/', import.meta.url);

/** The names of all migrations, in their order. */
export const migrationFiles = async (): Promise<string[]> =>
  (await readdir(MIGRATIONS)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();

export interface MigrationText {
  sql: string;
  /** SHA-256 of the text, whatever a checkout has made of its line ends. */
  checksum: string;
}

export async function readMigration(name: string): Promise<MigrationText> {
  const sql = (await readFile(new URL(name, MIGRATIONS), 'utf8')).replaceAll('\r\n', '\n');
  return { sql, checksum: createHash('sha256').update(sql).digest('hex') };
}
