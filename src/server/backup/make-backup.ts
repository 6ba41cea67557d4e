import type pg from 'pg';
import { openClient } from '#server/db/client.ts';
import { whenInterrupted } from '#server/interruption.ts';
import { FILE_FOLDERS, type FileStore, readChunks } from '#server/ports/file-store.ts';
import { keyId } from '#server/secrets/sealer.ts';
import type { ArchiveWriter } from './archive-writer.ts';
import { listFiles } from './list-files.ts';
import { MANIFEST, type Manifest, type Table } from './manifest.ts';
import { formatBytes, shareOf } from './progress.ts';
import { listTables } from './table-list.ts';
import { dumpTable } from './table-rows.ts';

export interface BackupSource {
  connectionString: string;
  /** Null for the database alone. */
  files: FileStore | null;
  productVersion: string;
  /** The encryption keys. The first one signs the backup. */
  keys: readonly [Buffer, ...Buffer[]];
  /** Contents by member name; null to leave the secrets out. */
  secrets: Readonly<Record<string, string>> | null;
  onProgress?: (text: string) => void;
}

export interface BackupResult {
  rows: number;
  files: number;
  missingFiles: number;
  bytes: number;
}

/**
 * Writes the database and its files into an archive. The server may be running: the database is
 * read in one snapshot, and the files in that snapshot never change. A file that is removed in the
 * meantime is listed as missing.
 */
export async function makeBackup(source: BackupSource, archive: ArchiveWriter): Promise<BackupResult> {
  using _settled = whenInterrupted(() => archive.abandon());
  try {
    await using client = await openClient(source.connectionString, 'backup');
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // The texts of values must not depend on settings of the server.
    await client.query(
      "SET LOCAL bytea_output = 'hex'; SET LOCAL datestyle = 'ISO'; SET LOCAL timezone = 'UTC'; SET LOCAL extra_float_digits = 1",
    );
    const rows = await addDatabase(client, archive, source);
    const { files, missingFiles } = await addFiles(client, archive, source);
    for (const [name, secret] of Object.entries(source.secrets ?? {})) await archive.addText(name, secret);
    await archive.finish({ rows, missingFiles }, source.keys[0]);
    const sum = Object.values(rows).reduce((total, count) => total + count, 0);
    return { rows: sum, files, missingFiles: missingFiles.length, bytes: archive.bytes };
  } catch (error) {
    await archive.abandon();
    throw error;
  }
}

async function addDatabase(client: pg.Client, archive: ArchiveWriter, source: BackupSource) {
  const tables = await listTables(client);
  const migrations = await client.query<{ name: string }>('SELECT name FROM migration ORDER BY name');
  const manifest: Manifest = {
    format: 'video-interview-management backup',
    formatVersion: 2,
    productVersion: source.productVersion,
    createdAt: new Date().toISOString(),
    migrations: migrations.rows.map(({ name }) => name),
    tables,
    keyIds: source.keys.map((key) => keyId(key).toString('hex')),
    withSecrets: source.secrets !== null,
    withFiles: source.files !== null,
  };
  await archive.addText(MANIFEST, JSON.stringify(manifest, null, 2));
  const rows: Record<string, number> = {};
  const expected = await estimateRows(client, tables);
  let done = 0;
  for (const table of tables) {
    rows[table.name] = 0;
    let pieces = 0;
    for await (const piece of dumpTable(client, table)) {
      pieces += 1;
      const name = `database/${table.name}/${String(pieces).padStart(6, '0')}.ndjson`;
      await archive.add(name, piece.bytes.length, [piece.bytes]);
      rows[table.name] = (rows[table.name] ?? 0) + piece.rows;
      done += piece.rows;
      source.onProgress?.(`Writing ${done} rows${shareOf(done, expected)}, ${formatBytes(archive.bytes)}`);
    }
  }
  return rows;
}

/** From the statistics of the planner, so that large tables are not counted. */
async function estimateRows(client: pg.Client, tables: readonly Table[]): Promise<number> {
  const { rows } = await client.query<{ sum: number }>(
    `SELECT coalesce(sum(greatest(reltuples, 0)), 0)::float AS sum FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relname = ANY($1)`,
    [tables.map(({ name }) => name)],
  );
  return rows[0]?.sum ?? 0;
}

async function addFiles(client: pg.Client, archive: ArchiveWriter, { files: store, onProgress }: BackupSource) {
  const missingFiles: string[] = [];
  let files = 0;
  if (!store) return { files, missingFiles };
  for await (const { kind, name } of listFiles(client)) {
    const member = `files/${FILE_FOLDERS[kind]}/${name}`;
    const opened = await store.open(kind, name);
    if (!opened) {
      missingFiles.push(member);
      continue;
    }
    try {
      await archive.add(member, opened.file.size, readChunks(opened));
      files += 1;
      onProgress?.(`Writing ${files} files, ${formatBytes(archive.bytes)}`);
    } finally {
      await opened.close();
    }
  }
  return { files, missingFiles };
}
