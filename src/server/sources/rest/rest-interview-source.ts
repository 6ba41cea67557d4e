import type {
  CreatedRange,
  InterviewSource,
  SourceAccess,
  SourceCursor,
  SourcePage,
} from '#server/ports/interview-source.ts';
import { type ClientSettings, interviewsError } from '#server/sources/source-client.ts';
import { pageParser } from './parse-page.ts';
import { pageCursor } from './read-page.ts';
import { RestClient, unknownFunnel } from './rest-client.ts';

export interface RestSourceOptions extends ClientSettings {
  /** Base URL of the service without a trailing slash; empty if none is configured. */
  baseUrl: string;
  /** Interviews requested per page; the service may return fewer. */
  pageSize?: number;
}

/** The default of the contract. */
const PAGE_SIZE = 100;
/** Pages searched for an interview that is not at its creation time. */
const MAX_SEARCHED_PAGES = 100;
const EVERYTHING: CreatedRange = { createdAfter: null, createdBefore: null };

/** The interview service's REST interface: numbered pages, filtered by the service. */
export function restInterviewSource({
  baseUrl,
  pageSize = PAGE_SIZE,
  ...settings
}: RestSourceOptions): InterviewSource {
  const client = new RestClient(settings);
  const parse = pageParser();

  return {
    page(access, range, cursor, signal) {
      return readList(access, { range, cursor, transcriptOf: null }, signal);
    },

    // The service has no call for one interview; its creation time narrows the list.
    async find(access, { id, createdAt }, signal) {
      const near = createdAt && (await search(access, momentAround(createdAt), id, signal));
      return near ?? search(access, EVERYTHING, id, signal);
    },

    // The service does not report a name.
    async check(access, signal) {
      const { total } = await readList(access, { range: EVERYTHING, cursor: null, transcriptOf: null }, signal);
      return { name: access.funnelId, interviews: total };
    },

    positions: async () => null,
  };

  async function readList(access: SourceAccess, list: ListPage, signal: AbortSignal): Promise<SourcePage> {
    const { createdAfter, createdBefore } = list.range;
    const cursor = pageCursor(list.cursor);
    const url = listUrl(baseUrl, access);
    url.searchParams.set('page', String(cursor.page));
    url.searchParams.set('limit', String(pageSize));
    if (createdAfter) url.searchParams.set('createdAfter', createdAfter.toISOString());
    if (createdBefore) url.searchParams.set('createdBefore', createdBefore.toISOString());
    const response = await client.get(url, access, signal);
    return parse(response, { cursor, limit: pageSize, transcriptOf: list.transcriptOf }, signal);
  }

  async function search(access: SourceAccess, range: CreatedRange, id: string, signal: AbortSignal) {
    let cursor: SourceCursor | null = null;
    for (let pages = 0; pages < MAX_SEARCHED_PAGES; pages += 1) {
      const page = await readList(access, { range, cursor, transcriptOf: id }, signal);
      const found = page.interviews.find((interview) => interview.id === id);
      if (found) return found;
      cursor = page.next;
      if (!cursor) break;
    }
    return null;
  }
}

interface ListPage {
  range: CreatedRange;
  cursor: SourceCursor | null;
  /** The id of the interview whose transcript is read. Null for none. */
  transcriptOf: string | null;
}

/** A millisecond in both directions, because the service may store finer times. */
const momentAround = (moment: Date): CreatedRange => ({
  createdAfter: new Date(moment.getTime() - 1),
  createdBefore: new Date(moment.getTime() + 1),
});

/** @throws UpstreamError if there is no such URL */
function listUrl(baseUrl: string, access: SourceAccess): URL {
  const funnelId = access.funnelId.toWellFormed();
  // `.` and `..` change the path of a URL, however they are encoded.
  if (/^\.{0,2}$/.test(funnelId)) throw unknownFunnel(funnelId);
  const url = URL.parse(`${baseUrl}/funnels/${encodeURIComponent(funnelId)}/interviews`);
  if (url) return url;
  throw interviewsError(
    'rejected',
    "Syncing isn't set up yet. Ask an admin to set INTERVIEW_SERVICE_URL and restart the server.",
  );
}
