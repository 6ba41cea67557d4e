import { z } from 'zod';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { noServerMessage } from '#server/adapters/openai-server/refusal-error.ts';
import { segmentsOfWords, type TimedWord } from '#server/ports/timed-words.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { TRANSCRIPTION_SERVICE } from './transcription-error.ts';

const Word = z.object({ word: z.string(), start: z.number(), end: z.number() });
const words = z.array(z.unknown()).nullish().catch(null);
const Segment = z.object({ text: z.string(), start: z.number(), end: z.number() });
const TranscriptResponse = z
  .object({ text: z.string().nullish().catch(null), segments: z.array(z.unknown()).nullish().catch(null), words })
  .refine(({ text, segments, words }) => text != null || segments != null || words != null);
const WithWords = z.object({ words });

/**
 * Reads `json` or `verbose_json`. Compatible servers differ: words come next to or inside segments,
 * segments come without times or not at all. Prefers the most precise times. Silence is an empty
 * list.
 * @throws UpstreamError `bad_response`
 */
export function readTranscription(raw: unknown, durationSeconds: number): TranscriptSegment[] {
  const response = TranscriptResponse.safeParse(raw);
  if (!response.success)
    throw new UpstreamError(TRANSCRIPTION_SERVICE.name, 'bad_response', noServerMessage(TRANSCRIPTION_SERVICE));
  const text = clean(response.data.text ?? '').trim();
  const segments = (response.data.segments ?? []).flatMap((segment) => Segment.safeParse(segment).data ?? []);
  const found = segments.some((segment) => segment.text.trim())
    ? segments.map(({ start, end, text }) => ({ startSeconds: start, endSeconds: end, text }))
    : fromWords(response.data, text);
  return withinPart(found ?? spreadText(text, durationSeconds), durationSeconds);
}

function fromWords(response: z.infer<typeof TranscriptResponse>, text: string): TranscriptSegment[] | null {
  const inside = (response.segments ?? []).flatMap((segment) => WithWords.safeParse(segment).data?.words ?? []);
  const words = (response.words?.length ? response.words : inside).flatMap(timedWord);
  return words.length > 0 ? segmentsOfWords(words, text) : null;
}

function timedWord(raw: unknown): TimedWord[] {
  const word = Word.safeParse(raw);
  if (!word.success || !word.data.word.trim()) return [];
  return [{ text: word.data.word, startSeconds: word.data.start, endSeconds: word.data.end }];
}

/**
 * Splits a text without times into sentences and assumes a constant pace. The times are rough, but
 * better than one caption of twenty minutes.
 */
function spreadText(text: string, durationSeconds: number): TranscriptSegment[] {
  const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)]
    .map(({ segment }) => segment.trim())
    .filter(Boolean);
  const characters = sentences.reduce((sum, { length }) => sum + length, 0);
  let done = 0;
  return sentences.map((sentence) => {
    const startSeconds = (done / characters) * durationSeconds;
    done += sentence.length;
    return { startSeconds, endSeconds: (done / characters) * durationSeconds, text: sentence };
  });
}

/**
 * Sorts the segments and clamps their times to the part: services are off by a second at times, or
 * past the end.
 */
function withinPart(segments: readonly TranscriptSegment[], durationSeconds: number): TranscriptSegment[] {
  let earliest = 0;
  return segments
    .map((segment) => ({ ...segment, text: clean(segment.text).trim() }))
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => a.startSeconds - b.startSeconds)
    .map(({ text, ...times }) => {
      const startSeconds = Math.min(durationSeconds, Math.max(earliest, times.startSeconds));
      const endSeconds = Math.min(durationSeconds, Math.max(startSeconds, times.endSeconds));
      earliest = startSeconds;
      return { startSeconds, endSeconds, text };
    });
}

/** PostgreSQL accepts neither NUL nor half of a surrogate pair. */
const clean = (text: string) => text.replaceAll('\0', '').toWellFormed();
