import type { SharedParts } from '#contracts/shares.ts';
import { decodeLetters } from './decode-letters.ts';

interface Candidate {
  n: number;
  name: string | null;
  email: string | null;
}

/** How recipients see a candidate. */
export interface Redaction {
  /** In the place of the name. */
  name: string;
  /** Replaces what recipients must not see of the names and of the e-mail address. */
  text(text: string): string;
}

/** Invisible characters, such as soft hyphens, do not end a word. */
const WORD = /[\p{L}\p{M}\p{Cf}]+/gu;
/** Between the words of one name. */
const CONNECTOR = /^[\s.,'’_-]{1,3}$/;
const HONORIFIC = /^(dr|prof|mr|mrs|ms|miss)\.?$/i;
/** Scripts without spaces: a name is found inside of longer words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const LATIN = /\p{Script=Latin}/u;
/** Arabic and Hebrew write `and`, `to` and `in` as letters of the next word. */
const PREFIX = /^(?:[وفبلك](?=\p{Script=Arabic}{2})|[ובלכהמש](?=\p{Script=Hebrew}{2}))/u;
/** A word letter by letter, as transcripts write a name that its candidate spells. */
const SPELLED = /(?<![\p{L}\p{M}])\p{L}(?:[\s.,-]{1,2}\p{L}){2,}(?![\p{L}\p{M}])/gu;
const EMAIL_SHOWN = '[email address]';
/** Shorter words of a name are also other words, such as `an`. Their letter case must match. */
const MIN_WORD_LENGTH = 3;

/** They join words of a name and are also other words. */
const PARTICLES: ReadonlySet<string> = new Set(
  'abu af al and av bin da das de del den der des di do dos du el et ibn la las le los ten ter und van von y zu zum zur'.split(
    ' ',
  ),
);

const LETTERS: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' };
const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };
/** In longer words, `ue` can be written as `u`: Mueller, Muller. */
const MIN_UMLAUT_WORD_LENGTH = 5;

/** Without accents and letter case, because transcripts and addresses often lack them. */
const fold = (word: string): string =>
  word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[ßøłđæœı]/g, (letter) => LETTERS[letter] ?? letter);

/** With umlauts as two letters. */
const foldUmlauts = (word: string): string =>
  fold(
    word
      .toLowerCase()
      .normalize('NFC')
      .replace(/[äöüøå]/g, (letter) => UMLAUTS[letter] ?? letter),
  );

const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

/** Hides names and addresses of the candidate, except what `shown` allows. */
export function redactionOf(shown: SharedParts['name'], candidate: Candidate): Redaction {
  const anonymous = `Candidate ${candidate.n}`;
  const name = candidate.name?.trim() || null;
  if (shown === 'full') return { name: name ?? anonymous, text: (text) => text };
  const first = name === null ? null : firstNameOf(name);
  const display = shown === 'first' && first !== null ? first : anonymous;
  const words = new NameWords(namesOf(name, candidate.email), display === first ? wordsOf(first) : []);
  const literals = literalsOf(name, candidate.email, words);
  return {
    name: display,
    text: (text) => {
      const decoded = decodeLetters(text);
      const without = literals.reduce((left, { pattern, by }) => left.replace(pattern, () => by ?? display), decoded);
      return words.replace(without, display);
    },
  };
}

/** `Moore, Dana` and `Dr. Dana Moore` have the first name `Dana`, and `Dr. Moore` has none. */
function firstNameOf(name: string): string | null {
  const isReversed = name.includes(',');
  const parts = (isReversed ? name.slice(name.indexOf(',') + 1) : name).split(/\s+/).filter(Boolean);
  const [first = null, ...others] = parts.filter((part) => !HONORIFIC.test(part));
  const isLastName = !isReversed && others.length === 0 && parts.length > 1;
  return isLastName ? null : first;
}

/** English transcripts spell a name of another script as its address does. */
const namesOf = (name: string | null, email: string | null): string[] => [
  ...(name === null ? [] : [name]),
  ...(name !== null && LATIN.test(name) ? [] : [namesInAddress(email)]),
];

/** `dana.moore@example.com` contains a name. */
function namesInAddress(email: string | null): string {
  const [local = ''] = (email ?? '').split('@');
  const words = wordsOf(local);
  return words.length > 1 ? words.join(' ') : '';
}

interface Literal {
  pattern: RegExp;
  /** Null: the shown name. */
  by: string | null;
}

const literal = (text: string, by: string | null): Literal => ({
  pattern: new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu'),
  by,
});

/** Texts that are found without regard to words, longest first. */
function literalsOf(name: string | null, email: string | null, words: NameWords): Literal[] {
  const address = email?.trim() ?? '';
  const [local = ''] = address.split('@');
  const isDistinctive = local.length > 4 && (/[\d._+-]/.test(local) || words.isPartOf(local));
  const unspaced = name !== null && UNSPACED.test(name) ? [name.replace(/\s+/g, ''), ...name.split(/\s+/)] : [];
  return [
    ...(address === '' ? [] : [literal(address, EMAIL_SHOWN)]),
    ...(isDistinctive ? [literal(local, EMAIL_SHOWN)] : []),
    ...unspaced.filter((part) => [...part].length > 1).map((part) => literal(part, null)),
  ];
}

function formsOf(word: string): string[] {
  const folded = fold(word);
  const short = word.length < MIN_UMLAUT_WORD_LENGTH ? folded : folded.replace(/([aou])e/g, '$1');
  return [folded, short, foldUmlauts(word)];
}

type PartOfName = 'hidden' | 'joining' | 'none';

/** The words of a name, and which of them are hidden. */
class NameWords {
  readonly #hidden = new Set<string>();
  /** Belong to a name next to other words of it: initials, particles such as `van`, shown words. */
  readonly #joining = new Set<string>();
  readonly #short = new Set<string>();
  readonly #known = new Map<string, PartOfName>();

  constructor(names: readonly string[], shown: readonly string[]) {
    const isShown = new Set(shown.map(fold));
    for (const name of names) this.#addName(name, isShown);
  }

  #addName(name: string, isShown: ReadonlySet<string>): void {
    const words = wordsOf(name);
    // Candidates also type their names without capital letters: the first word is then no particle.
    const isLowerCase = name === name.toLowerCase();
    for (const [at, word] of words.entries()) {
      const isParticle = PARTICLES.has(word) && !(isLowerCase && at === 0);
      this.#add(word, isShown.has(fold(word)) || isParticle);
    }
    const folded = words.map(fold);
    const ends = folded.length > 1 ? [folded[0], folded.at(-1)] : [];
    const parts = name.split(/\s+/).map((part) => wordsOf(part).map(fold));
    for (const joined of [folded, folded.toReversed(), folded.slice(1), ends, ends.toReversed(), ...parts])
      if (joined.length > 1) this.#hidden.add(joined.join(''));
  }

  #add(word: string, isJoining: boolean): void {
    if (isJoining || word.length === 1) this.#joining.add(fold(word));
    else if (word.length < MIN_WORD_LENGTH)
      for (const form of [word[0]?.toUpperCase() + word.slice(1), word.toUpperCase()]) this.#short.add(form);
    // German writes the possessive `s` without an apostrophe.
    else for (const form of formsOf(word)) this.#hidden.add(form).add(`${form}s`);
  }

  isPartOf(text: string): boolean {
    const folded = fold(text);
    return [...this.#hidden].some((word) => folded.includes(word));
  }

  /** Replaces each run of words of the name that has a hidden one, and spelled words. */
  replace(spelled: string, by: string): string {
    const text = spelled.replace(SPELLED, (letters) => (this.isPartOf(wordsOf(letters).join('')) ? by : letters));
    let result = '';
    let copied = 0;
    for (const run of this.#runs(text)) {
      result += text.slice(copied, run.start) + by;
      copied = run.end;
    }
    return result + text.slice(copied);
  }

  /** Texts repeat their words: each is folded once. */
  #partOf(word: string): PartOfName {
    const known = this.#known.get(word);
    if (known !== undefined) return known;
    const bare = word.replace(PREFIX, '');
    const unprefixed = bare === word ? [] : [fold(bare), fold(bare.replace(PREFIX, ''))];
    const forms = [fold(word), foldUmlauts(word), ...unprefixed];
    const isHidden = this.#short.has(word.replace(/\p{Cf}/gu, '')) || forms.some((form) => this.#hidden.has(form));
    const part = isHidden ? 'hidden' : forms.some((form) => this.#joining.has(form)) ? 'joining' : 'none';
    this.#known.set(word, part);
    return part;
  }

  *#runs(text: string): Generator<{ start: number; end: number }> {
    let run: { start: number; end: number; isHidden: boolean } | null = null;
    for (const match of text.matchAll(WORD)) {
      const [word] = match;
      const end = match.index + word.length;
      const part = this.#partOf(word);
      const isHidden = part === 'hidden';
      const isOfName = part !== 'none';
      if (run && isOfName && CONNECTOR.test(text.slice(run.end, match.index))) {
        run = { start: run.start, end, isHidden: run.isHidden || isHidden };
        continue;
      }
      if (run?.isHidden) yield run;
      run = isOfName ? { start: match.index, end, isHidden } : null;
    }
    if (run?.isHidden) yield run;
  }
}
