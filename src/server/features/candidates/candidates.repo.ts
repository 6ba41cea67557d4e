import { type Selectable, sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import type { DB } from '../../db/tables.ts';
import { comparableEmail } from './email.ts';
import { ERASED_VALUE } from './redact-entry.ts';
import { ERASED_TITLE, type Pseudonym } from './tombstones.service.ts';

/** An interview of the candidate with what stands beside it. */
export type HeldInterview = Selectable<DB['interview']> & {
  funnel_name: string;
  funnel_external_id: string;
  client_name: string | null;
  text: Selectable<DB['interview_text']> | null;
  published: { video_id: string | null; video_url: string | null } | null;
};

/** In the order of their ids, as everyone locks who locks several. */
export const interviewsOf = (db: Executor, email: string): Promise<HeldInterview[]> =>
  db
    .selectFrom('interview')
    .innerJoin('funnel', 'funnel.id', 'interview.funnel_id')
    .selectAll('interview')
    .select(['funnel.name as funnel_name', 'funnel.external_id as funnel_external_id', 'funnel.client_name'])
    .select((q) => [
      sql<HeldInterview['text']>`(${q
        .selectFrom('interview_text')
        .select(sql`to_jsonb(interview_text) - 'words'`.as('text'))
        .whereRef('interview_text.interview_id', '=', 'interview.id')})`.as('text'),
      sql<HeldInterview['published']>`(${q
        .selectFrom('publication')
        .select(sql`jsonb_build_object('video_id', video_id, 'video_url', video_url)`.as('published'))
        .whereRef('publication.interview_id', '=', 'interview.id')})`.as('published'),
    ])
    .where(sql`lower(normalize(regexp_replace(candidate_email, '^\\s+|\\s+$', '', 'g')))`, '=', comparableEmail(email))
    .orderBy('interview.id')
    .execute();

/** Until the transaction ends, nobody else writes them. */
export const lockInterviews = (tx: Executor, ids: readonly string[]) =>
  tx
    .selectFrom('interview')
    .select('id')
    .where('id', '=', sql<string>`ANY(${ids}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute();

/** Texts, steps, publications, parts of transcripts and files to fetch go with them. */
export const deleteInterviews = (tx: Executor, ids: readonly string[]) =>
  tx.deleteFrom('interview').where('id', '=', sql<string>`ANY(${ids}::text[])`).execute();

/** What a refresh that runs now has noted for its log entry: as many rows as before, and nothing of the candidate in them. */
export async function redactSyncRecords(tx: Executor, ids: readonly string[], pseudonym: Pseudonym): Promise<void> {
  for (const id of ids) {
    const values = { interview_id: pseudonym(id), title: ERASED_TITLE };
    const erased = (column: 'old_value' | 'new_value') =>
      sql<string | null>`CASE WHEN ${sql.ref(column)} IS NULL THEN NULL ELSE ${ERASED_VALUE} END`;
    await tx
      .updateTable('sync_change')
      .set({ ...values, old_value: erased('old_value'), new_value: erased('new_value') })
      .where('interview_id', '=', id)
      .execute();
    await tx.updateTable('sync_skip').set(values).where('interview_id', '=', id).execute();
  }
}

/** A refresh says whose interview it is at. */
export async function redactProgress(tx: Executor, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await sql`UPDATE sync_run SET current = 'Processing…' WHERE current = ANY(${names.map((name) => `Processing ${name}`)}::text[])`.execute(
    tx,
  );
}
