import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { comparableEmail } from '#server/comparable-email.ts';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';
import type { UploadSession } from '#server/ports/video-host.ts';

interface ReviewOfCandidate {
  author: string;
  submitted_at: string | null;
  criteria: { key: string; label: string }[];
  ratings: Record<string, number | null>;
  first_ratings: Record<string, number | null> | null;
  recommendation: number | null;
  note: string;
}

/** A candidate: all interviews with one of the emails, and single interviews. */
export interface Subject {
  emails: readonly string[];
  interviewIds: readonly string[];
}

const TEXT = sql<Selectable<DB['interview_text']> | null>`(
  SELECT to_jsonb(t) - 'words' FROM interview_text AS t WHERE t.interview_id = interview.id
)`;

/** In the order of the answers. Empty for a single recording. */
const SEGMENTS = sql<Selectable<DB['interview_segment']>[]>`coalesce((
  SELECT jsonb_agg(to_jsonb(s) ORDER BY s.position) FROM interview_segment AS s WHERE s.interview_id = interview.id
), '[]')`;

const PUBLISHED = sql<{ video_id: string | null; video_url: string | null; session: UploadSession | null } | null>`(
  SELECT jsonb_build_object('video_id', p.video_id, 'video_url', p.video_url, 'session', p.session)
  FROM publication AS p WHERE p.interview_id = interview.id
)`;

/** Colleagues' reviews and drafts, each with its criteria. Dates are texts. */
const REVIEWS = sql<ReviewOfCandidate[]>`coalesce((
  SELECT jsonb_agg(to_jsonb(r) || jsonb_build_object('criteria', s.criteria) ORDER BY r.submitted_at, r.author)
  FROM review AS r JOIN scorecard AS s ON s.funnel_id = interview.funnel_id AND s.version = r.scorecard_version
  WHERE r.interview_id = interview.id
), '[]')`;

/** As they are exported. Dates are texts. */
const selectComments = (interview: ExpressionBuilder<DB, 'interview'>) =>
  jsonArrayFrom(
    interview
      .selectFrom('comment')
      .select(['author', 'body', 'at_seconds as atSeconds', 'created_at as createdAt', 'edited_at as editedAt'])
      .whereRef('interview_id', '=', 'interview.id')
      .orderBy('at_seconds')
      .orderBy('created_at'),
  );

/** Pushes to the ATS as they are exported. Dates are texts. */
const selectPushes = (interview: ExpressionBuilder<DB, 'interview'>) =>
  jsonArrayFrom(
    interview
      .selectFrom('ats_push')
      .select(['connection_id as ats', 'target', 'state', sql<string | null>`note ->> 'text'`.as('note'), 'verdict'])
      .select(sql<string | null>`parts ->> 'url'`.as('url'))
      .select(['error', 'requested_at as requestedAt', 'sent_at as sentAt'])
      .whereRef('interview_id', '=', 'interview.id')
      .orderBy('ats_push.id'),
  );

export type CandidateInterview = Awaited<ReturnType<typeof listCandidateInterviews>>[number];

/**
 * Lists the interviews of the candidate with everything stored about them. In id order: interviews
 * are locked in that order to avoid deadlocks.
 */
export const listCandidateInterviews = (db: Executor, { emails, interviewIds }: Subject) =>
  db
    .selectFrom('interview')
    .innerJoin('funnel', 'funnel.id', 'interview.funnel_id')
    .selectAll('interview')
    .select(['funnel.name as funnel_name', 'funnel.external_id as funnel_external_id', 'funnel.client_name'])
    .select([TEXT.as('text'), SEGMENTS.as('segments'), PUBLISHED.as('published')])
    .select(REVIEWS.as('reviews'))
    .select((interview) => [selectComments(interview).as('comments'), selectPushes(interview).as('pushes')])
    .where(
      sql<boolean>`(interview.id = ANY(${interviewIds}::text[])
        OR lower(normalize(regexp_replace(candidate_email, '^\\s+|\\s+$', '', 'g'))) = ANY(${emails.map(comparableEmail)}::text[]))`,
    )
    .orderBy('interview.id')
    .execute();

/** An interview as a search for a candidate shows it. */
export type FoundInterview = Awaited<ReturnType<typeof searchInterviews>>[number];

/** Interviews whose id, name, email, phone or title contains the text in any case; newest first. */
export const searchInterviews = (db: Executor, text: string) =>
  db
    .selectFrom('interview')
    .innerJoin('funnel', 'funnel.id', 'interview.funnel_id')
    .select(['interview.id', 'candidate_name as name', 'candidate_email as email', 'candidate_phone as phone'])
    .select(['title', 'funnel.name as funnel', 'recorded_at as recordedAt'])
    .where(
      sql<boolean>`position(lower(normalize(${text})) IN
        lower(normalize(concat_ws(E'\n', interview.id, candidate_name, candidate_email, candidate_phone, title)))) > 0`,
    )
    .orderBy('recorded_at', 'desc')
    .orderBy('interview.id')
    .execute();

/** Lists the values that identify erased interviews, in id order, after `last`. */
export const listErasableInterviews = (db: Executor, last: string, limit: number) =>
  db
    .selectFrom('interview')
    .select(['id', 'candidate_email as candidateEmail', 'created_at as createdAt', 'recorded_at as recordedAt'])
    .where('id', '>', last)
    .orderBy('id')
    .limit(limit)
    .execute();
