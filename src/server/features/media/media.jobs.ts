import { z } from 'zod';
import { defineJob } from '#server/jobs/job.ts';

/** A file that its interview no longer uses, or whose interview was deleted. */
const UnusedFile = z.object({ interviewId: z.string(), kind: z.enum(['video', 'thumbnail']), name: z.string() });
export type UnusedFile = z.infer<typeof UnusedFile>;

export const REMOVE_FILES = { name: 'media.remove-files', payload: z.object({ files: z.array(UnusedFile) }) };
export const MAX_FILES_PER_JOB = 100;
/**
 * With the delays between them more than a day, which leaves time to mount a missing disk again.
 */
const RETRIES = 1_500;

/** An interview whose recordings have arrived. `baseName` is the name of the joined file. */
const RecordingsToJoin = z.object({ interviewId: z.string(), baseName: z.string() });
export type RecordingsToJoin = z.infer<typeof RecordingsToJoin>;

export const JOIN_RECORDINGS = { name: 'media.join-recordings', payload: RecordingsToJoin };
/**
 * About an hour with the delays between them. An unavailable store usually returns in that time.
 */
const JOIN_RETRIES = 60;

export const joinRecordingsJob = (join: (recordings: RecordingsToJoin, signal: AbortSignal) => Promise<void>) =>
  defineJob({
    ...JOIN_RECORDINGS,
    retries: JOIN_RETRIES,
    concurrency: 1,
    isKept: false,
    run: (recordings, { signal }) => join(recordings, signal),
  });

export const removeFilesJob = (removeFiles: (files: readonly UnusedFile[]) => Promise<void>) =>
  defineJob({
    ...REMOVE_FILES,
    retries: RETRIES,
    concurrency: 1,
    isKept: false,
    run: ({ files }) => removeFiles(files),
  });
