import { VERDICTS } from '#contracts/summaries.ts';
import type { JudgedExpectation, PartAnswer } from './part-answer.ts';

const MOST_QUOTES = 3;

/**
 * One judgement of each expectation over all parts. The strongest evidence counts: what was shown once need not be shown again. Its
 * note is kept, and its quotes go before those of weaker parts.
 */
export function mergeJudgements(parts: readonly PartAnswer[], expected: number): JudgedExpectation[] {
  return Array.from({ length: expected }, (_, index) =>
    merged(parts.flatMap((part) => part.expectations[index] ?? [])),
  );
}

function merged(judgements: readonly JudgedExpectation[]): JudgedExpectation {
  const strongestFirst = judgements.toSorted((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict));
  const { verdict = 'not shown', note = null } = strongestFirst[0] ?? {};
  const quotes = strongestFirst
    .flatMap((judgement) => judgement.quotes)
    .slice(0, MOST_QUOTES)
    .sort((a, b) => (a.passage ?? Number.POSITIVE_INFINITY) - (b.passage ?? Number.POSITIVE_INFINITY) || 0);
  return { verdict, note, quotes };
}
