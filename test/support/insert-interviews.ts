import type { Kysely } from 'kysely';
import type { StepStatus } from '#contracts/rules/badges.ts';
import type { DB } from '#server/db/tables.ts';

/** Values of an inserted interview; the others have defaults. */
export interface InterviewSeed {
  id: string;
  funnelId: number;
  title?: string;
  candidateName?: string | null;
  recordedAt?: string;
  seconds?: number;
  archived?: boolean;
  transcript?: string | undefined;
  summary?: string | undefined;
  youtubeId?: string | null;
  youtubeStatus?: StepStatus | null;
  transcriptionStatus?: StepStatus | null;
  summaryStatus?: StepStatus | null;
  destinationId?: string | null;
}

/** Inserts interviews without a refresh. */
export async function insertInterviews(db: Kysely<DB>, seeds: readonly InterviewSeed[]): Promise<void> {
  const rows = seeds.map((seed) => ({
    id: seed.id,
    funnel_id: seed.funnelId,
    title: seed.title ?? `Interview ${seed.id}`,
    candidate_name: seed.candidateName ?? null,
    recorded_at: seed.recordedAt ?? '2026-03-01T10:00:00Z',
    created_at: seed.recordedAt ?? '2026-03-01T10:00:00Z',
    duration_seconds: seed.seconds ?? 0,
    youtube_id: seed.youtubeId ?? null,
    youtube_status: seed.youtubeStatus ?? null,
    transcription_status: seed.transcriptionStatus ?? null,
    summary_status: seed.summaryStatus ?? null,
    destination_id: seed.destinationId ?? null,
    archived_at: seed.archived ? new Date() : null,
  }));
  await db.insertInto('interview').values(rows).execute();
  const texts = seeds.flatMap(({ id, transcript, summary }) =>
    transcript || summary
      ? [{ interview_id: id, transcription_text: transcript ?? null, summary_text: summary ?? null }]
      : [],
  );
  if (texts.length > 0) await db.insertInto('interview_text').values(texts).execute();
}
