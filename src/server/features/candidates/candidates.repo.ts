import { type Selectable, sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';
import { comparableEmail } from '#server/features/erasure/tombstones.service.ts';

/** An interview of the candidate with everything stored about it. */
export type CandidateInterview = Selectable<DB['interview']> & {
  funnel_name: string;
  funnel_external_id: string;
  client_name: string | null;
  text: Selectable<DB['interview_text']> | null;
  published: { video_id: string | null; video_url: string | null } | null;
};

/** In id order: interviews are locked in that order to avoid deadlocks. */
export const listCandidateInterviews = (db: Executor, email: string): Promise<CandidateInterview[]> =>
  db
    .selectFrom('interview')
    .innerJoin('funnel', 'funnel.id', 'interview.funnel_id')
    .selectAll('interview')
    .select(['funnel.name as funnel_name', 'funnel.external_id as funnel_external_id', 'funnel.client_name'])
    .select((q) => [
      sql<CandidateInterview['text']>`(${q
        .selectFrom('interview_text')
        .select(sql`to_jsonb(interview_text) - 'words'`.as('text'))
        .whereRef('interview_text.interview_id', '=', 'interview.id')})`.as('text'),
      sql<CandidateInterview['published']>`(${q
        .selectFrom('publication')
        .select(sql`jsonb_build_object('video_id', video_id, 'video_url', video_url)`.as('published'))
        .whereRef('publication.interview_id', '=', 'interview.id')})`.as('published'),
    ])
    .where(sql`lower(normalize(regexp_replace(candidate_email, '^\\s+|\\s+$', '', 'g')))`, '=', comparableEmail(email))
    .orderBy('interview.id')
    .execute();
