import { z } from 'zod';
import type { SourceCursor, SourceInterview, SourcePage, UnreadableItem } from '#server/ports/interview-source.ts';
import { interviewsError } from './call-error.ts';
import { isUnreadable, readInterview } from './read-interview.ts';
import { BAD_ANSWER } from './service-client.ts';

/** Position in the list: a page number from 1, and the first id of the previous page. */
export type PageCursor = SourceCursor & { page: number; first: string | null };

const count = z.int().nonnegative().nullish().catch(null);
const Page = z.object({ interviews: z.array(z.unknown()), total: count, limit: count });
const Cursor = z.object({ page: z.int().positive(), first: z.string().nullish().default(null) });

/** Bounds a list that never ends: a million pages of a hundred. */
const MAX_PAGES = 1_000_000;

/** Returns the cursor of a page; null means the first one. */
export const pageCursor = (cursor: SourceCursor | null): PageCursor => Cursor.parse(cursor ?? { page: 1 });

/**
 * Reads the answer to a request for `requested` items.
 * @throws UpstreamError `bad_answer`
 */
export function readPage(raw: unknown, cursor: PageCursor, requested: number): SourcePage {
  const parsed = Page.safeParse(raw);
  if (!parsed.success) throw interviewsError('bad_answer', BAD_ANSWER);
  const { interviews: items } = parsed.data;
  // A service may return fewer items than requested and states that in `limit`.
  const limit = Math.min(requested, parsed.data.limit || requested);
  const before = (cursor.page - 1) * limit;

  const interviews: SourceInterview[] = [];
  const unreadable: UnreadableItem[] = [];
  items.forEach((raw, index) => {
    const item = readInterview(raw, `#${before + index + 1}`);
    if (isUnreadable(item)) unreadable.push(item);
    else interviews.push(item);
  });
  const first = interviews[0]?.id ?? null;
  const reportedTotal = parsed.data.total ?? 0;
  const isLast = isLastPage({ cursor, first, items: items.length, limit, before, reportedTotal });
  return {
    interviews,
    unreadable,
    total: Math.max(reportedTotal, before + items.length),
    next: isLast ? null : { page: cursor.page + 1, first },
  };
}

/**
 * `total` can be wrong in both directions, so a full page always has a successor and an empty one
 * never has. A service that returns the same page for every number is detected beyond the reported
 * total.
 */
function isLastPage(at: {
  cursor: PageCursor;
  first: string | null;
  items: number;
  limit: number;
  before: number;
  reportedTotal: number;
}): boolean {
  if (at.items === 0 || at.cursor.page >= MAX_PAGES) return true;
  const repeats = at.first !== null && at.first === at.cursor.first && at.before >= at.reportedTotal;
  return repeats || (at.items < at.limit && at.before + at.limit >= at.reportedTotal);
}
