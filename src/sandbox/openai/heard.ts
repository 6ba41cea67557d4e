import { transcriptOf } from './known-sound.ts';
import type { Stretch } from './recognise.ts';

export interface HeardWord {
  word: string;
  start: number;
  end: number;
}

export interface HeardSegment {
  start: number;
  end: number;
  text: string;
  words: HeardWord[];
}

/**
 * What is said in a stretch and when, in the time of the sound that was sent. A word belongs to where its middle is, so that sound that
 * was cut in the middle of a sentence gives each word once.
 */
export function heardIn({ id, offsetSeconds, fromSeconds, toSeconds }: Stretch, soundSeconds: number): HeardSegment[] {
  return transcriptOf(id).segments.flatMap(({ start, end, text }) => {
    const all = wordsOf(text, start + offsetSeconds, end + offsetSeconds);
    const words = all.filter((word) => {
      const middle = (word.start + word.end) / 2;
      return middle >= fromSeconds && middle < Math.min(toSeconds, soundSeconds);
    });
    const [first, last] = [words[0], words.at(-1)];
    if (!first || !last) return [];
    return [{ start: Math.max(0, first.start), end: last.end, text: words.map(({ word }) => word).join(' '), words }];
  });
}

/** A sentence's words, at one pace. */
function wordsOf(text: string, start: number, end: number): HeardWord[] {
  const perCharacter = (end - start) / text.length;
  let at = 0;
  return text.split(' ').map((word) => {
    const from = start + at * perCharacter;
    const to = from + word.length * perCharacter;
    at += word.length + 1;
    return { word, start: from, end: to };
  });
}
