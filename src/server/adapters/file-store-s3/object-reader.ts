import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Dispatcher, request } from 'undici';
import { outsideAgent } from '#server/adapters/outside-http/outside-call.ts';
import { FileStoreError } from '#server/ports/file-store.ts';
import { findErrorCode } from '#server/ports/tls-problem.ts';
import type { Bucket } from './bucket.ts';
import { s3Error, statusError } from './s3-error.ts';

export type ObjectBody = Dispatcher.ResponseData['body'];

/** The bytes from `start` to before `end` of one version of an object. */
export interface ObjectRange {
  key: string;
  etag: string;
  start: number;
  end: number;
}

/** Receives the facts about an object from each response. */
export interface ReadObserver {
  onUnchanged(key: string): void;
  /** The object has another version or was removed. */
  onChanged(key: string): void;
}

const SIGNED_SECONDS = 900;
/** Shorter than the validity, so that a URL does not expire on its way. */
const REUSE_MS = 600_000;
const MAX_URLS = 2_000;

const CONNECTIONS = 128;
const TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;
const RETRY_DELAY_MS = 100;

/**
 * Reads ranges of objects. Signing a URL costs as much as serving a small range, so a URL
 * is signed once and used for every range within ten minutes.
 */
export class ObjectReader {
  readonly #bucket: Bucket;
  readonly #urls = new LRUCache<string, Promise<string>>({ max: MAX_URLS, ttl: REUSE_MS });
  readonly #agent: Dispatcher;
  readonly #observer: ReadObserver;

  constructor(bucket: Bucket, observer: ReadObserver) {
    this.#bucket = bucket;
    this.#observer = observer;
    this.#agent = outsideAgent(
      {
        connections: CONNECTIONS,
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
      },
      bucket.proxy,
    );
  }

  /**
   * Requests a range, again when the connection breaks, the service is busy, or the URL is no
   * longer accepted.
   * @throws FileStoreError, `changed` when the object has another version or was removed
   */
  async request(range: ObjectRange): Promise<ObjectBody> {
    try {
      return await this.#requestOnce(range);
    } catch (error) {
      if (!(error instanceof FileStoreError) || error.kind === 'changed') throw error;
      this.#urls.delete(range.key);
      await sleep(RETRY_DELAY_MS);
      return this.#requestOnce(range);
    }
  }

  async #requestOnce({ key, etag, start, end }: ObjectRange): Promise<ObjectBody> {
    const url = await this.#urlOf(key);
    const headers = { range: `bytes=${start}-${end - 1}`, 'if-match': `"${etag}"` };
    const { statusCode, body } = await request(url, { dispatcher: this.#agent, headers }).catch((error) => {
      throw s3Error(error, this.#bucket, 'read');
    });
    // A reader that closes a range early causes an error event of its body.
    body.on('error', () => {});
    if (statusCode === 206 || (statusCode === 200 && start === 0)) {
      this.#observer.onUnchanged(key);
      return body;
    }
    await body.dump().catch(() => {});
    if (![404, 412, 416].includes(statusCode)) throw statusError(statusCode, this.#bucket);
    this.#observer.onChanged(key);
    throw new FileStoreError('changed', 'The file was replaced or removed while it was being read. Try again.');
  }

  #urlOf(key: string): Promise<string> {
    const known = this.#urls.get(key);
    if (known) return known;
    const signing = this.#bucket.signForReading(key, SIGNED_SECONDS);
    this.#urls.set(key, signing);
    signing.catch(() => this.#urls.delete(key));
    return signing;
  }

  brokenError(cause: unknown): FileStoreError {
    const { place } = this.#bucket;
    const code = findErrorCode(cause);
    const message = `The connection to ${place} broke${code ? ` (${code})` : ''}. Try again.`;
    return new FileStoreError('unreachable', message, { cause });
  }
}
