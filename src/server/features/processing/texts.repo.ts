import type { SummaryStructure } from '#contracts/summaries.ts';
import type { TranscriptSegment, TranscriptSource } from '#contracts/transcripts.ts';
import type { Executor } from '../../db/database.ts';
import { versionOf } from '../../db/text-version.ts';

/** The texts of an interview with what is known beside them. Undefined when there is no such interview. */
export async function readTexts(db: Executor, interviewId: string) {
  const row = await db
    .selectFrom('interview')
    .leftJoin('interview_text', 'interview_text.interview_id', 'interview.id')
    .select([
      'title',
      'transcription_text',
      'transcript_source',
      'segments',
      'summary_text',
      'summary_structure',
      'questions',
      'funnel_id',
      versionOf('transcription_text').as('transcript_version'),
      versionOf('summary_text').as('summary_version'),
    ])
    .where('interview.id', '=', interviewId)
    .executeTakeFirst();
  return (
    row && {
      ...row,
      transcript_source: row.transcript_source as TranscriptSource | null,
      segments: row.segments ?? [],
      summary_structure: row.summary_structure as SummaryStructure | null,
    }
  );
}

export interface NewTranscript {
  text: string;
  source: TranscriptSource;
  segments: readonly TranscriptSegment[];
  /** It is the beginning of a longer one. */
  isCut?: boolean;
}

const upsert = (tx: Executor, interviewId: string, values: Record<string, string | null>) =>
  tx
    .insertInto('interview_text')
    .values({ interview_id: interviewId, ...values })
    .onConflict((conflict) => conflict.column('interview_id').doUpdateSet(values))
    .execute();

export const storeTranscript = (tx: Executor, interviewId: string, { text, source, segments }: NewTranscript) =>
  upsert(tx, interviewId, {
    transcription_text: text,
    transcript_source: source,
    segments: JSON.stringify(segments),
  });

export const storeSummary = (tx: Executor, interviewId: string, text: string, structure: SummaryStructure) =>
  upsert(tx, interviewId, { summary_text: text, summary_structure: JSON.stringify(structure) });

/** Somebody has written the transcript: the times that still fit its words. */
export const storeEditedTimes = (tx: Executor, interviewId: string, segments: readonly TranscriptSegment[]) =>
  upsert(tx, interviewId, { transcript_source: 'staff', segments: JSON.stringify(segments) });

/** Somebody has written the summary: what it was made from says nothing of it any more. */
export const forgetStructure = (tx: Executor, interviewId: string) =>
  upsert(tx, interviewId, { summary_structure: null });
