import type { SummaryQuote, SummaryStructure } from '#contracts/summaries.ts';
import type { Passage } from '#server/ports/summarizer.ts';
import { lettersOf, type SpokenQuote, SpokenText } from './spoken-text.ts';

type JudgedExpectation = SummaryStructure['expectations'][number];

/** Short quotes such as "Yes, exactly" prove nothing. */
const MIN_WORDS = 3;
const MIN_LETTERS = 8;
/** A quote is not a whole answer. */
const MAX_QUOTE = 400;
const ELLIPSIS = /\[\s*(?:\.{3}|…)\s*\]|\.{3,}|…/;
const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

export const NO_QUOTE_NOTE = 'No evidence found in the transcript.';

/**
 * Looks up every quote in the transcript. Quotes that occur in it get its exact wording and time;
 * the others are dropped. A model's verdict without any evidence must not be `met`, because an
 * invented quote or a candidate who dictates the summary may have caused it. It becomes `partly`,
 * with a note, and not `not shown`, because models also paraphrase.
 */
export function verifyQuotes(structure: SummaryStructure, transcript: readonly Passage[]): SummaryStructure {
  const spoken = new SpokenText(transcript);
  return {
    ...structure,
    expectations: structure.expectations.map((judged) => {
      const quotes = unique(judged.quotes.flatMap((quote) => findQuote(quote, spoken)));
      const isBare = judged.verdict === 'met' && quotes.length === 0;
      return isBare ? withoutEvidence(judged) : { ...judged, quotes };
    }),
  };
}

const withoutEvidence = (judged: JudgedExpectation): JudgedExpectation => ({
  ...judged,
  verdict: 'partly',
  note: [judged.note, NO_QUOTE_NOTE].filter(Boolean).join(' '),
  quotes: [],
});

/**
 * Returns the quote with the transcript's wording, or nothing. For a quote with an ellipsis, the
 * longest part that occurs counts.
 */
function findQuote({ text, startSeconds }: SummaryQuote, spoken: SpokenText): SummaryQuote[] {
  const parts = text.split(ELLIPSIS).toSorted((a, b) => b.length - a.length);
  for (const words of [text, ...parts]) {
    const found = nearest(spoken.find(words), startSeconds);
    const quote = found && shortened(found, spoken);
    if (quote && isEvidence(quote.text)) return [quote];
  }
  return [];
}

/** Returns the occurrence that is nearest to the claimed time. */
function nearest(found: readonly SpokenQuote[], claimed: number | null): SpokenQuote | undefined {
  const distance = ({ startSeconds }: SpokenQuote) => Math.abs((startSeconds ?? 0) - (claimed ?? 0));
  return claimed === null ? found[0] : found.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** Cuts the quote after a whole word, and looks it up again to get the transcript's punctuation. */
function shortened(quote: SpokenQuote, spoken: SpokenText): SpokenQuote | undefined {
  if (quote.text.length <= MAX_QUOTE) return quote;
  const head = quote.text.slice(0, MAX_QUOTE);
  const space = head.lastIndexOf(' ');
  return nearest(spoken.find(space > 0 ? head.slice(0, space) : head), quote.startSeconds);
}

function isEvidence(text: string): boolean {
  if (lettersOf(text).length < MIN_LETTERS) return false;
  let words = 0;
  for (const { isWordLike } of WORDS.segment(text)) words += isWordLike ? 1 : 0;
  return words >= MIN_WORDS;
}

const unique = (quotes: readonly SummaryQuote[]) => [...new Map(quotes.map((quote) => [quote.text, quote])).values()];
