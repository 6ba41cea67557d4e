import { z } from 'zod';
import { FILE_KINDS } from '#server/ports/file-store.ts';

/** A file that its interview no longer uses, or whose interview was deleted. */
const UnusedFile = z.object({ interviewId: z.string(), kind: z.enum(FILE_KINDS), name: z.string() });
export type UnusedFile = z.infer<typeof UnusedFile>;

export const MAX_FILES_PER_JOB = 100;

export const REMOVE_FILES = {
  name: 'media.remove-files',
  payload: z.object({ files: z.array(UnusedFile) }),
  /**
   * With the delays between them more than a day, which leaves time to mount a missing disk again.
   */
  retries: 1_500,
  concurrency: 1,
  isKept: false,
};

/** An interview whose recordings have arrived. `baseName` is the name of the joined file. */
const RecordingsToJoin = z.object({ interviewId: z.string(), baseName: z.string() });
export type RecordingsToJoin = z.infer<typeof RecordingsToJoin>;

export const JOIN_RECORDINGS = {
  name: 'media.join-recordings',
  payload: RecordingsToJoin,
  /**
   * About an hour with the delays between them. An unavailable store usually returns in that time.
   */
  retries: 60,
  concurrency: 1,
  isKept: false,
};
