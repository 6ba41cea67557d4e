import { randomUUID } from 'node:crypto';
import { endlessItems } from '#sandbox/faults/endless-list.ts';
import type { RequestFaults } from '#sandbox/faults/fault-list.ts';
import type { Exchange } from '#sandbox/http/exchange.ts';
import { sleepWhileConnected } from '#sandbox/http/exchange.ts';
import type { InterviewStore } from './interview-store.ts';
import type { ListQuery } from './list-query.ts';
import type { Signatures } from './signatures.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const COMMA = Buffer.from(',');

/** Sends one page, modified by the faults. */
export async function sendList(
  exchange: Exchange,
  { store, signatures }: InterviewServiceParts,
  funnelId: string,
  query: ListQuery,
): Promise<void> {
  const { faults } = exchange;
  const fault = faults.take('bad-json', 'wrong-shape', 'truncated-list');
  if (fault?.kind === 'bad-json') return exchange.send(200, JSON_TYPE, Buffer.from('{"interviews":[{"id":"iv_1",'));
  if (fault?.kind === 'wrong-shape') {
    return exchange.json(
      200,
      fault.body ?? { interviews: { items: [] }, total: 0, page: query.page, limit: query.limit },
    );
  }

  const endless = faults.take('endless');
  if (endless) {
    const { page, limit } = query;
    const items = endlessItems(endless, { offset: (page - 1) * limit, limit });
    const interviews = items.map(({ id, text }) => ({ id, description: text }));
    return exchange.json(200, { interviews, total: endless.total, page, limit });
  }

  const overlap = faults.take('duplicate-ids')?.count ?? 0;
  const { items, total } = pageOf(store.list(funnelId).select(query), query, overlap);
  const changeUrl = urlChange(faults, signatures);
  const bodies = items.map(({ body }) => (changeUrl ? withUrls(body, changeUrl) : body));
  const body = pageBody(bodies, `],"total":${total},"page":${query.page},"limit":${query.limit}}`);
  if (fault?.kind === 'truncated-list') return truncate(exchange, body, fault.afterBytes ?? body.length >> 1);
  exchange.send(200, JSON_TYPE, body);
}

interface Selection<Item> {
  total: number;
  slice(start: number, end: number): Item[];
}

/**
 * Returns the items of a page. With an overlap each page starts `overlap` items before the end of
 * the previous one, and the total includes the repeated items, so that a reader that trusts `total`
 * still reaches the end.
 */
function pageOf<Item>({ total, slice }: Selection<Item>, { page, limit }: ListQuery, overlap: number) {
  const stride = Math.max(1, limit - overlap);
  const repeated = limit - stride;
  const pages = Math.max(1, Math.ceil((total - repeated) / stride));
  const start = (page - 1) * stride;
  return { items: page > pages ? [] : slice(start, start + limit), total: total + repeated * (pages - 1) };
}

function pageBody(bodies: Buffer[], tail: string): Buffer {
  const parts: Buffer[] = [Buffer.from('{"interviews":[')];
  for (const [index, body] of bodies.entries()) {
    if (index > 0) parts.push(COMMA);
    parts.push(body);
  }
  parts.push(Buffer.from(tail));
  return Buffer.concat(parts);
}

type UrlChange = (url: string) => string;

/** Returns null when URLs are sent unchanged. */
function urlChange(faults: RequestFaults, signatures: Signatures): UrlChange | null {
  if (faults.take('signed-urls')) return (url) => signatures.sign(url);
  const nonce = faults.take('changing-parameter') && randomUUID();
  return nonce ? (url) => `${url}?nonce=${nonce}` : null;
}

const withUrls = (body: Buffer, change: UrlChange) =>
  Buffer.from(
    body.toString().replace(/"(videoUrl|thumbnailUrl)":"(http[^"]+)"/g, (_, key, url) => `"${key}":"${change(url)}"`),
  );

async function truncate(exchange: Exchange, body: Buffer, afterBytes: number): Promise<void> {
  exchange.head(200, { 'content-type': JSON_TYPE, 'content-length': body.length });
  await exchange.write(body.subarray(0, afterBytes));
  await sleepWhileConnected(exchange, 20);
  exchange.hangUp();
}

/** State of the simulated interview service. */
export interface InterviewServiceParts {
  store: InterviewStore;
  signatures: Signatures;
  /** The service's own limit for the size of a page. */
  maxPerPage: number;
}
