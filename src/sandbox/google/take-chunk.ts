import type { FaultOf } from '#sandbox/faults/fault.ts';
import type { Exchange } from '#sandbox/http/exchange.ts';
import { failAsGoogle } from './google-error.ts';
import type { GoogleParts } from './google-parts.ts';
import type { ReceivedRange, Upload } from './uploads.ts';

type ChunkFault = FaultOf<'upload-keeps-less' | 'upload-keeps-nothing' | 'upload-breaks' | 'upload-token-ends'>;

const CHUNK_UNIT = 256 * 1024;

/** A PUT to a session. It sends bytes, or requests the received number (`bytes * /total`). */
export async function takeChunk(parts: GoogleParts, exchange: Exchange): Promise<void> {
  const { uploads } = parts;
  const { faults } = exchange;
  const upload = uploads.session(exchange.query.get('upload_id') ?? '');
  const forgotten = upload && faults.take('upload-forgotten');
  if (forgotten) uploads.drop(upload);
  if (!upload || forgotten) return exchange.fail(forgotten?.status ?? 404, 'not_found', 'Upload not found.');

  upload.calls += 1;
  const range = String(exchange.request.headers['content-range'] ?? '');
  if (range === `bytes */${upload.sizeBytes}`) return sendProgress(parts, exchange, upload);
  const [, first, last] = /^bytes (\d+)-(\d+)\/\d+$/.exec(range) ?? [];
  if (first === undefined || !range.endsWith(`/${upload.sizeBytes}`)) return failAsGoogle(exchange, 'badRequest');
  const [start, end] = [Number(first), Number(last) + 1];
  const isWrong = start !== upload.kept || (end < upload.sizeBytes && (end - start) % CHUNK_UNIT !== 0);
  if (isWrong || end > upload.sizeBytes)
    return failAsGoogle(exchange, 'badRequest', 'Failed to parse Content-Range header.');

  const fault = faults.take('upload-keeps-less', 'upload-keeps-nothing', 'upload-breaks', 'upload-token-ends');
  await new ChunkReceipt(parts, exchange, upload).receive(start, fault);
}

/**
 * Responds with the video when the upload is complete. Otherwise returns 308 with the received
 * range, if any.
 */
function sendProgress({ uploads }: GoogleParts, exchange: Exchange, upload: Upload) {
  if (upload.kept < upload.sizeBytes) {
    const range = upload.kept > 0 ? { range: `bytes=0-${upload.kept - 1}` } : {};
    return exchange.send(308, 'text/plain', Buffer.alloc(0), range);
  }
  const isNew = upload.video === null;
  const forced = isNew ? exchange.faults.take('forced-private') : null;
  const video = uploads.publish(upload, forced ? 'private' : null);
  if (isNew && exchange.faults.take('response-lost')) return exchange.reset();
  exchange.json(200, {
    kind: 'youtube#video',
    id: video.id,
    snippet: { title: video.title, description: video.description },
    status: { uploadStatus: 'uploaded', privacyStatus: video.privacy },
  });
}

/** Receives the bytes of one call as they arrive. */
class ChunkReceipt {
  readonly #parts: GoogleParts;
  readonly #exchange: Exchange;
  readonly #upload: Upload;

  constructor(parts: GoogleParts, exchange: Exchange, upload: Upload) {
    this.#parts = parts;
    this.#exchange = exchange;
    this.#upload = upload;
  }

  async receive(start: number, fault: ChunkFault | null): Promise<void> {
    const range: ReceivedRange = { start, end: start, keptUntil: start };
    this.#upload.ranges.push(range);
    const max = maxKept(fault);
    const { calls } = this.#upload;
    try {
      for await (const part of this.#exchange.request as AsyncIterable<Buffer>) {
        if (calls !== this.#upload.calls) return this.#exchange.reset();
        range.end += part.length;
        const kept = part.subarray(0, Math.max(0, start + max - range.keptUntil));
        if (kept.length > 0) this.#parts.uploads.keep(this.#upload, kept);
        range.keptUntil += kept.length;
        if (fault?.kind === 'upload-breaks' && fault.how === 'reset' && range.end - start >= max) {
          return this.#exchange.reset();
        }
      }
    } catch {
      // The client disconnected; the received bytes are kept.
      return;
    }
    this.#respond(fault);
  }

  #respond(fault: ChunkFault | null) {
    if (fault?.kind === 'upload-breaks') return failAsGoogle(this.#exchange, 'backendError');
    if (fault?.kind === 'upload-token-ends') {
      this.#parts.tokens.expireAccessTokens();
      return failAsGoogle(this.#exchange, 'authError', 'Invalid Credentials');
    }
    if (fault?.kind === 'upload-keeps-nothing') {
      this.#parts.uploads.empty(this.#upload);
      const last = this.#upload.ranges.at(-1);
      if (last) last.keptUntil = last.start;
    }
    sendProgress(this.#parts, this.#exchange, this.#upload);
  }
}

const maxKept = (fault: ChunkFault | null) =>
  fault?.kind === 'upload-keeps-less'
    ? fault.bytes
    : fault && 'afterBytes' in fault
      ? fault.afterBytes
      : Number.POSITIVE_INFINITY;
