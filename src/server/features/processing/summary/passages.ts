import type { TranscriptSegment } from '#contracts/transcripts.ts';
import type { Passage } from '#server/ports/summarizer.ts';

/** A few sentences: enough to judge, and short enough for its time to be precise. */
const MAX_PASSAGE = 500;
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Splits the transcript into passages of 1 to 500 characters: its segments with their times if
 * there are any, else the sentences of `text` without times. The segments must belong to this text.
 */
export function passagesOf(text: string, segments: readonly TranscriptSegment[]): Passage[] {
  const timed = segments.flatMap((segment) => passagesFrom(segment.text, segment.startSeconds));
  if (timed.length > 0) return timed;
  return text.split(/\n+/).flatMap((paragraph) => passagesFrom(paragraph, null));
}

/**
 * Splits a text into passages that share its time, because the time of a sentence within a segment
 * is unknown.
 */
function passagesFrom(text: string, startSeconds: number | null): Passage[] {
  const passages: string[] = [''];
  for (const piece of piecesOf(text.trim())) {
    const last = passages.length - 1;
    const joined = (passages[last] ?? '') + piece;
    if (joined.trimEnd().length <= MAX_PASSAGE) passages[last] = joined;
    else passages.push(piece);
  }
  return passages.map((passage) => ({ text: passage.trim(), startSeconds })).filter((passage) => passage.text !== '');
}

/** Yields sentences; a longer sentence is cut between words. */
function* piecesOf(text: string): Generator<string> {
  if (text.length <= MAX_PASSAGE) return yield text;
  for (const { segment } of SENTENCES.segment(text)) {
    let rest = segment;
    while (rest.trimEnd().length > MAX_PASSAGE) {
      const end = cutBefore(rest);
      yield rest.slice(0, end);
      rest = rest.slice(end);
    }
    yield rest;
  }
}

/** The position after the last word that fits. A longer word is cut between characters. */
function cutBefore(text: string): number {
  const head = text.slice(0, MAX_PASSAGE);
  const space = /\s\S*$/.exec(head)?.index ?? 0;
  if (space > 0) return space + 1;
  return /[\uD800-\uDBFF]$/.test(head) ? MAX_PASSAGE - 1 : MAX_PASSAGE;
}
