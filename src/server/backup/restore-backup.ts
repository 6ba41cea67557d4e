import type pg from 'pg';
import { openClient } from '#server/db/client.ts';
import { FILE_FOLDERS, type FileStore } from '#server/ports/file-store.ts';
import type { ArchiveReader } from './archive-reader.ts';
import { type FileName, hasSegments } from './list-files.ts';
import { type BackupRow, detachIndexes, TableLoader } from './load-tables.ts';
import type { Table } from './manifest.ts';
import { READ_MODEL } from './table-list.ts';
import { continueNumbering } from './table-rows.ts';
import { type VerifiedArchive, verifiedMembers } from './verify-archive.ts';

export interface RestoreTarget {
  /** An empty database, migrated to the version of the backup. */
  connectionString: string;
  /** Null to restore the database alone. */
  files: FileStore | null;
  /** Tables whose rows are not restored. */
  leaveOut: readonly string[];
  /** Called for rows of the other tables. Default: all rows are restored. */
  keeps?: (table: Table, row: BackupRow) => boolean;
  onProgress?: (text: string) => void;
}

/**
 * Restores a verified and authentic backup. The rows are inserted in one transaction, which is
 * committed after all files are written; a failure leaves neither.
 */
export async function restoreBackup(archive: ArchiveReader, verified: VerifiedArchive, target: RestoreTarget) {
  const written: FileName[] = [];
  try {
    await using client = await openClient(target.connectionString, 'restore');
    await client.query('BEGIN');
    const rows = await loadArchive(client, archive, { verified, target, written });
    await client.query('COMMIT');
    return { rows, files: written.length };
  } catch (error) {
    for (const { kind, name } of written) await target.files?.remove(kind, [name]).catch(() => {});
    throw error;
  }
}

interface LoadInput {
  verified: VerifiedArchive;
  target: RestoreTarget;
  written: FileName[];
}

async function loadArchive(
  client: pg.Client,
  archive: ArchiveReader,
  { verified, target, written }: LoadInput,
): Promise<number> {
  const { manifest, checksums } = verified;
  const { files, leaveOut, keeps, onProgress = () => {} } = target;
  const tables = new Map(
    manifest.tables.flatMap((table) => (leaveOut.includes(table.name) ? [] : [[table.name, table]])),
  );
  const attachIndexes = await detachIndexes(client, [...tables.keys(), READ_MODEL]);
  const loader = new TableLoader(client, keeps);
  try {
    for await (const member of verifiedMembers(archive, verified)) {
      const [room, folder = '', name = ''] = member.name.split('/');
      const table = room === 'database' ? tables.get(folder) : undefined;
      onProgress(`Restoring${archive.progress}`);
      if (table) await loader.load(table, await member.text());
      if (room !== 'files' || !files) continue;
      const file: FileName = { kind: folder === FILE_FOLDERS.video ? 'video' : 'thumbnail', name };
      written.push(file);
      await storeFile(files, file, member.chunks());
    }
    const rows = await loader.finish();
    await attachIndexes(onProgress);
    for (const table of tables.values()) await continueNumbering(client, table);
    await clearMissingFiles(client, checksums.missingFiles);
    return rows;
  } catch (error) {
    await loader.abandon();
    throw error;
  }
}

/** Without the name, the file is downloaded again when it is needed. */
export async function clearMissingFiles(client: pg.Client, members: readonly string[]): Promise<void> {
  const names = members.map((member) => member.split('/').at(-1));
  await client.query('UPDATE interview SET video_file = NULL WHERE video_file = ANY($1)', [names]);
  await client.query('UPDATE interview SET thumbnail_file = NULL WHERE thumbnail_file = ANY($1)', [names]);
  if (!(await hasSegments(client))) return;
  await client.query('UPDATE interview_segment SET video_file = NULL WHERE video_file = ANY($1)', [names]);
  await client.query('UPDATE interview_segment SET thumbnail_file = NULL WHERE thumbnail_file = ANY($1)', [names]);
  // Without the joined recording, the answers have no start times.
  await client.query(
    `UPDATE interview_segment SET start_seconds = NULL
     WHERE interview_id IN (SELECT id FROM interview WHERE video_file IS NULL)`,
  );
}

export async function storeFile(
  files: FileStore,
  { kind, name }: FileName,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  const partial = await files.resume(kind, name);
  try {
    // Left by a command that was killed.
    if (partial.size > 0) await partial.truncate();
    for await (const chunk of chunks) await partial.append(chunk);
    await partial.commit();
  } finally {
    await partial.close();
  }
}
