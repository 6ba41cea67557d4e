import type { HeardSentence } from './heard-sentences.ts';
import { wordsOf } from './words.ts';

/** One thing that an expectation asks for, in its own words. */
export interface Term {
  text: string;
  isHeardIn(sentence: HeardSentence): boolean;
}

const MOST_TERMS = 40;
const SEPARATORS = /[,;\n•·|]+|[.:!?]\s+|\s[-–—]\s/;
const JOINT = /^(?:and|or)\s+/i;
/** Symbols that make a name out of what is no word, as in C++, C# and .NET. */
const SYMBOLS = /^\.?[\p{L}\p{N}]+[+#]+$|^\.\p{L}/u;
/** So few letters, as in R or Go, are a name only as they are written. */
const SHORT_NAME = /^[\p{L}\p{N}]{1,2}$/u;

/** The items of a list and the clauses of a sentence, each once; nothing for those without any word of meaning. */
export function termsOf(expectation: string): Term[] {
  const parts = expectation.split(SEPARATORS).map((part) => part.trim().replace(JOINT, '').replace(/\.$/, ''));
  return [...new Set(parts)].flatMap(termOf).slice(0, MOST_TERMS);
}

function termOf(text: string): Term[] {
  if (SYMBOLS.test(text) || SHORT_NAME.test(text)) return [{ text, isHeardIn: writtenAs(text) }];
  const stems = [...new Set(wordsOf(text).map(({ stem }) => stem))];
  return stems.length > 0 ? [{ text, isHeardIn: mostOf(stems) }] : [];
}

/** More than half of its words in one sentence: nobody says all words of a clause as the funnel has them. */
const mostOf = (wanted: readonly string[]) => (sentence: HeardSentence) =>
  wanted.filter((stem) => sentence.stems.includes(stem)).length > wanted.length / 2;

function writtenAs(name: string): Term['isHeardIn'] {
  const flags = SHORT_NAME.test(name) ? 'u' : 'iu';
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(name)}(?![\\p{L}\\p{N}+#])`, flags);
  return ({ text }) => pattern.test(text);
}
