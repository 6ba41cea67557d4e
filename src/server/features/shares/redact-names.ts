import type { SharedParts } from '#contracts/shares.ts';

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

const WORD = /[\p{L}\p{M}]+/gu;
/** Between the words of one name. */
const CONNECTOR = /^[\s.,'’_-]{1,3}$/;
const HONORIFIC = /^(dr|prof|mr|mrs|ms|miss)\.?$/i;
/** Scripts without spaces: a name is found inside of longer words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const EMAIL_SHOWN = '[email address]';
/** Shorter words of a name are also other words, such as `an`. Their letter case must match. */
const MIN_WORD_LENGTH = 3;

const LETTERS: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' };
const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' };

/** Without accents and letter case, because transcripts and addresses often lack them. */
const fold = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßøłđæœı]/g, (letter) => LETTERS[letter] ?? letter);

const foldGerman = (word: string): string =>
  fold(
    word
      .toLowerCase()
      .normalize('NFC')
      .replace(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter),
  );

const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

/** Hides names and addresses of the candidate, except what `shown` allows. */
export function redactionOf(shown: SharedParts['name'], candidate: Candidate): Redaction {
  const anonymous = `Candidate ${candidate.n}`;
  const name = candidate.name?.trim() || null;
  if (shown === 'full') return { name: name ?? anonymous, text: (text) => text };
  const first = name === null ? null : firstNameOf(name);
  const display = shown === 'first' && first !== null ? first : anonymous;
  const words = new NameWords(name ?? '', shown === 'first' && first !== null ? wordsOf(first) : []);
  const literals = literalsOf(name, candidate.email, words);
  return {
    name: display,
    text: (text) => {
      const without = literals.reduce((left, { pattern, by }) => left.replace(pattern, () => by ?? display), text);
      return words.replace(without, display);
    },
  };
}

/** `Moore, Dana` and `Dr. Dana Moore` have the first name `Dana`. */
function firstNameOf(name: string): string | null {
  const given = name.includes(',') ? name.slice(name.indexOf(',') + 1) : name;
  return given.split(/\s+/).find((part) => part !== '' && !HONORIFIC.test(part)) ?? null;
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

/** The words of a name, and which of them are hidden. */
class NameWords {
  readonly #hidden = new Set<string>();
  /** Belong to a name next to other words of it: initials, particles such as `van`, shown words. */
  readonly #joining = new Set<string>();
  readonly #short = new Set<string>();

  constructor(name: string, shown: readonly string[]) {
    const words = wordsOf(name);
    const isShown = new Set(shown.map(fold));
    for (const word of words) this.#add(word, isShown.has(fold(word)));
    const folded = words.map(fold);
    if (folded.length === 1) return;
    for (const ordered of [folded, folded.toReversed(), [folded[0], folded.at(-1)], [folded.at(-1), folded[0]]])
      this.#hidden.add(ordered.join(''));
  }

  #add(word: string, isShown: boolean): void {
    const isParticle = word.length <= 3 && word === word.toLowerCase() && !UNSPACED.test(word);
    if (isShown || isParticle || word.length === 1) this.#joining.add(fold(word));
    else if (word.length < MIN_WORD_LENGTH) for (const form of [word, word.toUpperCase()]) this.#short.add(form);
    else for (const form of [fold(word), foldGerman(word)]) this.#hidden.add(form);
  }

  isPartOf(text: string): boolean {
    const folded = fold(text);
    return [...this.#hidden].some((word) => folded.includes(word));
  }

  /** Replaces each run of words of the name that has a hidden one. */
  replace(text: string, by: string): string {
    let result = '';
    let copied = 0;
    for (const run of this.#runs(text)) {
      result += text.slice(copied, run.start) + by;
      copied = run.end;
    }
    return result + text.slice(copied);
  }

  *#runs(text: string): Generator<{ start: number; end: number }> {
    let run: { start: number; end: number; isHidden: boolean } | null = null;
    for (const match of text.matchAll(WORD)) {
      const [word] = match;
      const end = match.index + word.length;
      const isHidden = this.#short.has(word) || this.#hidden.has(fold(word));
      const isOfName = isHidden || this.#joining.has(fold(word));
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
