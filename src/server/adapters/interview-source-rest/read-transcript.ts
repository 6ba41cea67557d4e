import { z } from 'zod';
import { LONGEST_SECONDS, TEXT_LIMIT } from '#contracts/rules/limits.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import type { SourceInterview } from '#server/ports/interview-source.ts';
import { cleanText } from '../service-words/clean-text.ts';

const MOST_SEGMENTS = 50_000;

const Segment = z.object({
  start: z.number().min(0).max(LONGEST_SECONDS),
  end: z.number().min(0).max(LONGEST_SECONDS),
  text: z.string(),
});
const Transcript = z.union([
  z.string().transform((text) => ({ text, segments: [] })),
  z.object({
    text: z.string(),
    // Times that cannot be leave the words as they are.
    segments: z.array(Segment).max(MOST_SEGMENTS).nullish().catch(null),
  }),
]);

/** A transcript that the service supplies: a text, or a text and its segments in seconds. Null for anything else. */
export function readTranscript(raw: unknown): SourceInterview['transcript'] {
  const transcript = Transcript.safeParse(raw);
  // Half of a transcript would look like a whole one, so one that is too long to be stored is none.
  if (!transcript.success || transcript.data.text.length > TEXT_LIMIT) return null;
  const text = cleanText(transcript.data.text, TEXT_LIMIT);
  return text ? { text, segments: segmentsOf(transcript.data.segments ?? []) } : null;
}

function segmentsOf(segments: readonly z.infer<typeof Segment>[]): TranscriptSegment[] {
  const characters = segments.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > TEXT_LIMIT) return [];
  return segments
    .map(({ start, end, text }) => ({
      startSeconds: start,
      endSeconds: Math.max(start, end),
      text: cleanText(text, TEXT_LIMIT) ?? '',
    }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.startSeconds - b.startSeconds);
}
