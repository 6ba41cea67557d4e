import { z } from 'zod';
import {
  isUnreadable,
  type SourceCursor,
  type SourceInterview,
  type SourcePage,
} from '#server/ports/interview-source.ts';
import { addPage, LIST_START, ListProgress } from '#server/sources/list-progress.ts';
import { interviewsError } from '#server/sources/source-client.ts';
import { readInterview } from './read-interview.ts';
import { BAD_RESPONSE } from './rest-client.ts';

/** Position in the list: a page number from 1, and the first id of the previous page. */
export type PageCursor = SourceCursor & ListProgress & { page: number; first: string | null };

/** The largest number that the database stores; a larger one is not a count of interviews. */
const MAX_COUNT = 2 ** 31 - 1;
/** 0 when it is missing. */
const count = z.int().nonnegative().max(MAX_COUNT).catch(0);
const Page = z.object({ interviews: z.array(z.unknown()), total: count, limit: count });
const Cursor = ListProgress.extend({ page: z.int().positive(), first: z.string().nullish().default(null) });

/** Bounds a list that never ends. */
const MAX_INTERVIEWS = 10_000_000;
/** A list may grow while it is read, but not to many times its reported total. */
const MAX_TOTAL_FACTOR = 10;
const ALWAYS_ALLOWED_INTERVIEWS = 1_000;

/** The request, to be compared with its response. */
export interface PageRequest {
  cursor: PageCursor;
  /** The number of items requested. */
  limit: number;
  /** The id of the interview whose transcript is read. Null for none. */
  transcriptOf: string | null;
}

/** Returns the cursor of a page; null means the first one. */
export const pageCursor = (cursor: SourceCursor | null): PageCursor =>
  Cursor.parse(cursor ?? { ...LIST_START, page: 1 });

/**
 * Reads the response to a request.
 * @throws UpstreamError `bad_response`
 */
export function readPage(raw: unknown, { cursor, limit: requested, transcriptOf }: PageRequest): SourcePage {
  const parsed = Page.safeParse(raw);
  if (!parsed.success) throw interviewsError('bad_response', BAD_RESPONSE);
  const { interviews: items, total: reportedTotal } = parsed.data;
  // Before any of them is read, because reading millions of items takes minutes.
  if (items.length > requested) throw tooManyItems(items.length, requested);
  // A service may return fewer items than requested and states that in `limit`.
  const limit = Math.min(requested, parsed.data.limit || requested);
  const before = (cursor.page - 1) * limit;
  const read = before + items.length;
  expectEnd(read, reportedTotal);

  const all = items.map((item, index) => readInterview(item, { place: `#${before + index + 1}`, transcriptOf }));
  const interviews = all.filter((item): item is SourceInterview => !isUnreadable(item));
  const unreadable = all.filter(isUnreadable);
  const first = interviews[0]?.id ?? null;
  const isLast = isLastPage({ cursor, first, items: items.length, limit, before, reportedTotal });
  const ids = [...interviews, ...unreadable].map(({ id }) => id);
  const progress = isLast ? null : addPage(cursor, { ids, total: null, pageSize: limit });
  if (!isLast && !progress) throw endless(read, reportedTotal);
  return {
    interviews,
    unreadable,
    total: Math.max(reportedTotal, read),
    next: progress && { ...progress, page: cursor.page + 1, first },
  };
}

const tooManyItems = (sent: number, requested: number) =>
  interviewsError(
    'bad_response',
    `The interview service sent ${sent} interviews at once, but at most ${requested} were requested. Ask an admin to check INTERVIEW_SERVICE_URL.`,
  );

/**
 * A total of 0 counts as missing: services without a total are read to their end.
 * @throws UpstreamError for a list that does not end where it should
 */
function expectEnd(read: number, reportedTotal: number): void {
  const reasonable = reportedTotal * MAX_TOTAL_FACTOR + ALWAYS_ALLOWED_INTERVIEWS;
  const max = reportedTotal > 0 ? Math.min(reasonable, MAX_INTERVIEWS) : MAX_INTERVIEWS;
  if (read <= max) return;
  throw endless(read, reportedTotal);
}

const endless = (read: number, reportedTotal: number) =>
  interviewsError(
    'bad_response',
    `The interview service's list does not end: it reports ${reportedTotal || 'no'} interviews and sent ${read}. What was synced was saved. Ask an admin to check INTERVIEW_SERVICE_URL.`,
  );

/**
 * `total` can be wrong in both directions, so a full page always has a successor and an empty one
 * never has. Beyond the reported total, a service that returns the same page for every number has
 * sent its whole list; before it, interviews are missing, and `addPage` detects the repetition.
 */
function isLastPage(at: {
  cursor: PageCursor;
  first: string | null;
  items: number;
  limit: number;
  before: number;
  reportedTotal: number;
}): boolean {
  if (at.items === 0) return true;
  const repeats = at.first !== null && at.first === at.cursor.first && at.before >= at.reportedTotal;
  return repeats || (at.items < at.limit && at.before + at.limit >= at.reportedTotal);
}
