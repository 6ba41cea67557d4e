/** The recommendation of a review, from 1 to 4. */
export const RECOMMENDATIONS = [1, 2, 3, 4] as const;
export type Recommendation = (typeof RECOMMENDATIONS)[number];

const LABELS: Readonly<Record<Recommendation, string>> = { 1: 'Strong no', 2: 'No', 3: 'Yes', 4: 'Strong yes' };

export const recommendationLabel = (recommendation: number): string => LABELS[recommendation as Recommendation] ?? '';
