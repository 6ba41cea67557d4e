/** One request to the list. */
export interface ListCase {
  name: string;
  /** Query parameters besides page and limit. */
  query: Record<string, string>;
  /**
   * That request as a condition on `interview AS i`, `funnel AS f` and `interview_text AS t`,
   * for the plain count.
   */
  condition: string;
  /** Requested pages in turn, as shares of the last page. Default: the first page. */
  depths?: readonly number[];
}

const DEEP = [0.9, 0.5, 0.7, 0.99, 0.3, 0.6, 0.8];

const RESULT = `(i.youtube_id IS NOT NULL OR i.transcription_status IS NOT DISTINCT FROM 'completed' OR i.summary_status IS NOT DISTINCT FROM 'completed')`;
const step = (status: string) => `'${status}' IN (i.youtube_status, i.transcription_status, i.summary_status)`;
const BUSY = `coalesce(${step('in-progress')}, false)`;

/** Section 4 of the specification, written independently of the product to check its totals. */
const STATUSES = {
  new: `NOT ${RESULT} AND i.destination_id IS NULL`,
  processing: BUSY,
  pending: `${RESULT} AND NOT ${BUSY} AND i.destination_id IS NULL`,
  sent: 'i.destination_id IS NOT NULL',
  error: step('failed'),
};

/**
 * A search word matches part of a title, name, address, id or client, or the start of any word in
 * the texts.
 */
const has = (word: string) => `(
  i.title ILIKE '%${word}%' OR i.candidate_name ILIKE '%${word}%' OR i.candidate_email ILIKE '%${word}%' OR i.id ILIKE '%${word}%'
  OR f.client_name ILIKE '%${word}%' OR t.words @@ to_tsquery('simple', '''${word}'':*'))`;

/** Every filter and search of the dashboard, for the data of seed-interviews.ts. */
export const LIST_CASES: readonly ListCase[] = [
  { name: 'default page', query: {}, condition: 'true' },
  { name: 'deep page', query: {}, condition: 'true', depths: DEEP },
  { name: 'longest first', query: { sort: 'longest' }, condition: 'true' },
  { name: 'archived', query: { archived: '1' }, condition: 'true' },
  { name: 'archived, deep page', query: { archived: '1' }, condition: 'true', depths: DEEP },
  { name: 'archived, common search term', query: { archived: '1', search: 'engineer' }, condition: has('engineer') },
  { name: 'funnel', query: { funnelId: '7' }, condition: 'i.funnel_id = 7' },
  { name: 'client', query: { clientName: 'Client C' }, condition: `f.client_name = 'Client C'` },
  ...Object.entries(STATUSES).map(([status, condition]) => ({
    name: `status ${status}`,
    query: { status },
    condition,
  })),
  {
    name: 'ready to send',
    query: { ready: '1' },
    condition: `i.youtube_id IS NOT NULL AND i.destination_id IS NULL AND i.transcription_status = 'completed' AND i.summary_status = 'completed'`,
  },
  {
    name: 'date range',
    query: { startDate: '2025-03-04T10:30:00Z', endDate: '2025-09-20T18:45:00Z' },
    condition: `i.recorded_at BETWEEN '2025-03-04T10:30:00Z' AND '2025-09-20T18:45:00Z'`,
  },
  {
    name: 'client, status and dates, deep page',
    query: {
      clientName: 'Client C',
      status: 'sent',
      startDate: '2024-12-31T22:00:00Z',
      endDate: '2026-06-30T21:59:59Z',
    },
    condition: `f.client_name = 'Client C' AND ${STATUSES.sent} AND i.recorded_at BETWEEN '2024-12-31T22:00:00Z' AND '2026-06-30T21:59:59Z'`,
    depths: DEEP,
  },
  { name: 'rare search term', query: { search: '7712@' }, condition: has('7712@') },
  { name: 'common search term', query: { search: 'engineer' }, condition: has('engineer') },
  { name: 'common search term, deep page', query: { search: 'engineer' }, condition: has('engineer'), depths: DEEP },
  { name: 'search in transcripts', query: { search: 'kubernetes' }, condition: has('kubernetes') },
  { name: 'two words', query: { search: 'amara nurse' }, condition: `${has('amara')} AND ${has('nurse')}` },
  {
    name: 'unwatched, deep page',
    query: { unwatched: '1' },
    condition: 'NOT EXISTS (SELECT FROM watched WHERE interview_id = i.id)',
    depths: DEEP,
  },
  { name: 'search that finds nothing', query: { search: 'zyxwvu' }, condition: has('zyxwvu') },
];
