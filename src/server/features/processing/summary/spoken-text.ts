import type { Passage } from '#server/ports/summarizer.ts';

/**
 * A place in the transcript where searched words occur: the exact wording, and the time of the
 * passage in which it begins.
 */
export interface SpokenQuote {
  text: string;
  startSeconds: number | null;
}

/** A letter or digit of any script. */
const LETTER = /[\p{L}\p{N}]/u;
/** Scripts without spaces between words, in which a match may begin and end anywhere. */
const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** Punctuation that belongs to the preceding words. */
const CLOSING = /^[.!?…。！？]+/u;

/**
 * A transcript that is searched by its letters only. Case, accents, punctuation, white space and
 * the limits of passages do not matter.
 */
export class SpokenText {
  readonly #passages: readonly Passage[];
  readonly #text: string;
  /** The position of each passage in the text. */
  readonly #starts: number[] = [];
  readonly #letters: string;
  /** The start and end in the text of each code unit of the letters. */
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

  /** Finds all occurrences of whole words, in order: "art" does not occur in "heart". */
  find(words: string): SpokenQuote[] {
    const wanted = lettersOf(words);
    const found: SpokenQuote[] = [];
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

  #spoken(from: number, to: number): SpokenQuote {
    const closing = CLOSING.exec(this.#text.slice(to, to + 8))?.[0].length ?? 0;
    const passage = this.#starts.findLastIndex((start) => start <= from);
    return {
      text: this.#text.slice(from, to + closing).replace(/\s+/g, ' '),
      startSeconds: this.#passages[passage]?.startSeconds ?? null,
    };
  }
}

export const lettersOf = (text: string): string => Array.from(text, plainLetters).join('');

/** Empty for characters that are not letters; some letters become several. */
function plainLetters(character: string): string {
  // A fast path for the most frequent characters.
  if (/^[a-z0-9]$/.test(character)) return character;
  return Array.from(character.normalize('NFKD').toLowerCase())
    .filter((letter) => LETTER.test(letter))
    .join('');
}

const characterAt = (text: string, at: number) => String.fromCodePoint(text.codePointAt(at) ?? 32);

const characterBefore = (text: string, at: number) => Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? ' ';
