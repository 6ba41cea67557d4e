import type { Executor } from '#server/db/database.ts';
import type { StepRun } from './step-runs.repo.ts';
import type { TranscribedPart } from './transcript/bound-transcript.ts';

/** The parts of this recording that this run has transcribed already, in order. */
export async function listParts(db: Executor, { interviewId, runId }: StepRun, videoFile: string) {
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

/** Replaces the same part of another recording, if a refresh has changed the recording since. */
export const insertPart = (
  tx: Executor,
  { interviewId, runId }: StepRun,
  { index, videoFile, startSeconds, segments }: TranscribedPart & { index: number; videoFile: string },
) => {
  const values = {
    video_file: videoFile,
    start_seconds: startSeconds,
    segments: JSON.stringify(segments),
  };
  return tx
    .insertInto('transcript_part')
    .values({
      interview_id: interviewId,
      run_id: runId,
      part: index,
      ...values,
    })
    .onConflict((conflict) => conflict.columns(['interview_id', 'run_id', 'part']).doUpdateSet(values))
    .execute();
};

/** Deletes the parts of this and all earlier runs of the interview. */
export const deleteParts = (tx: Executor, interviewId: string) =>
  tx.deleteFrom('transcript_part').where('interview_id', '=', interviewId).execute();
