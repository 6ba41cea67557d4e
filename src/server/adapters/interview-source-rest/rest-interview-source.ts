import type {
  CreatedRange,
  InterviewSource,
  SourceAccess,
  SourceCursor,
  SourcePage,
} from '#server/ports/interview-source.ts';
import { RETRY_POLICY, type RetryPolicy } from '../http-retry/retry.ts';
import { pageCursor, readPage } from './read-page.ts';
import { ServiceClient } from './service-client.ts';

export interface RestSourceOptions {
  /** The service's base address, without a slash at its end. */
  baseUrl: string;
  /** For one try, from the first byte sent to the last one received. */
  timeoutMs?: number;
  retry?: RetryPolicy;
}

/** The most that the service gives at once, by its contract. */
const PAGE_SIZE = 100;
const TIMEOUT_MS = 30_000;
/** A hundred interviews are some hundred kilobytes; this only stops an answer without end. */
const LONGEST_ANSWER = 64 * 1024 * 1024;
const EVERYTHING: CreatedRange = { createdAfter: null, createdBefore: null };

/** The interview service's REST interface: numbered pages, filtered by the service. */
export function restInterviewSource({
  baseUrl,
  timeoutMs = TIMEOUT_MS,
  retry = RETRY_POLICY,
}: RestSourceOptions): InterviewSource {
  const client = new ServiceClient({ timeoutMs, retry, longestAnswerBytes: LONGEST_ANSWER });

  const page = async (
    access: SourceAccess,
    range: CreatedRange,
    cursor: SourceCursor | null,
    signal: AbortSignal,
  ): Promise<SourcePage> => {
    const at = pageCursor(cursor);
    return readPage(await client.getJson(listUrl(baseUrl, access, range, at.page), access, signal), at, PAGE_SIZE);
  };

  return {
    page,
    async find(access, { id, createdAt }, signal) {
      // The service has no call for one interview; the moment of its creation narrows the list to it.
      const range = createdAt
        ? { createdAfter: new Date(createdAt.getTime() - 1), createdBefore: createdAt }
        : EVERYTHING;
      let cursor: SourceCursor | null = null;
      do {
        const { interviews, next }: SourcePage = await page(access, range, cursor, signal);
        const found = interviews.find((interview) => interview.id === id);
        if (found) return found;
        cursor = next;
      } while (cursor);
      return null;
    },
  };
}

function listUrl(
  baseUrl: string,
  { funnelId }: SourceAccess,
  { createdAfter, createdBefore }: CreatedRange,
  page: number,
): URL {
  const url = new URL(`${baseUrl}/funnels/${encodeURIComponent(funnelId)}/interviews`);
  url.searchParams.set('page', String(page));
  url.searchParams.set('limit', String(PAGE_SIZE));
  if (createdAfter) url.searchParams.set('createdAfter', createdAfter.toISOString());
  if (createdBefore) url.searchParams.set('createdBefore', createdBefore.toISOString());
  return url;
}
