import type { OutgoingHttpHeaders } from 'node:http';
import type { FaultList, FaultSubject } from '../faults/fault-list.ts';
import type { Exchange } from '../http/exchange.ts';
import type { FileSource } from './file-source.ts';
import { type Range, readRange } from './range.ts';
import { sendBody } from './send-body.ts';

/** What is said about a file besides its bytes, after the faults have had their say. */
interface Offer {
  etag: string | null;
  hasRanges: boolean;
  hasLength: boolean;
}

let changes = 0;

/** Answers GET and HEAD for one file, with ranges and conditions (RFC 9110, sections 13 and 14). */
export async function sendFile(
  exchange: Exchange,
  faults: FaultList,
  subject: FaultSubject,
  source: FileSource,
): Promise<void> {
  const offer = offerOf(faults, subject, source);
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
    return exchange.fail(416, 'range_not_satisfiable', 'The file ends before that.', {
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
  await sendBody(exchange, source.chunks(start, end), faults.take(subject, 'broken', 'truncated', 'stall', 'slow'));
}

function offerOf(faults: FaultList, subject: FaultSubject, source: FileSource): Offer {
  const tag = faults.take(subject, 'no-etag', 'changing-etag');
  if (tag?.kind === 'changing-etag') changes += 1;
  return {
    etag: tag?.kind === 'no-etag' ? null : tag ? `"changed-${changes}"` : source.etag,
    hasRanges: faults.take(subject, 'no-range') === null,
    hasLength: faults.take(subject, 'no-content-length') === null,
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
