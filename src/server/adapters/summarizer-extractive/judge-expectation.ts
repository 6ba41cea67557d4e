import type { SummaryStructure, Verdict } from '#contracts/summaries.ts';
import type { SummaryRequest } from '#server/ports/summarizer.ts';
import type { HeardSentence } from './heard-sentences.ts';
import { type Term, termsOf } from './terms.ts';

type Expectation = SummaryRequest['expectations'][number];
type Judged = SummaryStructure['expectations'][number];

const MOST_QUOTES = 3;
/** So much of what is asked for must be heard. */
const MET = 0.75;

export interface Judgement {
  judged: Judged;
  /** What is still to be asked; null when enough was heard. */
  question: string | null;
}

/** Looks for what an expectation asks for in what was said. */
export function judgeExpectation({ field, expectation }: Expectation, sentences: readonly HeardSentence[]): Judgement {
  const places = new Map(
    termsOf(expectation).map((term) => [term, sentences.filter((sentence) => term.isHeardIn(sentence))]),
  );
  const terms = [...places.keys()];
  const heard = terms.filter((term) => places.get(term)?.length);
  const missing = terms.filter((term) => !places.get(term)?.length);
  const verdict = verdictOf(heard.length, terms.length);
  return {
    judged: { field, expectation, verdict, note: noteOf(heard, missing), quotes: quotesFor(heard, places) },
    question: verdict === 'met' ? null : questionOf(missing, expectation),
  };
}

function verdictOf(heard: number, all: number): Verdict {
  if (heard === 0) return 'not shown';
  return heard / all >= MET ? 'met' : 'partly';
}

/** As few sentences as possible that hold as many terms as possible, in the order in which they were said. */
function quotesFor(heard: readonly Term[], places: ReadonlyMap<Term, HeardSentence[]>): Judged['quotes'] {
  const chosen = new Set<HeardSentence>();
  let open = heard;
  while (open.length > 0 && chosen.size < MOST_QUOTES) {
    const counts = new Map<HeardSentence, number>();
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

const MOST_NAMED = 12;

function named(terms: readonly Term[]): string {
  const names = terms.slice(0, MOST_NAMED).map(({ text }) => text);
  return terms.length > MOST_NAMED ? `${names.join(', ')} and ${terms.length - MOST_NAMED} more` : names.join(', ');
}

function noteOf(heard: readonly Term[], missing: readonly Term[]): string {
  const parts = [heard.length > 0 && `Heard: ${named(heard)}.`, missing.length > 0 && `Not heard: ${named(missing)}.`];
  return parts.filter(Boolean).join(' ') || 'Nothing in it can be looked for.';
}

const questionOf = (missing: readonly Term[], expectation: string) =>
  `Please give an example: ${missing.length > 0 ? named(missing) : expectation.slice(0, 200)}.`;
