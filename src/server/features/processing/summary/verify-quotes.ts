import type { SummaryQuote, SummaryStructure } from '#contracts/summaries.ts';
import type { Passage } from '../../../ports/summarizer.ts';
import { lettersOf, type Spoken, SpokenText } from './spoken-text.ts';

type Judged = SummaryStructure['expectations'][number];

/** "Yes, exactly" stands in every interview and proves nothing. */
const FEWEST_WORDS = 3;
const FEWEST_LETTERS = 8;
/** A whole answer is no quote. */
const LONGEST_QUOTE = 400;
const ELLIPSIS = /\[\s*(?:\.{3}|…)\s*\]|\.{3,}|…/;
const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

export const NO_QUOTE_NOTE = 'No words of the transcript were found to back this.';

/**
 * Looks every quote up in the transcript: those that are there get the transcript's own words and time, the others go. A verdict of a
 * model without any evidence must not read `met`: a made-up quote, or a candidate who dictates the summary, could have brought it
 * about. It becomes `partly`, with a note that says why; it isn't `not shown`, since a model also paraphrases what was truly said. The
 * verdicts of the extractive summary count words themselves and stay.
 */
export function verifyQuotes(structure: SummaryStructure, transcript: readonly Passage[]): SummaryStructure {
  const spoken = new SpokenText(transcript);
  return {
    ...structure,
    expectations: structure.expectations.map((judged) => {
      const quotes = unique(judged.quotes.flatMap((quote) => verified(quote, spoken)));
      const isBare = structure.method === 'model' && judged.verdict === 'met' && quotes.length === 0;
      return isBare ? withoutEvidence(judged) : { ...judged, quotes };
    }),
  };
}

const withoutEvidence = (judged: Judged): Judged => ({
  ...judged,
  verdict: 'partly',
  note: [judged.note, NO_QUOTE_NOTE].filter(Boolean).join(' '),
  quotes: [],
});

/** The quote as it was said, or nothing. Of one with an ellipsis counts the longest stretch that was said. */
function verified({ text, startSeconds }: SummaryQuote, spoken: SpokenText): SummaryQuote[] {
  const stretches = text.split(ELLIPSIS).toSorted((a, b) => b.length - a.length);
  for (const words of [text, ...stretches]) {
    const found = nearest(spoken.find(words), startSeconds);
    const quote = found && shortened(found, spoken);
    if (quote && provesSomething(quote.text)) return [quote];
  }
  return [];
}

/** The same words may have been said more than once: those are meant that were said about when the quote claims. */
function nearest(found: readonly Spoken[], claimed: number | null): Spoken | undefined {
  const distance = ({ startSeconds }: Spoken) => Math.abs((startSeconds ?? 0) - (claimed ?? 0));
  return claimed === null ? found[0] : found.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** Cut after a whole word, and looked up again, so that what is left ends as the transcript has it. */
function shortened(quote: Spoken, spoken: SpokenText): Spoken | undefined {
  if (quote.text.length <= LONGEST_QUOTE) return quote;
  const head = quote.text.slice(0, LONGEST_QUOTE);
  const space = head.lastIndexOf(' ');
  return nearest(spoken.find(space > 0 ? head.slice(0, space) : head), quote.startSeconds);
}

function provesSomething(text: string): boolean {
  if (lettersOf(text).length < FEWEST_LETTERS) return false;
  let words = 0;
  for (const { isWordLike } of WORDS.segment(text)) words += isWordLike ? 1 : 0;
  return words >= FEWEST_WORDS;
}

const unique = (quotes: readonly SummaryQuote[]) => [...new Map(quotes.map((quote) => [quote.text, quote])).values()];
