import { type Insertable, type Selectable, sql } from 'kysely';
import type { UploadState } from '#contracts/uploads.ts';
import { anyOf, type Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';
import { lostAttempts, type ReleaseColumns } from '#server/runs/run.ts';

export type UploadRow = Omit<Selectable<DB['upload']>, 'state'> & { state: UploadState };

/** An upload of an account. */
export interface OwnedUpload {
  id: string;
  accountId: number;
}

/** Makes concurrent inserts wait for each other, so that the limits hold. */
export const lockNewUploads = (tx: Executor) => sql`SELECT pg_advisory_xact_lock(${UPLOAD_LOCK}::bigint)`.execute(tx);

const UPLOAD_LOCK = 5_001_871;

/** The bytes of unfinished uploads, and those among them that have not arrived. */
export interface PromisedBytes {
  ofAccount: number;
  inAll: number;
  missing: number;
}

export async function sumPromisedBytes(db: Executor, accountId: number): Promise<PromisedBytes> {
  const { rows } = await sql<PromisedBytes>`
    SELECT coalesce(sum(size_bytes) FILTER (WHERE account_id = ${accountId}), 0)::float8 AS "ofAccount",
      coalesce(sum(size_bytes), 0)::float8 AS "inAll",
      coalesce(sum(size_bytes - received_bytes) FILTER (WHERE state = 'receiving'), 0)::float8 AS missing
    FROM upload WHERE state IN ('receiving', 'checking', 'duplicate')
  `.execute(db);
  return rows[0] ?? { ofAccount: 0, inAll: 0, missing: 0 };
}

export const insertUpload = (tx: Executor, upload: Insertable<DB['upload']>): Promise<UploadRow> =>
  tx.insertInto('upload').values(upload).returningAll().$castTo<UploadRow>().executeTakeFirstOrThrow();

const selectUploads = (db: Executor) => db.selectFrom('upload').selectAll().$castTo<UploadRow>();

export const findUpload = (db: Executor, id: string): Promise<UploadRow | undefined> =>
  selectUploads(db).where('id', '=', id).executeTakeFirst();

/** Blocks an erasure and a cancellation of the upload until the transaction ends. */
export const lockUpload = (tx: Executor, id: string): Promise<UploadRow | undefined> =>
  selectUploads(tx).where('id', '=', id).forUpdate().executeTakeFirst();

export const listUploadsOf = (db: Executor, accountId: number): Promise<UploadRow[]> =>
  selectUploads(db).where('account_id', '=', accountId).orderBy('created_at').orderBy('id').execute();

export async function countUnfinished(db: Executor, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('upload')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('state', '<>', 'done')
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Returns false when the upload was deleted or refused. Commits without waiting for the disk, which
 * may be busy with the bytes of uploads. If the number is lost, the next request reads the size of
 * the file.
 */
export async function updateReceived(db: Executor, id: string, bytes: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE upload SET received_bytes = ${bytes}, updated_at = now()
    FROM (SELECT set_config('synchronous_commit', 'off', true)) AS of_this_transaction
    WHERE id = ${id} AND state = 'receiving'
  `.execute(db);
  return numAffectedRows > 0n;
}

export type NewState = Pick<UploadRow, 'state'> &
  Partial<Pick<UploadRow, 'problem' | 'duplicate_of' | 'keeps_duplicate'>>;

/** Returns false when the upload was deleted. */
export async function updateThumbnail(db: Executor, id: string, name: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('upload')
    .set({ thumbnail_file: name })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns false unless the upload is in one of the states `from`. */
export async function updateState(
  db: Executor,
  { id, from }: { id: string; from: readonly UploadState[] },
  next: NewState,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('upload')
    .set({ problem: null, ...next, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Claims the check of an upload. Undefined when the upload is not being checked. */
export const claimCheck = (db: Executor, id: string, process: string): Promise<UploadRow | undefined> =>
  db
    .updateTable('upload')
    .set({ process, lost_attempts: lostAttempts('process', process) })
    .where('id', '=', id)
    .where('state', '=', 'checking')
    .returningAll()
    .$castTo<UploadRow>()
    .executeTakeFirst();

export const releaseCheck = (db: Executor, { id, process }: UploadRow, columns: ReleaseColumns) =>
  db
    .updateTable('upload')
    .set({ ...columns, process: null })
    .where('id', '=', id)
    .where('process', '=', process)
    .execute();

/** The payloads of the uploads whose check must have a job. */
export const OPEN_CHECKS = sql`
  SELECT jsonb_build_object('uploadId', id) AS payload FROM upload WHERE state = 'checking'`;

/** Stores the reason why a complete upload waits. */
export async function updateProblem(db: Executor, id: string, problem: string): Promise<void> {
  await db.updateTable('upload').set({ problem }).where('id', '=', id).where('state', '=', 'checking').execute();
}

/** Undefined when the account has no such upload. */
export const deleteUpload = (db: Executor, { id, accountId }: OwnedUpload): Promise<UploadRow | undefined> =>
  db
    .deleteFrom('upload')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returningAll()
    .$castTo<UploadRow>()
    .executeTakeFirst();

/**
 * Deletes finished uploads after `doneMs`, others after `otherMs`, and uploads of removed accounts,
 * except while a job checks them. Returns their ids.
 */
export async function deleteExpiredUploads(db: Executor, ages: { doneMs: number; otherMs: number }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    DELETE FROM upload
    WHERE (account_id IS NULL
        OR updated_at < now() - (CASE state WHEN 'done' THEN ${ages.doneMs}::float8 ELSE ${ages.otherMs}::float8 END
          * interval '1 millisecond'))
      AND state <> 'checking'
    RETURNING id
  `.execute(db);
  return rows.map(({ id }) => id);
}

export async function deleteUploadsOfFunnel(tx: Executor, funnelId: number): Promise<string[]> {
  const rows = await tx.deleteFrom('upload').where('funnel_id', '=', funnelId).returning('id').execute();
  return rows.map(({ id }) => id);
}

/** The columns of an upload that are about its candidate. */
export type CandidateUpload = Pick<
  UploadRow,
  'id' | 'file_name' | 'candidate_name' | 'candidate_email' | 'title' | 'recorded_at' | 'created_at'
>;

const CANDIDATE_COLUMNS = sql`id, file_name, candidate_name, candidate_email, title, recorded_at, created_at`;

/** `emails` are results of `comparableEmail`. */
export async function listUploadsAbout(
  db: Executor,
  { emails, ids }: { emails: readonly string[]; ids: readonly string[] },
): Promise<CandidateUpload[]> {
  const { rows } = await sql<CandidateUpload>`
    SELECT ${CANDIDATE_COLUMNS} FROM upload
    WHERE id = ANY(${ids}::text[])
      OR lower(normalize(regexp_replace(candidate_email, '^\\s+|\\s+$', '', 'g'))) = ANY(${emails}::text[])
    ORDER BY id
  `.execute(db);
  return rows;
}

/**
 * Uploads that are not interviews and whose id, file name, candidate or title contains the text in
 * any case.
 */
export async function searchUploads(db: Executor, text: string): Promise<CandidateUpload[]> {
  const { rows } = await sql<CandidateUpload>`
    SELECT ${CANDIDATE_COLUMNS} FROM upload
    WHERE state <> 'done' AND position(lower(normalize(${text})) IN
      lower(normalize(concat_ws(E'\n', id, file_name, candidate_name, candidate_email, title)))) > 0
    ORDER BY created_at DESC, id
  `.execute(db);
  return rows;
}

export async function deleteUploads(tx: Executor, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('upload').where('id', '=', anyOf(ids)).execute();
}

/** The ids of the interviews with this recording, in ascending order. */
export async function listInterviewsOfChecksum(db: Executor, sha256: string): Promise<string[]> {
  const rows = await db
    .selectFrom('recording_checksum')
    .select('interview_id')
    .where('sha256', '=', sha256)
    .orderBy('interview_id')
    .execute();
  return rows.map((row) => row.interview_id);
}

export async function insertChecksum(tx: Executor, checksum: { interview_id: string; sha256: string }): Promise<void> {
  await tx.insertInto('recording_checksum').values(checksum).execute();
}
