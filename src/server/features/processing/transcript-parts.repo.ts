import type { TranscriptSegment } from '#contracts/transcripts.ts';
import type { Executor } from '../../db/database.ts';
import type { StepRun } from './steps.ts';

/** A part of the recording with what was said in it, in seconds from the part's beginning. */
export interface TranscribedPart {
  startSeconds: number;
  segments: TranscriptSegment[];
}

/** The parts of this recording that this run has already, in order. */
export async function transcribedParts(
  db: Executor,
  { interviewId, runId }: StepRun,
  videoFile: string,
): Promise<TranscribedPart[]> {
  const rows = await db
    .selectFrom('transcript_part')
    .select(['start_seconds', 'segments'])
    .where('interview_id', '=', interviewId)
    .where('run_id', '=', runId)
    .where('video_file', '=', videoFile)
    .orderBy('part')
    .execute();
  return rows.map((row) => ({
    startSeconds: row.start_seconds,
    segments: row.segments,
  }));
}

export const storePart = (
  tx: Executor,
  { interviewId, runId }: StepRun,
  { index, videoFile, startSeconds, segments }: TranscribedPart & { index: number; videoFile: string },
) => {
  const values = {
    video_file: videoFile,
    start_seconds: startSeconds,
    segments: JSON.stringify(segments),
  };
  return (
    tx
      .insertInto('transcript_part')
      .values({
        interview_id: interviewId,
        run_id: runId,
        part: index,
        ...values,
      })
      // Of another recording, which a refresh has replaced meanwhile.
      .onConflict((conflict) => conflict.columns(['interview_id', 'run_id', 'part']).doUpdateSet(values))
      .execute()
  );
};

/** Of this and any earlier run of the interview. */
export const forgetParts = (tx: Executor, interviewId: string) =>
  tx.deleteFrom('transcript_part').where('interview_id', '=', interviewId).execute();
