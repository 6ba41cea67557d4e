import { type Selectable, sql } from 'kysely';
import { FILE_REMOVAL_LOCK } from '../../db/advisory-locks.ts';
import type { Executor } from '../../db/database.ts';
import type { DB } from '../../db/tables.ts';
import type { SourceColumns } from './compare-interview.ts';

export type StoredInterview = Selectable<DB['interview']>;
export type ImportedRow = SourceColumns & { id: string };

/** To be called before anything of a page is read: from now to the end of the transaction no file is removed, and the funnel stays. */
export async function holdForImport(tx: Executor, funnelId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(${FILE_REMOVAL_LOCK})`.execute(tx);
  await tx.selectFrom('funnel').select('id').where('id', '=', funnelId).forKeyShare().execute();
}

export const storedInterviews = (tx: Executor, ids: readonly string[]): Promise<StoredInterview[]> =>
  tx.selectFrom('interview').selectAll().where('id', '=', sql<string>`ANY(${ids}::text[])`).execute();

/** In the order of the ids, as everyone locks who locks several. */
export const lockedInterviews = (tx: Executor, ids: readonly string[]): Promise<StoredInterview[]> =>
  tx
    .selectFrom('interview')
    .selectAll()
    .where('id', '=', sql<string>`ANY(${ids}::text[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

const RECORD = sql`AS source (
  id text, title text, description text, candidate_name text, candidate_email text, candidate_phone text, recorded_at timestamptz,
  created_at timestamptz, source_updated_at timestamptz, duration_seconds int, original_url text, thumbnail_url text, video_url text,
  questions jsonb, video_file text, thumbnail_file text
)`;

export async function insertInterviews(tx: Executor, funnelId: number, rows: readonly ImportedRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    INSERT INTO interview (funnel_id, id, title, description, candidate_name, candidate_email, candidate_phone, recorded_at, created_at,
      source_updated_at, duration_seconds, original_url, thumbnail_url, video_url, questions, video_file, thumbnail_file)
    SELECT ${funnelId}, source.* FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) ${RECORD}
  `.execute(tx);
}

/** The rows are locked already. */
export async function updateInterviews(tx: Executor, rows: readonly ImportedRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    UPDATE interview AS i SET
      title = source.title, description = source.description, candidate_name = source.candidate_name,
      candidate_email = source.candidate_email, candidate_phone = source.candidate_phone, recorded_at = source.recorded_at,
      created_at = source.created_at, source_updated_at = source.source_updated_at, duration_seconds = source.duration_seconds,
      original_url = source.original_url, thumbnail_url = source.thumbnail_url, video_url = source.video_url, questions = source.questions,
      video_file = source.video_file, thumbnail_file = source.thumbnail_file
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) ${RECORD}
    WHERE i.id = source.id
  `.execute(tx);
}
