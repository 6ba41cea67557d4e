/** Percent of a refresh: processed over total, capped at 100, and 0 when the total is 0. */
export const progressPercent = (processed: number, total: number): number =>
  total <= 0 ? 0 : Math.min(100, Math.max(0, Math.round((processed / total) * 100)));
