import model from 'wink-eng-lite-web-model';
import winkNlp, { type ItsFunction } from 'wink-nlp';

export interface Word {
  text: string;
  /** Without its ending: `tests` and `testing` have the same stem. */
  stem: string;
}

/**
 * Used for single words only. `Intl.Segmenter` splits texts, because hostile texts cannot slow it
 * down.
 */
const nlp = winkNlp(model, []);
export const { its } = nlp;
const SEGMENTS = new Intl.Segmenter('en', { granularity: 'word' });
/** Longer words are ignored: the tokenizer's time is cubic in the length of a word. */
const MAX_WORD = 40;

/** Null for stop words. The cache ends with the thread, which reads one transcript. */
const stems = new Map<string, string | null>();

/** The meaningful words of a text, in order. */
export function meaningfulWords(text: string): Word[] {
  const words: Word[] = [];
  for (const { segment, isWordLike } of SEGMENTS.segment(text)) {
    const stem = isWordLike && segment.length <= MAX_WORD ? stemOf(segment.toLowerCase()) : null;
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
