import type { DayCounts } from './day-counts.ts';

/** Where a page stands. */
export interface Place {
  /** The days it is on, the newest first. */
  days: string[];
  /** How many of their interviews come before it. */
  before: number;
  /** How many are on it. */
  size: number;
  /** How many of their interviews come after it. */
  after: number;
  /** Interviews on all days. */
  total: number;
}

/** Counts by day say on which days a page is. */
export function placeOf({ days, total }: DayCounts, { page, limit }: { page: number; limit: number }): Place {
  let earlier = 0;
  const offset = (page - 1) * limit;
  const first = days.findIndex(({ n }) => {
    if (earlier + n > offset) return true;
    earlier += n;
    return false;
  });
  if (first < 0) return { days: [], before: 0, size: 0, after: 0, total };

  const before = offset - earlier;
  const needed: string[] = [];
  let found = -before;
  for (const { day, n } of days.slice(first)) {
    needed.push(day);
    found += n;
    if (found >= limit) break;
  }
  const size = Math.min(limit, found);
  return { days: needed, before, size, after: found - size, total };
}
