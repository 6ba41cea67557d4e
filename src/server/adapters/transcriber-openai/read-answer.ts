import { z } from 'zod';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { spreadText } from './spread-text.ts';
import { segmentsOfWords, type TimedWord } from './timed-words.ts';
import { NO_TRANSCRIPTION_SERVER, transcriptionError } from './transcription-error.ts';

const Word = z.object({ word: z.string(), start: z.number(), end: z.number() });
const words = z.array(z.unknown()).nullish().catch(null);
const Segment = z.object({ text: z.string(), start: z.number(), end: z.number() });
const Answer = z
  .object({ text: z.string().nullish().catch(null), segments: z.array(z.unknown()).nullish().catch(null), words })
  .refine(({ text, segments, words }) => text != null || segments != null || words != null);
const WithWords = z.object({ words });

/**
 * Reads `json` or `verbose_json`. Compatible servers differ: words come beside or inside segments, segments without times or not at all.
 * What has the truest times is taken. Nothing said is an empty list.
 * @throws UpstreamError `bad_answer`
 */
export function readAnswer(raw: unknown, durationSeconds: number): TranscriptSegment[] {
  const answer = Answer.safeParse(raw);
  if (!answer.success) throw transcriptionError('bad_answer', NO_TRANSCRIPTION_SERVER);
  const text = clean(answer.data.text ?? '').trim();
  const segments = (answer.data.segments ?? []).flatMap((segment) => Segment.safeParse(segment).data ?? []);
  const found = segments.some((segment) => segment.text.trim())
    ? segments.map(({ start, end, text }) => ({ startSeconds: start, endSeconds: end, text }))
    : fromWords(answer.data, text);
  return inOrder(found ?? spreadText(text, durationSeconds), durationSeconds);
}

function fromWords(answer: z.infer<typeof Answer>, text: string): TranscriptSegment[] | null {
  const inside = (answer.segments ?? []).flatMap((segment) => WithWords.safeParse(segment).data?.words ?? []);
  const words = (answer.words?.length ? answer.words : inside).flatMap(timedWord);
  return words.length > 0 ? segmentsOfWords(words, text) : null;
}

function timedWord(raw: unknown): TimedWord[] {
  const word = Word.safeParse(raw);
  if (!word.success || !word.data.word.trim()) return [];
  return [{ text: word.data.word, startSeconds: word.data.start, endSeconds: word.data.end }];
}

/** Services are off by a second at times, and past the end of the sound: times stay inside the part and never go back. */
function inOrder(segments: readonly TranscriptSegment[], durationSeconds: number): TranscriptSegment[] {
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

/** PostgreSQL takes no NUL and no half of a surrogate pair. */
const clean = (text: string) => text.replaceAll('\0', '').toWellFormed();
