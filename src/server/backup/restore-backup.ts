import pg from 'pg';
import { FILE_FOLDERS, type FileKind, type FileStore } from '#server/ports/file-store.ts';
import type { ArchiveMember, ArchiveReader } from './archive-reader.ts';
import { hasSegments } from './make-backup.ts';
import { continueNumbering, insertStatement, loadPiece } from './table-rows.ts';
import { type VerifiedArchive, verifiedMembers } from './verify-archive.ts';

export interface RestoreTarget {
  /** An empty database, migrated to the version of the backup. */
  connectionString: string;
  files: FileStore;
  /** Tables whose rows are not restored. */
  leaveOut: readonly string[];
}

interface FileName {
  kind: FileKind;
  name: string;
}

/**
 * Restores a verified and authentic backup. The rows are inserted in one transaction, which is
 * committed after all files are written; a failure leaves neither.
 */
export async function restoreBackup(archive: ArchiveReader, verified: VerifiedArchive, target: RestoreTarget) {
  const client = new pg.Client({ connectionString: target.connectionString, application_name: 'interviews restore' });
  client.on('error', () => {});
  const written: FileName[] = [];
  try {
    await client.connect();
    await client.query('BEGIN');
    const rows = await loadArchive(client, archive, { verified, target, written });
    await client.query('COMMIT');
    return { rows, files: written.length };
  } catch (error) {
    for (const { kind, name } of written) await target.files.remove(kind, [name]).catch(() => {});
    throw error;
  } finally {
    await client.end().catch(() => {});
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
  const tables = new Map(manifest.tables.map((table) => [table.name, table]));
  const inserts = new Map<string, string>();
  let rows = 0;
  for await (const member of verifiedMembers(archive, verified)) {
    const [room, folder = '', name = ''] = member.name.split('/');
    if (room === 'files') {
      const file: FileName = { kind: folder === FILE_FOLDERS.video ? 'video' : 'thumbnail', name };
      written.push(file);
      await storeFile(target.files, member, file);
    }
    const table = room === 'database' ? tables.get(folder) : undefined;
    if (!table || target.leaveOut.includes(table.name)) continue;
    const insert = inserts.get(table.name) ?? (await insertStatement(client, table));
    inserts.set(table.name, insert);
    rows += await loadPiece(client, insert, await member.text());
  }
  for (const table of tables.values()) await continueNumbering(client, table);
  await clearMissingFiles(client, checksums.missingFiles);
  return rows;
}

/** Without the name, the file is downloaded again when it is needed. */
async function clearMissingFiles(client: pg.Client, members: readonly string[]): Promise<void> {
  const names = members.map((member) => member.split('/').at(-1));
  await client.query('UPDATE interview SET video_file = NULL WHERE video_file = ANY($1)', [names]);
  await client.query('UPDATE interview SET thumbnail_file = NULL WHERE thumbnail_file = ANY($1)', [names]);
  if (!(await hasSegments(client))) return;
  await client.query('UPDATE interview_segment SET video_file = NULL WHERE video_file = ANY($1)', [names]);
  await client.query('UPDATE interview_segment SET thumbnail_file = NULL WHERE thumbnail_file = ANY($1)', [names]);
  // Without the joined recording, its answers have no start in it.
  await client.query(
    `UPDATE interview_segment SET start_seconds = NULL
     WHERE interview_id IN (SELECT id FROM interview WHERE video_file IS NULL)`,
  );
}

async function storeFile(files: FileStore, member: ArchiveMember, { kind, name }: FileName): Promise<void> {
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
