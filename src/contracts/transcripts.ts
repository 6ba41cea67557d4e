import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { InterviewPath, TextVersion } from './fields.ts';

/** What was said from one moment of the recording to another, in seconds from its beginning. */
export const TranscriptSegment = z.object({
  startSeconds: z.number().nonnegative(),
  endSeconds: z.number().nonnegative(),
  text: z.string(),
});
export type TranscriptSegment = z.infer<typeof TranscriptSegment>;

/** Where a transcript comes from: a transcription service, the recording's own captions, the interview service, or somebody's hands. */
export const TRANSCRIPT_SOURCES = ['transcription', 'captions', 'interview-service', 'staff'] as const;
export type TranscriptSource = (typeof TRANSCRIPT_SOURCES)[number];

/** Ours: what the player shows beside the video. `segments` is empty when no times are known. */
export const getTranscript = endpoint({
  method: 'GET',
  path: '/api/interviews/:id/transcript',
  summary: 'The transcript of an interview with its times',
  params: InterviewPath,
  response: z.object({
    transcriptionText: z.string().nullable(),
    version: TextVersion,
    source: z.enum(TRANSCRIPT_SOURCES).nullable(),
    segments: z.array(TranscriptSegment),
  }),
});
