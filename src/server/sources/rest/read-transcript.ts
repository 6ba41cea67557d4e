import { z } from 'zod';
import { MAX_DURATION_SECONDS, MAX_TEXT_LENGTH } from '#contracts/rules/limits.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { cleanText } from '#server/adapters/outside-http/clean-text.ts';
import type { SourceInterview } from '#server/ports/interview-source.ts';

const MAX_SEGMENTS = 50_000;

const Segment = z.object({
  start: z.number().min(0).max(MAX_DURATION_SECONDS),
  end: z.number().min(0).max(MAX_DURATION_SECONDS),
  text: z.string(),
});
const Transcript = z.union([
  z.string().transform((text) => ({ text, segments: [] })),
  z.object({
    text: z.string(),
    // Invalid times are dropped; the text stays.
    segments: z.array(Segment).max(MAX_SEGMENTS).nullish().catch(null),
  }),
]);

/**
 * Reads a transcript supplied by the service: a text, or a text with segments in seconds. Returns
 * null for anything else.
 */
export function readTranscript(raw: unknown): SourceInterview['transcript'] {
  const transcript = Transcript.safeParse(raw);
  // A transcript that is too long to store is dropped, because half of it would look complete.
  if (!transcript.success || transcript.data.text.length > MAX_TEXT_LENGTH) return null;
  const text = cleanText(transcript.data.text, MAX_TEXT_LENGTH);
  return text ? { text, segments: segmentsOf(transcript.data.segments ?? []) } : null;
}

function segmentsOf(segments: readonly z.infer<typeof Segment>[]): TranscriptSegment[] {
  const characters = segments.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > MAX_TEXT_LENGTH) return [];
  return segments
    .map(({ start, end, text }) => ({
      startSeconds: start,
      endSeconds: Math.max(start, end),
      text: cleanText(text, MAX_TEXT_LENGTH) ?? '',
    }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.startSeconds - b.startSeconds);
}
