import model from 'wink-eng-lite-web-model';
import winkNlp, { type ItsFunction } from 'wink-nlp';

export interface Word {
  /** As it was written. */
  text: string;
  /** Without its ending, so that `tests` and `testing` are the same. */
  stem: string;
}

/** Tokens only: the segmenters follow Unicode's rules, which no text can slow down. */
const nlp = winkNlp(model, []);
export const { its } = nlp;
const SEGMENTS = new Intl.Segmenter('en', { granularity: 'word' });
/** No word is longer; the tokenizer's time grows with the cube of what has no space in it. */
const LONGEST_WORD = 40;

/** Null for a word that stands in every sentence. A thread reads one transcript, so this ends with it. */
const stems = new Map<string, string | null>();

/** The words that carry meaning, in their order. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { segment, isWordLike } of SEGMENTS.segment(text)) {
    const stem = isWordLike && segment.length <= LONGEST_WORD ? stemOf(segment.toLowerCase()) : null;
    if (stem !== null) words.push({ text: segment, stem });
  }
  return words;
}

function stemOf(word: string): string | null {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const { stem, stopWordFlag } = its;
  const tokens = nlp.readDoc(word).tokens();
  const isStopWord = tokens.out(stopWordFlag as ItsFunction<boolean>).every(Boolean);
  const found = isStopWord ? null : tokens.out(stem as ItsFunction<string>).join('');
  stems.set(word, found);
  return found;
}
