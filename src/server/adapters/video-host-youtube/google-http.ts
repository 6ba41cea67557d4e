import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import { parseJson } from '#contracts/rules/parse-json.ts';
import type { OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import {
  brokenMessage,
  outsideAgent,
  ResponseTooLarge,
  readText,
  withoutReadData,
} from '#server/adapters/outside-http/outside-call.ts';
import type { GoogleCall, GoogleResponse } from './google-call.ts';
import { badResponse, youtubeError } from './youtube-error.ts';

const CONNECTIONS = 16;
/** All responses are a few kilobytes; the limit only stops an endless one. */
const MAX_RESPONSE_BYTES = 2 ** 20;

/** HTTP for Google's interfaces: one try, no redirects, a limit on silence. */
export class GoogleHttp {
  /** Limits silence, not the call as a whole, because an upload may take long. */
  readonly #timeoutMs: number;
  readonly #agent: Dispatcher;

  constructor(timeoutMs: number, proxy: OutgoingProxy | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#agent = outsideAgent({ connections: CONNECTIONS }, proxy);
  }

  /**
   * @throws UpstreamError `unavailable` when no response comes; what `body` throws; the signal's
   * reason
   */
  async exchange({ method, url, headers = {}, body }: GoogleCall, signal: AbortSignal): Promise<GoogleResponse> {
    const idle = new AbortController();
    const timer = setTimeout(() => idle.abort(), this.#timeoutMs);
    let problem: unknown;
    // Distinguishes errors of the body's source from a broken connection.
    async function* watched(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      try {
        for await (const block of blocks) {
          yield block;
          timer.refresh();
        }
      } catch (error) {
        problem = error;
        throw error;
      }
    }
    try {
      const response = await request(url, {
        method,
        dispatcher: this.#agent,
        signal: AbortSignal.any([signal, idle.signal]),
        headers: { accept: 'application/json', 'accept-encoding': 'identity', ...headers },
        // undici sends any iterable block by block, although its types require a stream, which
        // would read ahead.
        body: typeof body === 'object' ? (watched(body) as unknown as Readable) : (body ?? null),
      });
      timer.refresh();
      const text = await readText(response.body, MAX_RESPONSE_BYTES);
      return { status: response.statusCode, headers: response.headers, json: parseJson(text) ?? null };
    } catch (error) {
      signal.throwIfAborted();
      if (problem !== undefined) throw problem;
      throw error instanceof ResponseTooLarge ? badResponse() : this.#broken(error, idle.signal.aborted);
    } finally {
      clearTimeout(timer);
    }
  }

  #broken(error: unknown, isTimeout: boolean) {
    const broken = { service: 'YouTube', variable: 'YOUTUBE_API_URL', timeoutMs: this.#timeoutMs };
    return youtubeError('unavailable', brokenMessage({ ...broken, isTimeout, error }), {
      cause: withoutReadData(error),
    });
  }
}
