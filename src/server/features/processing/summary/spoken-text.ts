import type { Passage } from '../../../ports/summarizer.ts';

/** What was said at one place: the transcript's own words, and the time of the passage in which they begin. */
export interface Spoken {
  text: string;
  startSeconds: number | null;
}

/** A letter or a digit, in every script. */
const LETTER = /[\p{L}\p{N}]/u;
/** Scripts that put no space between words: there, a word may begin and end anywhere. */
const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** Belongs to the words before it. */
const CLOSING = /^[.!?…。！？]+/u;

/**
 * A transcript that is searched by its letters alone: case, accents, punctuation, quote marks and white space make no difference, nor
 * does it matter where one passage ends and the next begins.
 */
export class SpokenText {
  readonly #passages: readonly Passage[];
  readonly #text: string;
  /** Where each passage begins in the text. */
  readonly #starts: number[] = [];
  readonly #letters: string;
  /** Where each unit of the letters begins and ends in the text. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  constructor(passages: readonly Passage[]) {
    this.#passages = passages;
    let length = 0;
    for (const { text } of passages) {
      this.#starts.push(length);
      length += text.length + 1;
    }
    this.#text = passages.map(({ text }) => text).join(' ');
    this.#letters = this.#index();
  }

  /** Where these words were said, in their order. Parts of a word are none: who says "heart" has not said "art". */
  find(words: string): Spoken[] {
    const wanted = lettersOf(words);
    const found: Spoken[] = [];
    if (wanted === '') return found;
    for (let at = this.#letters.indexOf(wanted); at >= 0; at = this.#letters.indexOf(wanted, at + 1)) {
      const from = this.#from[at] ?? 0;
      const to = this.#to[at + wanted.length - 1] ?? 0;
      if (this.#isEdge(from) && this.#isEdge(to)) found.push(this.#spoken(from, to));
    }
    return found;
  }

  #index(): string {
    const letters: string[] = [];
    let at = 0;
    for (const character of this.#text) {
      const end = at + character.length;
      const plain = plainLetters(character);
      letters.push(plain);
      for (let unit = 0; unit < plain.length; unit += 1) {
        this.#from.push(at);
        this.#to.push(end);
      }
      at = end;
    }
    return letters.join('');
  }

  #isEdge(at: number): boolean {
    const before = characterBefore(this.#text, at);
    const after = characterAt(this.#text, at);
    return !LETTER.test(before) || !LETTER.test(after) || SPACELESS.test(before) || SPACELESS.test(after);
  }

  #spoken(from: number, to: number): Spoken {
    const closing = CLOSING.exec(this.#text.slice(to, to + 8))?.[0].length ?? 0;
    const passage = this.#starts.findLastIndex((start) => start <= from);
    return {
      text: this.#text.slice(from, to + closing).replace(/\s+/g, ' '),
      startSeconds: this.#passages[passage]?.startSeconds ?? null,
    };
  }
}

export const lettersOf = (text: string): string => Array.from(text, plainLetters).join('');

/** Nothing for what is no letter; some letters become several. */
function plainLetters(character: string): string {
  // Most of any transcript: no need to ask Unicode.
  if (/^[a-z0-9]$/.test(character)) return character;
  return Array.from(character.normalize('NFKD').toLowerCase())
    .filter((letter) => LETTER.test(letter))
    .join('');
}

const characterAt = (text: string, at: number) => String.fromCodePoint(text.codePointAt(at) ?? 32);

const characterBefore = (text: string, at: number) => Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? ' ';
