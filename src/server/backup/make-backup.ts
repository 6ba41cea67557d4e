import pg from 'pg';
import { whenInterrupted } from '#server/interruption.ts';
import { FILE_FOLDERS, type FileKind, type FileStore, readChunks } from '#server/ports/file-store.ts';
import { keyId } from '#server/secrets/sealer.ts';
import type { Transformation } from './age.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { MANIFEST, type Manifest } from './manifest.ts';
import { listTables } from './table-list.ts';
import { dumpTable } from './table-rows.ts';

export interface BackupSource {
  connectionString: string;
  files: FileStore;
  productVersion: string;
  /** The encryption keys. The first one signs the backup. */
  keys: readonly [Buffer, ...Buffer[]];
  /** Contents by member name; null to leave the secrets out. */
  secrets: Readonly<Record<string, string>> | null;
  /** Null to write plain text. */
  encrypt: Transformation | null;
}

export interface BackupResult {
  rows: number;
  files: number;
  missingFiles: number;
  bytes: number;
}

/**
 * Writes the database and its files into one file. The server may be running: the database is read
 * in one snapshot, and the files in that snapshot never change. A file that is removed in the
 * meantime is listed as missing.
 */
export async function makeBackup(source: BackupSource, path: string): Promise<BackupResult> {
  const archive = await ArchiveWriter.create(path, source.encrypt);
  const settled = whenInterrupted(() => archive.abandon());
  const client = new pg.Client({ connectionString: source.connectionString, application_name: 'interviews backup' });
  // A lost connection fails the running query. The event must not end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    // The texts of values must not depend on settings of the server.
    await client.query(
      "SET bytea_output = 'hex'; SET datestyle = 'ISO'; SET timezone = 'UTC'; SET extra_float_digits = 1",
    );
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const rows = await addDatabase(client, archive, source);
    const { files, missingFiles } = await addFiles(client, archive, source.files);
    for (const [name, secret] of Object.entries(source.secrets ?? {})) await archive.addText(name, secret);
    await archive.finish({ rows, missingFiles }, source.keys[0]);
    const sum = Object.values(rows).reduce((total, count) => total + count, 0);
    return { rows: sum, files, missingFiles: missingFiles.length, bytes: archive.bytes };
  } catch (error) {
    await archive.abandon();
    throw error;
  } finally {
    settled();
    await client.end().catch(() => {});
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
  };
  await archive.addText(MANIFEST, JSON.stringify(manifest, null, 2));
  const rows: Record<string, number> = {};
  for (const table of tables) {
    rows[table.name] = 0;
    let pieces = 0;
    for await (const piece of dumpTable(client, table)) {
      pieces += 1;
      const name = `database/${table.name}/${String(pieces).padStart(6, '0')}.ndjson`;
      await archive.add(name, piece.bytes.length, [piece.bytes]);
      rows[table.name] = (rows[table.name] ?? 0) + piece.rows;
    }
  }
  return rows;
}

async function addFiles(client: pg.Client, archive: ArchiveWriter, store: FileStore) {
  const missingFiles: string[] = [];
  let files = 0;
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
    } finally {
      await opened.close();
    }
  }
  return { files, missingFiles };
}

/** Yields the files that interviews use. The client is in a transaction. */
export async function* listFiles(client: pg.Client): AsyncGenerator<{ kind: FileKind; name: string }> {
  await client.query(
    `DECLARE files NO SCROLL CURSOR FOR
     SELECT DISTINCT 'video' AS kind, video_file AS name FROM interview WHERE video_file IS NOT NULL
     UNION SELECT 'thumbnail', thumbnail_file FROM interview WHERE thumbnail_file IS NOT NULL
     ${(await hasSegments(client)) ? SEGMENT_FILES : ''}`,
  );
  for (;;) {
    const { rows } = await client.query<{ kind: FileKind; name: string }>('FETCH 500 FROM files');
    if (rows.length === 0) return;
    yield* rows;
  }
}

const SEGMENT_FILES = `UNION SELECT 'video', video_file FROM interview_segment WHERE video_file IS NOT NULL
  UNION SELECT 'thumbnail', thumbnail_file FROM interview_segment WHERE thumbnail_file IS NOT NULL`;

/** False for a database of a release before 0021_sources.sql. */
export async function hasSegments(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("SELECT to_regclass('interview_segment') IS NOT NULL AS has");
  return rows[0]?.has === true;
}
