import { transcriptOf } from './known-sound.ts';
import type { Stretch } from './recognize.ts';

export interface SpokenWord {
  word: string;
  start: number;
  end: number;
}

export interface SpokenSegment {
  start: number;
  end: number;
  text: string;
  words: SpokenWord[];
}

/**
 * Returns the sentences of a stretch with times relative to the start of the uploaded sound. A word
 * belongs to the stretch that contains its middle, so that sound cut within a sentence yields each
 * word once.
 */
export function segmentsIn(
  { id, offsetSeconds, fromSeconds, toSeconds }: Stretch,
  soundSeconds: number,
): SpokenSegment[] {
  return transcriptOf(id).segments.flatMap(({ start, end, text }) => {
    const all = timedWords(text, start + offsetSeconds, end + offsetSeconds);
    const words = all.filter((word) => {
      const middle = (word.start + word.end) / 2;
      return middle >= fromSeconds && middle < Math.min(toSeconds, soundSeconds);
    });
    const [first, last] = [words[0], words.at(-1)];
    if (!first || !last) return [];
    return [{ start: Math.max(0, first.start), end: last.end, text: words.map(({ word }) => word).join(' '), words }];
  });
}

/** Splits a sentence into words at a constant pace. */
function timedWords(text: string, start: number, end: number): SpokenWord[] {
  const perCharacter = (end - start) / text.length;
  let at = 0;
  return text.split(' ').map((word) => {
    const from = start + at * perCharacter;
    const to = from + word.length * perCharacter;
    at += word.length + 1;
    return { word, start: from, end: to };
  });
}
