import { type Dispatcher, stream } from 'undici';
import { ForeignHost, PrivateAddress } from '#server/adapters/outside-http/guarded-agent.ts';
import { findReason } from '#server/adapters/outside-http/outside-call.ts';
import { type FileKind, FileStoreError, type PartialFile } from '#server/ports/file-store.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { PartialWriter, tooLarge } from './partial-writer.ts';
import { ContentChanged, fileError, type Part, Redirected, readDownloadResponse, UrlExpired } from './response.ts';

/** Identifies the content of a partial file. */
export interface ContentIdentity {
  validator: string | null;
  total: number | null;
}

export interface TryOptions {
  dispatcher: Dispatcher;
  /** A connection without a byte for this long counts as broken. */
  idleMs: number;
  maxBytes: number;
  kind: FileKind;
  signal: AbortSignal;
  onBytes: (bytes: number) => void;
}

const MAX_REDIRECTS = 5;
const NO_IDENTITY: ContentIdentity = { validator: null, total: null };

/** The download of one file: its URL, its partial file, and what identifies the content. */
export class DownloadTry {
  readonly #url: string;
  readonly #partial: PartialFile;
  readonly #options: TryOptions;
  #identity: ContentIdentity;

  constructor(url: string, partial: PartialFile, identity: ContentIdentity | null, options: TryOptions) {
    this.#url = url;
    this.#partial = partial;
    this.#options = options;
    this.#identity = identity ?? NO_IDENTITY;
  }

  get identity(): ContentIdentity {
    return this.#identity;
  }

  /**
   * Continues where an earlier call stopped if the server still has the same content; otherwise
   * restarts.
   * @throws UrlExpired, UpstreamError, FileStoreError, or the signal's reason
   */
  async complete(): Promise<void> {
    if (this.#isComplete()) return;
    try {
      await this.#followRedirects(this.#url, MAX_REDIRECTS);
    } catch (error) {
      if (!(error instanceof ContentChanged)) throw error;
      this.#identity = NO_IDENTITY;
      await this.#followRedirects(this.#url, MAX_REDIRECTS);
    }
    if (this.#partial.size === 0) throw fileError('bad_response', 'The file is empty at the interview service.');
    const { total } = this.#identity;
    if (total !== null && this.#partial.size !== total) throw incomplete();
  }

  #isComplete(): boolean {
    return this.#identity.validator !== null && this.#partial.size > 0 && this.#partial.size === this.#identity.total;
  }

  async #followRedirects(url: string, redirectsLeft: number): Promise<void> {
    try {
      await this.#fetch(httpUrl(url));
    } catch (error) {
      if (!(error instanceof Redirected)) throw error;
      const target = URL.parse(error.location, url)?.href ?? '';
      if (redirectsLeft === 0) throw fileError('rejected', 'Too many redirects.');
      await this.#followRedirects(target, redirectsLeft - 1);
    }
  }

  async #fetch(url: URL): Promise<void> {
    const { dispatcher, idleMs, signal, onBytes } = this.#options;
    // The client's own timeouts are accurate to a second only.
    const idle = new AbortController();
    const timer = setTimeout(() => idle.abort(), idleMs);
    const { validator } = this.#identity;
    const from = validator === null ? 0 : this.#partial.size;
    const range = from > 0 && validator !== null ? { range: `bytes=${from}-`, 'if-range': validator } : {};
    let writer: PartialWriter | null = null;
    let problem: unknown;
    try {
      await stream(
        url,
        {
          method: 'GET',
          dispatcher,
          signal: AbortSignal.any([signal, idle.signal]),
          headersTimeout: 0,
          bodyTimeout: 0,
          headers: { accept: '*/*', 'accept-encoding': 'identity', ...range },
        },
        ({ statusCode, headers }) => {
          try {
            timer.refresh();
            writer = this.#writerFor(readDownloadResponse(statusCode, headers, from), (bytes) => {
              timer.refresh();
              onBytes(bytes);
            });
            return writer;
          } catch (error) {
            problem = error;
            // Throwing ends the connection; the body of such a response is useless.
            throw error;
          }
        },
      );
    } catch (error) {
      throw problem ?? this.#translateError(error);
    } finally {
      clearTimeout(timer);
      await (writer as PartialWriter | null)?.idle();
    }
  }

  #writerFor(part: Part, onBytes: (bytes: number) => void): PartialWriter {
    const { total } = this.#identity;
    const { maxBytes, kind } = this.#options;
    if (part.from > 0 && part.total !== null && total !== null && part.total !== total) throw new ContentChanged();
    if ((part.total ?? 0) > maxBytes) throw tooLarge(maxBytes);
    // The continued content keeps the validator with which it began.
    this.#identity =
      part.from > 0
        ? { ...this.#identity, total: part.total ?? total }
        : { validator: part.validator, total: part.total };
    return new PartialWriter(this.#partial, { from: part.from, maxBytes, kind, onBytes });
  }

  #translateError(error: unknown): unknown {
    const isOurs = error instanceof UpstreamError || error instanceof FileStoreError || error instanceof UrlExpired;
    if (isOurs || this.#options.signal.aborted) return error;
    if (error instanceof PrivateAddress)
      return fileError(
        'rejected',
        'Blocked: the file is on a private network. An admin can allow it with ALLOW_PRIVATE_HOSTS.',
      );
    if (error instanceof ForeignHost)
      return fileError('rejected', 'Blocked: ALLOW_FILE_HOSTS does not list the host of the file.');
    const reason = findReason(error, 'the address of the file');
    const message = reason
      ? `The file server can't be reached: ${reason}`
      : 'The connection to the file server failed or was too slow.';
    return fileError('unavailable', message, { cause: error });
  }
}

const incomplete = () => fileError('unavailable', 'The file server sent only part of the file.');

/** @throws UpstreamError for anything but http and https */
function httpUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw fileError('rejected', 'Only http and https links are supported.');
}
