import type { TranscriptSegment } from '#contracts/transcripts.ts';
import type { Executor } from '../../db/database.ts';
import type { StepRun } from './steps.ts';

/** A part of the recording with what was said in it, in seconds from the part's beginning. */
export interface TranscribedPart {
  startSeconds: number;
  segments: TranscriptSegment[];
}

/** The parts that this run has already, in order. */
export async function transcribedParts(db: Executor, { interviewId, runId }: StepRun): Promise<TranscribedPart[]> {
  const rows = await db
    .selectFrom('transcript_part')
    .select(['start_seconds', 'segments'])
    .where('interview_id', '=', interviewId)
    .where('run_id', '=', runId)
    .orderBy('part')
    .execute();
  return rows.map((row) => ({
    startSeconds: row.start_seconds,
    segments: row.segments as unknown as TranscriptSegment[],
  }));
}

export const storePart = (
  tx: Executor,
  { interviewId, runId }: StepRun,
  { index, startSeconds, segments }: TranscribedPart & { index: number },
) =>
  tx
    .insertInto('transcript_part')
    .values({
      interview_id: interviewId,
      run_id: runId,
      part: index,
      start_seconds: startSeconds,
      segments: JSON.stringify(segments),
    })
    .execute();

/** Of this and any earlier run of the interview. */
export const forgetParts = (tx: Executor, interviewId: string) =>
  tx.deleteFrom('transcript_part').where('interview_id', '=', interviewId).execute();
