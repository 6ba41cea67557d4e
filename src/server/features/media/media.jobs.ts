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

export const removeFilesJob = (removeFiles: (files: readonly UnusedFile[]) => Promise<void>) =>
  defineJob({ ...REMOVE_FILES, retries: RETRIES, concurrency: 1, run: ({ files }) => removeFiles(files) });
