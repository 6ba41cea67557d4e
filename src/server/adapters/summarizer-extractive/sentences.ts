import type { Passage } from '#server/ports/summarizer.ts';

export interface Sentence {
  text: string;
  /** That of the passage in which it begins. */
  startSeconds: number | null;
}

const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });
/** Unicode's rules (UAX 29) end a sentence after these; who speaks goes on. */
const GOES_ON = /(?:^|[\s(])(?:Dr|Mr|Mrs|Ms|Prof|St|vs|etc|e\.g|i\.e|approx|Inc|Ltd|No)\.\s*$/;
/** Cut at once, sentences of this many characters cost the segmenter a few milliseconds. */
const STRETCH = 20_000;
/** Longer is no quote but a speech; a recogniser may put no full stop for minutes. */
const LONGEST_SENTENCE = 300;

/** The transcript's sentences, word for word. They may run over the ends of passages, as speech recognisers cut anywhere. */
export function sentencesOf(transcript: readonly Passage[]): Sentence[] {
  return stretchesOf(transcript).flatMap((stretch) => {
    const starts: number[] = [];
    let text = '';
    for (const passage of stretch) {
      starts.push(text.length);
      text += `${passage.text.replace(/\s+/g, ' ').trim()} `;
    }
    return cut(text).map(({ text, at }) => ({
      text,
      startSeconds: stretch[starts.findLastIndex((start) => start <= at)]?.startSeconds ?? null,
    }));
  });
}

function stretchesOf(transcript: readonly Passage[]): Passage[][] {
  const stretches: Passage[][] = [[]];
  let length = 0;
  for (const passage of transcript) {
    stretches.at(-1)?.push(passage);
    length += passage.text.length;
    if (length < STRETCH) continue;
    stretches.push([]);
    length = 0;
  }
  return stretches;
}

function cut(text: string): { text: string; at: number }[] {
  const sentences: { text: string; at: number }[] = [];
  let at = 0;
  let pending = '';
  for (const { segment } of SENTENCES.segment(text)) {
    pending += segment;
    if (GOES_ON.test(pending)) continue;
    for (const piece of shortEnough(pending)) {
      if (piece.trim()) sentences.push({ text: piece.trim(), at });
      at += piece.length;
    }
    pending = '';
  }
  if (pending.trim()) sentences.push({ text: pending.trim(), at });
  return sentences;
}

/** Whole, or in pieces that end after a comma or at least after a word. */
function* shortEnough(sentence: string): Generator<string> {
  let rest = sentence;
  while (rest.length > LONGEST_SENTENCE) {
    const head = rest.slice(0, LONGEST_SENTENCE);
    const comma = head.lastIndexOf(', ', LONGEST_SENTENCE - 2);
    const end = (comma > LONGEST_SENTENCE / 2 ? comma + 1 : head.lastIndexOf(' ')) + 1;
    const length = end > 0 ? end : wholeCharacters(head);
    yield rest.slice(0, length);
    rest = rest.slice(length);
  }
  yield rest;
}

const wholeCharacters = (head: string) => head.length - (/[\uD800-\uDBFF]$/.test(head) ? 1 : 0);
