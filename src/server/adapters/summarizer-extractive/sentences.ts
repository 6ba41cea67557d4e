import type { Passage } from '#server/ports/summarizer.ts';
import { meaningfulWords } from './words.ts';

interface Sentence {
  text: string;
  /** The time of the passage in which it begins. */
  startSeconds: number | null;
}

/** A sentence with the stems of its words. */
export type StemmedSentence = Sentence & { stems: readonly string[] };

export const stemmedSentences = (transcript: readonly Passage[]): StemmedSentence[] =>
  sentencesOf(transcript).map((sentence) => ({
    ...sentence,
    stems: meaningfulWords(sentence.text).map(({ stem }) => stem),
  }));

const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });
/** Abbreviations, after which Unicode's rules (UAX 29) would end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:Dr|Mr|Mrs|Ms|Prof|St|vs|etc|e\.g|i\.e|approx|Inc|Ltd|No)\.\s*$/;
/** The segmenter needs a few milliseconds for this many characters. */
const CHUNK_CHARACTERS = 20_000;
/** Limits sentences of transcripts without full stops. */
const MAX_SENTENCE = 300;

/** The transcript's sentences, word for word. A sentence may span several passages. */
function sentencesOf(transcript: readonly Passage[]): Sentence[] {
  return chunksOf(transcript).flatMap((chunk) => {
    const starts: number[] = [];
    let text = '';
    for (const passage of chunk) {
      starts.push(text.length);
      text += `${passage.text.replace(/\s+/g, ' ').trim()} `;
    }
    return splitSentences(text).map(({ text, at }) => ({
      text,
      startSeconds: chunk[starts.findLastIndex((start) => start <= at)]?.startSeconds ?? null,
    }));
  });
}

function chunksOf(transcript: readonly Passage[]): Passage[][] {
  const chunks: Passage[][] = [[]];
  let length = 0;
  for (const passage of transcript) {
    chunks.at(-1)?.push(passage);
    length += passage.text.length;
    if (length < CHUNK_CHARACTERS) continue;
    chunks.push([]);
    length = 0;
  }
  return chunks;
}

function splitSentences(text: string): { text: string; at: number }[] {
  const sentences: { text: string; at: number }[] = [];
  let at = 0;
  let pending = '';
  for (const { segment } of SENTENCES.segment(text)) {
    pending += segment;
    if (ABBREVIATION.test(pending)) continue;
    for (const piece of splitLongSentence(pending)) {
      if (piece.trim()) sentences.push({ text: piece.trim(), at });
      at += piece.length;
    }
    pending = '';
  }
  if (pending.trim()) sentences.push({ text: pending.trim(), at });
  return sentences;
}

/** Yields the sentence in pieces that end after a comma, or at least after a word, if possible. */
function* splitLongSentence(sentence: string): Generator<string> {
  let rest = sentence;
  while (rest.length > MAX_SENTENCE) {
    const head = rest.slice(0, MAX_SENTENCE);
    const comma = head.lastIndexOf(', ', MAX_SENTENCE - 2);
    const end = (comma > MAX_SENTENCE / 2 ? comma + 1 : head.lastIndexOf(' ')) + 1;
    const length = end > 0 ? end : wholeCharacters(head);
    yield rest.slice(0, length);
    rest = rest.slice(length);
  }
  yield rest;
}

const wholeCharacters = (head: string) => head.length - (/[\uD800-\uDBFF]$/.test(head) ? 1 : 0);
