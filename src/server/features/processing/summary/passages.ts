import type { TranscriptSegment } from '#contracts/transcripts.ts';
import type { Passage } from '../../../ports/summarizer.ts';

/** A few sentences: enough to judge by, short enough that its time still points at what was said. */
const LONGEST_PASSAGE = 500;
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * The transcript in passages of at most 500 characters, none of them empty: its segments with their times when there are any, else the
 * sentences of `text` without times. Segments must be those of this text: once staff edited it, there are none.
 */
export function passagesOf(text: string, segments: readonly TranscriptSegment[]): Passage[] {
  const timed = segments.flatMap((segment) => passagesFrom(segment.text, segment.startSeconds));
  if (timed.length > 0) return timed;
  return text.split(/\n+/).flatMap((paragraph) => passagesFrom(paragraph, null));
}

/** A text in passages that share its time: where in a long segment a sentence was said, nobody knows. */
function passagesFrom(text: string, startSeconds: number | null): Passage[] {
  const passages: string[] = [''];
  for (const piece of piecesOf(text.trim())) {
    const last = passages.length - 1;
    const joined = (passages[last] ?? '') + piece;
    if (joined.trimEnd().length <= LONGEST_PASSAGE) passages[last] = joined;
    else passages.push(piece);
  }
  return passages.map((passage) => ({ text: passage.trim(), startSeconds })).filter((passage) => passage.text !== '');
}

/** Sentences, and where a recogniser wrote none, stretches of words. */
function* piecesOf(text: string): Generator<string> {
  if (text.length <= LONGEST_PASSAGE) return yield text;
  for (const { segment } of SENTENCES.segment(text)) {
    let rest = segment;
    while (rest.trimEnd().length > LONGEST_PASSAGE) {
      const end = cutBefore(rest);
      yield rest.slice(0, end);
      rest = rest.slice(end);
    }
    yield rest;
  }
}

/** After the last word that fits; a word that does not fit itself is cut, but no character is. */
function cutBefore(text: string): number {
  const head = text.slice(0, LONGEST_PASSAGE);
  const space = /\s\S*$/.exec(head)?.index ?? 0;
  if (space > 0) return space + 1;
  return /[\uD800-\uDBFF]$/.test(head) ? LONGEST_PASSAGE - 1 : LONGEST_PASSAGE;
}
