import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from, to } from 'pg-copy-streams';
import { ArchiveReader } from '#server/backup/archive-reader.ts';
import { ArchiveWriter } from '#server/backup/archive-writer.ts';
import { detachIndexes } from '#server/backup/load-tables.ts';
import { makeBackup } from '#server/backup/make-backup.ts';
import { restoreBackup } from '#server/backup/restore-backup.ts';
import { listTables } from '#server/backup/table-list.ts';
import { verifyArchive } from '#server/backup/verify-archive.ts';
import { migrate } from '#server/db/migrate.ts';
import { temporaryFolder } from '../scripts/steps/workspace.ts';
import { openDatabase, withDatabase } from './database.ts';
import { seededData } from './list/seeded-data.ts';
import { timed } from './measure.ts';
import { type BenchRow, benchRow } from './row.ts';

/** Tables of the list, which a restore rebuilds and `pg_restore` copies. */
const LIST_TABLES = ['listing', 'listing_count', 'listing_day'];
const KEY = Buffer.alloc(32, 7);

/**
 * A backup and a restore of the rows of a million interviews. The baseline is what `pg_dump` and
 * `pg_restore` do: COPY of the same tables without triggers, then their indexes and references.
 */
export async function run(): Promise<BenchRow[]> {
  await using temporary = await temporaryFolder('restore');
  const folder = temporary.path;
  const written = await measureBackups(folder);
  const ours = await withDatabase(join(folder, 'ours'), (url) => measureRestore(url, join(folder, 'backup.tar')));
  const bare = await withDatabase(join(folder, 'bare'), (url) => measureBareRestore(url, folder));
  return [
    benchRow({ name: 'backup of the rows', ours: written.ours, baseline: written.bare, unit: 's', aim: { atMost: 3 } }),
    benchRow({ name: 'restore of the rows', ours, baseline: bare, unit: 's', aim: { atMost: 2 } }),
  ];
}

const seconds = async (work: () => Promise<unknown>) => (await timed(work)) / 1_000;

async function measureBackups(folder: string) {
  await using seeded = await seededData();
  return await withDatabase(seeded.path, async (url) => {
    const source = { connectionString: url, files: null, productVersion: 'bench', keys: [KEY] as const, secrets: null };
    const path = join(folder, 'backup.tar');
    const ours = await seconds(async () => makeBackup(source, await ArchiveWriter.create(path, null)));
    const bare = await seconds(async () => {
      await using client = await openDatabase(url);
      for (const [name, columns] of await listCopied(client))
        await pipeline(client.query(to(`COPY ${name} (${columns}) TO STDOUT`)), createWriteStream(join(folder, name)));
    });
    return { ours, bare };
  });
}

/** Includes the verification of the file, which reads it once more. */
async function measureRestore(url: string, path: string): Promise<number> {
  return seconds(async () => {
    await migrate(url);
    await using archive = await ArchiveReader.open(path);
    const verified = await verifyArchive(archive);
    await restoreBackup(archive, verified, { connectionString: url, files: null, leaveOut: [] });
  });
}

async function measureBareRestore(url: string, folder: string): Promise<number> {
  return seconds(async () => {
    await migrate(url);
    await using client = await openDatabase(url);
    await client.query('BEGIN; SET LOCAL session_replication_role = replica');
    const tables = await listCopied(client);
    const attachIndexes = await detachIndexes(client, [...tables.keys()]);
    for (const [name, columns] of tables)
      await pipeline(createReadStream(join(folder, name)), client.query(from(`COPY ${name} (${columns}) FROM STDIN`)));
    await attachIndexes(() => {});
    await client.query('COMMIT');
  });
}

/** The columns of each table, as SQL. */
async function listCopied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; columns: string }>(
    `SELECT attrelid::regclass::text AS name, string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
     FROM pg_attribute WHERE attrelid = ANY($1::regclass[]) AND attnum > 0 AND NOT attisdropped AND attgenerated = '' GROUP BY attrelid`,
    [[...(await listTables(client)).map(({ name }) => name), ...LIST_TABLES]],
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}
