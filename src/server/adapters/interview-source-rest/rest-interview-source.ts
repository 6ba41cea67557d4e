import type { CreatedRange, InterviewSource, SourceAccess, SourceCursor } from '#server/ports/interview-source.ts';
import { RETRY_POLICY, type RetryPolicy } from '../http-retry/retry.ts';
import { interviewsError, refusalError } from './call-error.ts';
import { pageCursor, readPage } from './read-page.ts';
import { ServiceClient } from './service-client.ts';

export interface RestSourceOptions {
  /** The service's base address, without a slash at its end; empty when none is configured. */
  baseUrl: string;
  /** For one try, from the first byte sent to the last one received. */
  timeoutMs?: number;
  retry?: RetryPolicy;
  /** Interviews asked for at once; the service may give fewer. */
  pageSize?: number;
  /** A longer answer is not read to its end. */
  longestAnswerBytes?: number;
}

/** The contract's own. */
const PAGE_SIZE = 100;
const TIMEOUT_MS = 30_000;
/** A hundred interviews are some hundred kilobytes; this only stops an answer without end. */
const LONGEST_ANSWER = 64 * 2 ** 20;
/** An interview that is not where its date says is looked for in so many pages. */
const SEARCHED_PAGES = 100;
const EVERYTHING: CreatedRange = { createdAfter: null, createdBefore: null };

/** The interview service's REST interface: numbered pages, filtered by the service. */
export function restInterviewSource({
  baseUrl,
  timeoutMs = TIMEOUT_MS,
  retry = RETRY_POLICY,
  pageSize = PAGE_SIZE,
  longestAnswerBytes = LONGEST_ANSWER,
}: RestSourceOptions): InterviewSource {
  const client = new ServiceClient({ timeoutMs, retry, longestAnswerBytes });

  const source: InterviewSource = {
    async page(access, range, cursor, signal) {
      const at = pageCursor(cursor);
      const url = listUrl(baseUrl, access);
      url.searchParams.set('page', String(at.page));
      url.searchParams.set('limit', String(pageSize));
      if (range.createdAfter) url.searchParams.set('createdAfter', range.createdAfter.toISOString());
      if (range.createdBefore) url.searchParams.set('createdBefore', range.createdBefore.toISOString());
      return readPage(await client.getJson(url, access, signal), at, pageSize);
    },

    // The service has no call for one interview; the moment of its creation narrows the list to it.
    async find(access, { id, createdAt }, signal) {
      const near = createdAt && (await search(access, momentAround(createdAt), id, signal));
      return near ?? search(access, EVERYTHING, id, signal);
    },
  };

  async function search(access: SourceAccess, range: CreatedRange, id: string, signal: AbortSignal) {
    let cursor: SourceCursor | null = null;
    for (let pages = 0; pages < SEARCHED_PAGES; pages += 1) {
      const page = await source.page(access, range, cursor, signal);
      const found = page.interviews.find((interview) => interview.id === id);
      if (found) return found;
      cursor = page.next;
      if (!cursor) break;
    }
    return null;
  }

  return source;
}

/** A millisecond to both sides: the service may keep finer times than we do. */
const momentAround = (moment: Date): CreatedRange => ({
  createdAfter: new Date(moment.getTime() - 1),
  createdBefore: new Date(moment.getTime() + 1),
});

/** @throws UpstreamError when there is no such address */
function listUrl(baseUrl: string, access: SourceAccess): URL {
  const funnelId = access.funnelId.toWellFormed();
  // As a path segment these two mean another folder, whatever is done to them.
  if (/^\.{0,2}$/.test(funnelId)) throw refusalError({ status: 404, retryAfter: undefined, message: null }, funnelId);
  const url = URL.parse(`${baseUrl}/funnels/${encodeURIComponent(funnelId)}/interviews`);
  if (url) return url;
  throw interviewsError(
    'rejected',
    'No interview service is configured. An administrator should set INTERVIEW_SERVICE_URL to its address.',
  );
}
