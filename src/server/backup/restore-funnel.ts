import { CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import { lockFileRemoval } from '#server/db/advisory-locks.ts';
import type { Executor } from '#server/db/database.ts';
import { CONVERSION_RESET } from '#server/db/step-columns.ts';
import { FILE_FOLDERS, FILE_KINDS, type FileStore } from '#server/ports/file-store.ts';
import type { ArchiveReader } from './archive-reader.ts';
import { type FileName, type FileNames, filesOfArchive, filesOfInterviews } from './list-files.ts';
import { clearMissingFiles, storeFile } from './restore-backup.ts';
import { listTables } from './table-list.ts';
import { dumpTable, insertStatement } from './table-rows.ts';
import { type VerifiedArchive, verifiedMembers } from './verify-archive.ts';

const BATCH = 500;

export interface ScratchInterview {
  id: string;
  candidateEmail: string | null;
  createdAt: Date;
  recordedAt: Date;
}

export interface ScratchFunnel {
  id: number;
  name: string;
  externalId: string;
  sealedKey: Buffer;
  interviews: number;
}

/** One funnel, unless the name matches none or several. */
export async function listScratchFunnels(scratch: pg.Client): Promise<ScratchFunnel[]> {
  const { rows } = await scratch.query<ScratchFunnel>(
    `SELECT id, name, external_id AS "externalId", api_key_encrypted AS "sealedKey",
       (SELECT count(*) FROM interview WHERE funnel_id = funnel.id)::int AS interviews
     FROM funnel ORDER BY id`,
  );
  return rows;
}

export interface LeftOut {
  /** Interviews of candidates who were erased in the meantime. */
  erased: number;
  /** Interviews that another funnel has. */
  existing: number;
  /** Published videos: they were removed with the funnel. */
  publishedVideos: number;
}

/**
 * Deletes from the scratch database what must not come back. `findErased` returns the ids of erased
 * interviews.
 */
export async function leaveOut(
  scratch: pg.Client,
  tx: Executor,
  findErased: (interviews: readonly ScratchInterview[]) => Promise<ReadonlySet<string>>,
): Promise<LeftOut> {
  const counts = { erased: 0, existing: 0 };
  for (let last = ''; ; ) {
    const { rows } = await scratch.query<ScratchInterview>(
      `SELECT id, candidate_email AS "candidateEmail", created_at AS "createdAt", recorded_at AS "recordedAt"
       FROM interview WHERE id > $1 ORDER BY id LIMIT ${BATCH}`,
      [last],
    );
    if (rows.length === 0) break;
    last = rows.at(-1)?.id ?? '';
    const ids = rows.map(({ id }) => id);
    const erased = await findErased(rows);
    const existing = (await tx.selectFrom('interview').select('id').where('id', 'in', ids).execute()).map(
      ({ id }) => id,
    );
    counts.erased += erased.size;
    counts.existing += existing.filter((id) => !erased.has(id)).length;
    await scratch.query('DELETE FROM interview WHERE id = ANY($1)', [[...erased, ...existing]]);
  }
  await deleteUnknownAccounts(scratch, tx);
  return { ...counts, publishedVideos: await clearPublications(scratch) };
}

/** The id may belong to another account now. */
async function deleteUnknownAccounts(scratch: pg.Client, tx: Executor): Promise<void> {
  const { rows } = await sql<{ key: string }>`SELECT id || ' ' || username AS key FROM account`.execute(tx);
  await scratch.query("DELETE FROM account WHERE id || ' ' || username <> ALL($1)", [rows.map(({ key }) => key)]);
}

/** The interviews can be converted again. */
async function clearPublications(scratch: pg.Client): Promise<number> {
  const { rowCount } = await scratch.query(
    `UPDATE interview SET youtube_id = NULL, youtube_url = NULL, youtube_privacy = NULL, youtube_progress = 0, ${CONVERSION_RESET}
     WHERE youtube_id IS NOT NULL`,
  );
  return rowCount ?? 0;
}

/** Copies all rows but accounts into the product's database. Returns their number by table. */
export async function copyRows(scratch: pg.Client, tx: Executor): Promise<Record<string, number>> {
  const active = await tx.selectFrom('funnel').select('id').where('is_active', '=', true).executeTakeFirst();
  if (active) await scratch.query('UPDATE funnel SET is_active = false');
  const counts: Record<string, number> = {};
  await scratch.query('BEGIN READ ONLY');
  for (const table of await listTables(scratch)) {
    if (table.name === 'account') continue;
    const insert = await insertStatement(scratch, table);
    for await (const { bytes, rows } of dumpTable(scratch, table)) {
      const values = `[${bytes.toString().trimEnd().split('\n').join(',')}]`;
      await tx.executeQuery(CompiledQuery.raw(insert, [values]));
      counts[table.name] = (counts[table.name] ?? 0) + rows;
    }
  }
  await scratch.query('COMMIT');
  // Another installation may not have given the number to a funnel yet.
  await sql`SELECT setval(s, greatest(nextval(s), (SELECT max(id) FROM funnel)))
            FROM pg_get_serial_sequence('funnel', 'id') AS s`.execute(tx);
  return counts;
}

interface FilesInput {
  archive: ArchiveReader;
  verified: VerifiedArchive;
  store: FileStore;
}

/**
 * Writes the files that interviews in the scratch database use. Those that neither the backup nor
 * the store has are cleared there, so that a refresh downloads them again. Removals of files wait
 * until `tx` ends. Returns the function that removes what was written.
 */
export async function copyFiles(scratch: pg.Client, tx: Executor, { archive, verified, store }: FilesInput) {
  await lockFileRemoval(tx);
  const wanted = await filesOfInterviews(scratch);
  const missing = await listMissing(wanted, filesOfArchive(verified.checksums), store);
  await clearMissingFiles(scratch, missing);
  const written: FileName[] = [];
  const undo = async () => {
    for (const { kind, name } of written) await store.remove(kind, [name]).catch(() => {});
  };
  try {
    for await (const member of verifiedMembers(archive, verified)) {
      const [room, folder, name = ''] = member.name.split('/');
      const kind = folder === FILE_FOLDERS.video ? 'video' : 'thumbnail';
      if (room !== 'files' || !wanted[kind].has(name)) continue;
      written.push({ kind, name });
      await storeFile(store, { kind, name }, member.chunks());
    }
    return { files: written.length, missing: missing.length, undo };
  } catch (error) {
    await undo();
    throw error;
  }
}

async function listMissing(wanted: FileNames, archived: FileNames, store: FileStore): Promise<string[]> {
  const missing: string[] = [];
  for (const kind of FILE_KINDS)
    for (const name of wanted[kind].difference(archived[kind])) {
      const opened = await store.open(kind, name);
      await opened?.close();
      if (!opened) missing.push(name);
    }
  return missing;
}
