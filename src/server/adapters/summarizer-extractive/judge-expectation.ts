import type { SummaryStructure, Verdict } from '#contracts/summaries.ts';
import type { SummaryRequest } from '#server/ports/summarizer.ts';
import type { StemmedSentence } from './sentences.ts';
import { type Term, termsOf } from './terms.ts';

type Expectation = SummaryRequest['expectations'][number];
type JudgedExpectation = SummaryStructure['expectations'][number];

const MAX_QUOTES = 3;
/** The share of the expected terms that must occur. */
const MET = 0.75;

export interface Judgement {
  result: JudgedExpectation;
  /** A follow-up question for the candidate; null when the expectation is met. */
  question: string | null;
}

/** Looks for the terms of an expectation in the transcript. */
export function judgeExpectation(
  { field, expectation }: Expectation,
  sentences: readonly StemmedSentence[],
): Judgement {
  const places = new Map(
    termsOf(expectation).map((term) => [term, sentences.filter((sentence) => term.isIn(sentence))]),
  );
  const terms = [...places.keys()];
  const found = terms.filter((term) => places.get(term)?.length);
  const missing = terms.filter((term) => !places.get(term)?.length);
  const verdict = verdictOf(found.length, terms.length);
  return {
    result: { field, expectation, verdict, note: noteOf(found, missing), quotes: quotesFor(found, places) },
    question: verdict === 'met' ? null : questionOf(missing, expectation),
  };
}

function verdictOf(found: number, all: number): Verdict {
  if (found === 0) return 'not shown';
  return found / all >= MET ? 'met' : 'partly';
}

/** Selects few sentences that contain many terms, in their order in the transcript. */
function quotesFor(found: readonly Term[], places: ReadonlyMap<Term, StemmedSentence[]>): JudgedExpectation['quotes'] {
  const chosen = new Set<StemmedSentence>();
  let open = found;
  while (open.length > 0 && chosen.size < MAX_QUOTES) {
    const counts = new Map<StemmedSentence, number>();
    for (const term of open)
      for (const sentence of places.get(term) ?? []) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
    const best = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
    if (!best) break;
    chosen.add(best);
    open = open.filter((term) => !places.get(term)?.includes(best));
  }
  const inOrder = [...chosen].sort((a, b) => (a.startSeconds ?? 0) - (b.startSeconds ?? 0));
  return inOrder.map(({ text, startSeconds }) => ({ text, startSeconds }));
}

const MAX_NAMED = 12;

function named(terms: readonly Term[]): string {
  const names = terms.slice(0, MAX_NAMED).map(({ text }) => text);
  return terms.length > MAX_NAMED ? `${names.join(', ')} and ${terms.length - MAX_NAMED} more` : names.join(', ');
}

function noteOf(found: readonly Term[], missing: readonly Term[]): string {
  const parts = [
    found.length > 0 && `Mentioned: ${named(found)}.`,
    missing.length > 0 && `Not mentioned: ${named(missing)}.`,
  ];
  return parts.filter(Boolean).join(' ') || 'This expectation has no searchable keywords.';
}

const questionOf = (missing: readonly Term[], expectation: string) =>
  `Ask for an example: ${missing.length > 0 ? named(missing) : expectation.slice(0, 200)}.`;
