import type { StemmedSentence } from './sentences.ts';
import { meaningfulWords } from './words.ts';

/** A term of an expectation, in its own words. */
export interface Term {
  text: string;
  isIn(sentence: StemmedSentence): boolean;
}

const MAX_TERMS = 40;
const SEPARATORS = /[,;\n•·|]+|[.:!?]\s+|\s[-–—]\s/;
const JOINT = /^(?:and|or)\s+/i;
/** Names with symbols, such as C++, C# and .NET. */
const SYMBOLS = /^\.?[\p{L}\p{N}]+[+#]+$|^\.\p{L}/u;
/** Short names such as R and Go match with the same case only. */
const SHORT_NAME = /^[\p{L}\p{N}]{1,2}$/u;

/**
 * Splits an expectation into list items and clauses, without duplicates and without those that have
 * no meaningful word.
 */
export function termsOf(expectation: string): Term[] {
  const parts = expectation.split(SEPARATORS).map((part) => part.trim().replace(JOINT, '').replace(/\.$/, ''));
  return [...new Set(parts)].flatMap(termOf).slice(0, MAX_TERMS);
}

function termOf(text: string): Term[] {
  if (SYMBOLS.test(text) || SHORT_NAME.test(text)) return [{ text, isIn: writtenAs(text) }];
  const stems = [...new Set(meaningfulWords(text).map(({ stem }) => stem))];
  return stems.length > 0 ? [{ text, isIn: containsMostOf(stems) }] : [];
}

/**
 * True when a sentence contains more than half of the stems, because candidates do not repeat a
 * clause literally.
 */
const containsMostOf = (wanted: readonly string[]) => (sentence: StemmedSentence) =>
  wanted.filter((stem) => sentence.stems.includes(stem)).length > wanted.length / 2;

function writtenAs(name: string): Term['isIn'] {
  const flags = SHORT_NAME.test(name) ? 'u' : 'iu';
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(name)}(?![\\p{L}\\p{N}+#])`, flags);
  return ({ text }) => pattern.test(text);
}
