import { z } from 'zod';
import type { SourceCursor, SourceInterview, SourcePage, UnreadableItem } from '#server/ports/interview-source.ts';
import { interviewsError } from './call-error.ts';
import { isUnreadable, readInterview } from './read-interview.ts';
import { BAD_ANSWER } from './service-client.ts';

/** Where the list is read: a page from 1 on, and the first id of the page before. */
export type PageCursor = SourceCursor & { page: number; first: string | null };

const count = z.int().nonnegative().nullish().catch(null);
const Page = z.object({ interviews: z.array(z.unknown()), total: count, limit: count });
const Cursor = z.object({ page: z.int().positive(), first: z.string().nullish().default(null) });

/** A list that does not end is not read for ever: a million pages of a hundred. */
const MOST_PAGES = 1_000_000;

/** The cursor of a page, the first one for null. */
export const pageCursor = (cursor: SourceCursor | null): PageCursor => Cursor.parse(cursor ?? { page: 1 });

/**
 * Reads the answer to a list call that asked for `asked` items.
 * @throws UpstreamError `bad_answer`
 */
export function readPage(raw: unknown, cursor: PageCursor, asked: number): SourcePage {
  const parsed = Page.safeParse(raw);
  if (!parsed.success) throw interviewsError('bad_answer', BAD_ANSWER);
  const { interviews: items } = parsed.data;
  // A service may give less than we ask for, and then says so.
  const limit = Math.min(asked, parsed.data.limit || asked);
  const before = (cursor.page - 1) * limit;

  const interviews: SourceInterview[] = [];
  const unreadable: UnreadableItem[] = [];
  items.forEach((raw, index) => {
    const item = readInterview(raw, `#${before + index + 1}`);
    if (isUnreadable(item)) unreadable.push(item);
    else interviews.push(item);
  });
  const first = interviews[0]?.id ?? null;
  const promised = parsed.data.total ?? 0;
  const isLast = endsHere({ cursor, first, items: items.length, limit, before, promised });
  return {
    interviews,
    unreadable,
    total: Math.max(promised, before + items.length),
    next: isLast ? null : { page: cursor.page + 1, first },
  };
}

/**
 * `total` may lie, in both directions, so a full page has a successor whatever it says, and an empty one has none. A service that
 * gives the same page for every number is noticed once we are past what it promised.
 */
function endsHere(at: {
  cursor: PageCursor;
  first: string | null;
  items: number;
  limit: number;
  before: number;
  promised: number;
}): boolean {
  if (at.items === 0 || at.cursor.page >= MOST_PAGES) return true;
  const repeats = at.first !== null && at.first === at.cursor.first && at.before >= at.promised;
  return repeats || (at.items < at.limit && at.before + at.limit >= at.promised);
}
