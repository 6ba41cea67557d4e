import pg from 'pg';
import { FILE_FOLDERS, type FileKind, type FileStore } from '../ports/file-store.ts';
import type { ArchiveMember, ArchiveReader } from './archive-reader.ts';
import { continueNumbering, insertStatement, loadPiece } from './load-table.ts';
import type { Table } from './manifest.ts';
import type { Verified } from './verify-archive.ts';

export interface RestoreTarget {
  /** Migrated to the backup's version, and empty. */
  connectionString: string;
  files: FileStore;
  /** Tables whose rows are of no use here. */
  leaveOut: readonly string[];
}

interface StoredName {
  kind: FileKind;
  name: string;
}

/**
 * Loads a verified backup. All rows are one transaction that is committed when every file is in its place; a failure leaves neither.
 * Resolves with what was restored.
 */
export async function restoreBackup(archive: ArchiveReader, verified: Verified, target: RestoreTarget) {
  const client = new pg.Client({ connectionString: target.connectionString, application_name: 'interviews restore' });
  client.on('error', () => {});
  const written: StoredName[] = [];
  try {
    await client.connect();
    await client.query('BEGIN');
    const rows = await load(client, archive, { verified, target, written });
    await client.query('COMMIT');
    return { rows, files: written.length };
  } catch (error) {
    for (const { kind, name } of written) await target.files.remove(kind, [name]).catch(() => {});
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

interface Loading {
  verified: Verified;
  target: RestoreTarget;
  written: StoredName[];
}

async function load(
  client: pg.Client,
  archive: ArchiveReader,
  { verified, target, written }: Loading,
): Promise<number> {
  const { manifest, checksums } = verified;
  const tables = new Map(manifest.tables.map((table) => [table.name, table]));
  const inserts = new Map<string, string>();
  let rows = 0;
  for await (const member of archive.members()) {
    const [room, folder = '', name = ''] = member.name.split('/');
    if (room === 'files') {
      const file: StoredName = { kind: folder === FILE_FOLDERS.video ? 'video' : 'thumbnail', name };
      written.push(file);
      await storeFile(target.files, member, file);
    }
    const table = room === 'database' ? tables.get(folder) : undefined;
    if (!table || target.leaveOut.includes(table.name)) continue;
    const insert = inserts.get(table.name) ?? (await insertStatement(client, table));
    inserts.set(table.name, insert);
    rows += await loadPiece(client, insert, await member.text());
  }
  await finishRows(client, [...tables.values()]);
  await forgetMissing(client, checksums.missingFiles);
  return rows;
}

async function finishRows(client: pg.Client, tables: readonly Table[]): Promise<void> {
  for (const table of tables) await continueNumbering(client, table);
}

/** A file that was removed while the backup was made: it is fetched again when it is needed. */
async function forgetMissing(client: pg.Client, members: readonly string[]): Promise<void> {
  const names = members.map((member) => member.split('/').at(-1));
  await client.query('UPDATE interview SET video_file = NULL WHERE video_file = ANY($1)', [names]);
  await client.query('UPDATE interview SET thumbnail_file = NULL WHERE thumbnail_file = ANY($1)', [names]);
}

async function storeFile(files: FileStore, member: ArchiveMember, { kind, name }: StoredName): Promise<void> {
  const partial = await files.resume(kind, name);
  try {
    // Left by a restore that was killed.
    if (partial.size > 0) await partial.truncate();
    for await (const chunk of member.chunks()) await partial.append(chunk);
    await partial.commit();
  } finally {
    await partial.close();
  }
}
