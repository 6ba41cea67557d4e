import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { InterviewPath, TextVersion } from './fields.ts';

/** Times are seconds from the beginning of the recording. */
export const TranscriptSegment = z.object({
  startSeconds: z.number().nonnegative(),
  endSeconds: z.number().nonnegative(),
  text: z.string(),
});
export type TranscriptSegment = z.infer<typeof TranscriptSegment>;

/**
 * The origin of a transcript. `captions` occurs only in rows of earlier releases, which read
 * caption tracks of recordings.
 */
const TranscriptSource = z.enum(['transcription', 'captions', 'interview-service', 'staff']);
export type TranscriptSource = z.infer<typeof TranscriptSource>;

/** The files that `/api/interviews/:id/transcript.…` returns. */
export const TRANSCRIPT_FORMATS = ['txt', 'srt', 'vtt'] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** Not in the specification. `segments` is empty when no times are known. */
export const getTranscript = endpoint({
  method: 'GET',
  path: '/api/interviews/:id/transcript',
  summary: 'The transcript of an interview with its times',
  role: 'reviewer',
  scope: 'read',
  params: InterviewPath,
  response: z.object({
    transcriptionText: z.string().nullable(),
    version: TextVersion,
    source: TranscriptSource.nullable(),
    segments: z.array(TranscriptSegment),
  }),
});
