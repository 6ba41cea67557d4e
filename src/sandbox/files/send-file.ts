import type { OutgoingHttpHeaders } from 'node:http';
import type { RequestFaults } from '#sandbox/faults/fault-list.ts';
import type { Exchange } from '#sandbox/http/exchange.ts';
import type { FileSource } from './file-source.ts';
import { sendBody } from './send-body.ts';

/** Headers of a file after the faults were applied. */
interface Offer {
  etag: string | null;
  hasRanges: boolean;
  hasLength: boolean;
}

let changes = 0;

/** Handles GET and HEAD for one file, with ranges and conditions (RFC 9110, sections 13 and 14). */
export async function sendFile(exchange: Exchange, source: FileSource): Promise<void> {
  const { faults } = exchange;
  const offer = offerOf(faults, source);
  const { headers } = exchange.request;
  const common = headersOf(offer, source);
  if (offer.etag !== null && headers['if-none-match'] === offer.etag) {
    exchange.head(304, common);
    return exchange.end();
  }

  const range =
    offer.hasRanges && exchange.method === 'GET' && isFresh(headers['if-range'], offer, source)
      ? readRange(headers.range, source.size)
      : null;
  if (range === 'unsatisfiable') {
    return exchange.fail(416, 'range_not_satisfiable', 'The file is shorter.', {
      ...common,
      'content-range': `bytes */${source.size}`,
    });
  }
  const { start, end } = range ?? { start: 0, end: source.size };
  exchange.head(range ? 206 : 200, {
    ...common,
    'content-type': source.contentType,
    ...(offer.hasLength ? { 'content-length': end - start } : {}),
    ...(range ? { 'content-range': contentRange(range, source.size) } : {}),
  });
  if (exchange.method === 'HEAD') return exchange.end();
  await sendBody(exchange, source.chunks(start, end), faults.take('broken', 'truncated', 'stall', 'slow'));
}

function offerOf(faults: RequestFaults, source: FileSource): Offer {
  const tag = faults.take('no-etag', 'changing-etag');
  if (tag?.kind === 'changing-etag') changes += 1;
  return {
    etag: tag?.kind === 'no-etag' ? null : tag ? `"changed-${changes}"` : source.etag,
    hasRanges: faults.take('no-range') === null,
    hasLength: faults.take('no-content-length') === null,
  };
}

const headersOf = ({ etag, hasRanges }: Offer, { modifiedAt }: FileSource): OutgoingHttpHeaders => ({
  'last-modified': modifiedAt.toUTCString(),
  ...(etag === null ? {} : { etag }),
  ...(hasRanges ? { 'accept-ranges': 'bytes' } : {}),
});

const isFresh = (ifRange: string | string[] | undefined, { etag }: Offer, { modifiedAt }: FileSource) =>
  ifRange === undefined || ifRange === etag || ifRange === modifiedAt.toUTCString();

const contentRange = ({ start, end }: Range, size: number) => `bytes ${start}-${end - 1}/${size}`;

export type Range = { start: number; end: number };

/**
 * Reads a `Range` header; `end` is exclusive. Returns null when the whole file is to be sent: no
 * header, an invalid one, or several ranges, which a server may ignore (RFC 9110, section 14.2).
 */
export function readRange(header: string | undefined, size: number): Range | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [, first = '', last = ''] = match;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) };
}
