import { type RawBuilder, sql } from 'kysely';
import type { SummaryStructure } from '#contracts/summaries.ts';
import type { TranscriptSegment, TranscriptSource } from '#contracts/transcripts.ts';
import type { Executor } from '#server/db/database.ts';

/** SHA-256 of a text in hexadecimal; of the empty text when there is none. */
const versionOf = (column: 'transcription_text' | 'summary_text'): RawBuilder<string> =>
  sql<string>`encode(sha256(convert_to(coalesce(${sql.ref(`interview_text.${column}`)}, ''), 'UTF8')), 'hex')`;

/** Undefined when the interview does not exist. */
export async function findTexts(db: Executor, interviewId: string) {
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

export type InterviewTexts = NonNullable<Awaited<ReturnType<typeof findTexts>>>;

export interface TextColumns {
  transcription_text?: string;
  transcript_source?: TranscriptSource;
  segments?: readonly TranscriptSegment[];
  summary_text?: string;
  summary_structure?: SummaryStructure | null;
}

/** Writes the given columns and keeps the others. */
export async function updateTexts(tx: Executor, interviewId: string, columns: TextColumns): Promise<void> {
  const { segments, summary_structure, ...texts } = columns;
  const values = {
    ...texts,
    ...(segments && { segments: JSON.stringify(segments) }),
    ...(summary_structure !== undefined && {
      summary_structure: summary_structure && JSON.stringify(summary_structure),
    }),
  };
  await tx
    .insertInto('interview_text')
    .values({ interview_id: interviewId, ...values })
    .onConflict((conflict) => conflict.column('interview_id').doUpdateSet(values))
    .execute();
}
