import { type Dispatcher, stream } from 'undici';
import { type FileKind, FileStoreError, type PartialFile } from '#server/ports/file-store.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { PrivateAddress } from '../outside-http/guarded-agent.ts';
import { Expired, fileError, type Part, Redirected, readAnswer, StartOver } from './answer.ts';
import { PartialWriter, tooLarge } from './partial-writer.ts';

/** What is known of the content that is half written. */
export interface Known {
  validator: string | null;
  total: number | null;
}

export interface TryOptions {
  dispatcher: Dispatcher;
  /** Without a byte for so long, the connection counts as broken. */
  idleMs: number;
  mostBytes: number;
  kind: FileKind;
  signal: AbortSignal;
}

const REDIRECTS = 5;
const NOTHING_KNOWN: Known = { validator: null, total: null };

/** One file on its way: its address, what is written of it, and what that is. */
export class DownloadTry {
  readonly #url: string;
  readonly #partial: PartialFile;
  readonly #options: TryOptions;
  #known: Known;

  constructor(url: string, partial: PartialFile, known: Known | null, options: TryOptions) {
    this.#url = url;
    this.#partial = partial;
    this.#options = options;
    this.#known = known ?? NOTHING_KNOWN;
  }

  get known(): Known {
    return this.#known;
  }

  /**
   * Reads on from where an earlier call stopped, if the server still has the same content, else from the beginning.
   * @throws Expired, UpstreamError, FileStoreError, or the signal's reason
   */
  async run(): Promise<void> {
    if (this.#isWhole()) return;
    try {
      await this.#follow(this.#url, REDIRECTS);
    } catch (error) {
      if (!(error instanceof StartOver)) throw error;
      this.#known = NOTHING_KNOWN;
      await this.#follow(this.#url, REDIRECTS);
    }
    if (this.#partial.size === 0) throw fileError('bad_answer', 'The file is empty at the interview service.');
    const { total } = this.#known;
    if (total !== null && this.#partial.size !== total) throw incomplete();
  }

  #isWhole(): boolean {
    return this.#known.validator !== null && this.#partial.size > 0 && this.#partial.size === this.#known.total;
  }

  async #follow(url: string, redirectsLeft: number): Promise<void> {
    try {
      await this.#fetch(httpUrl(url));
    } catch (error) {
      if (!(error instanceof Redirected)) throw error;
      const target = URL.parse(error.location, url)?.href ?? '';
      if (redirectsLeft === 0) throw fileError('rejected', 'The address of this file leads in a circle.');
      await this.#follow(target, redirectsLeft - 1);
    }
  }

  async #fetch(url: URL): Promise<void> {
    const { dispatcher, idleMs, signal } = this.#options;
    // Ours, as the client's own time limits are only good to a second.
    const idle = new AbortController();
    const timer = setTimeout(() => idle.abort(), idleMs);
    const { validator } = this.#known;
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
            writer = this.#writerFor(readAnswer(statusCode, headers, from), () => timer.refresh());
            return writer;
          } catch (error) {
            problem = error;
            // Ends the connection: the body of such an answer is of no use.
            throw error;
          }
        },
      );
    } catch (error) {
      throw problem ?? this.#inOurWords(error);
    } finally {
      clearTimeout(timer);
      await (writer as PartialWriter | null)?.idle();
    }
  }

  #writerFor(part: Part, onBytes: () => void): PartialWriter {
    const { total } = this.#known;
    const { mostBytes, kind } = this.#options;
    onBytes();
    if (part.from > 0 && part.total !== null && total !== null && part.total !== total) throw new StartOver();
    if ((part.total ?? 0) > mostBytes) throw tooLarge(mostBytes);
    // The content that we go on with is the one we began, under the name that began it.
    this.#known =
      part.from > 0 ? { ...this.#known, total: part.total ?? total } : { validator: part.validator, total: part.total };
    return new PartialWriter(this.#partial, { from: part.from, mostBytes, kind, onBytes });
  }

  #inOurWords(error: unknown): unknown {
    const isOurs = error instanceof UpstreamError || error instanceof FileStoreError || error instanceof Expired;
    if (isOurs || this.#options.signal.aborted) return error;
    if (error instanceof PrivateAddress)
      return fileError(
        'rejected',
        'The address of this file leads into a private network. An administrator can allow the host with ALLOW_PRIVATE_HOSTS.',
      );
    return fileError('unavailable', 'The connection to the file server broke or was too slow.', { cause: error });
  }
}

const incomplete = () => fileError('unavailable', 'The file server sent only a part of the file.');

/** @throws UpstreamError for anything but http and https */
function httpUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw fileError('rejected', 'The address of this file is not one of the web (http or https).');
}
