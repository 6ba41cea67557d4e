import type { Criterion } from '#contracts/reviews.ts';
import { EXPECTATION_LABELS } from '#contracts/summaries.ts';

const FIELDS = [
  'professionalExpectations',
  'skillExpectations',
  'educationExpectations',
  'cultureExpectations',
] as const;

const OVERALL: Criterion = {
  key: 'overall',
  label: 'Overall',
  low: 'Does not fit the position',
  middle: 'Fits in part',
  high: 'Fits very well',
};

/** One criterion for each filled expectation of the funnel; without any, the criterion Overall. */
export function defaultCriteria(funnel: Readonly<Record<(typeof FIELDS)[number], string | null>>): Criterion[] {
  const criteria = FIELDS.flatMap((field): Criterion[] => {
    const expectation = funnel[field]?.replaceAll(/\p{Cc}+/gu, ' ').trim();
    if (!expectation) return [];
    return [{ key: field, label: EXPECTATION_LABELS[field], low: 'Not met', middle: 'Partly met', high: expectation }];
  });
  return criteria.length > 0 ? criteria : [OVERALL];
}

/** True for scorecards with the same criteria in the same order. */
export const areSameCriteria = (one: readonly Criterion[], other: readonly Criterion[]) =>
  textOf(one) === textOf(other);

/** Fields in one order: the database returns them in another one. */
const textOf = (criteria: readonly Criterion[]) =>
  JSON.stringify(criteria.map(({ key, label, low, middle, high }) => [key, label, low, middle, high]));
