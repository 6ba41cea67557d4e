import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import type { UpstreamError } from '#server/ports/upstream-error.ts';
import type { GoogleAnswer, GoogleCall } from './google-call.ts';
import { badAnswer, youtubeError } from './youtube-error.ts';

const CONNECTIONS = 16;
/** Everything we ask for is a few kilobytes; this only stops an answer without end. */
const LONGEST_ANSWER = 2 ** 20;
const TOO_LARGE = new Error('the answer is too large');

/** HTTP as Google's interfaces need it: one try, no redirects, a limit on silence. */
export class GoogleHttp {
  readonly #timeoutMs: number;
  // The time limit is ours: an upload may take long, only not stand still.
  readonly #agent = new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 10_000 },
  });

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** @throws UpstreamError `unavailable` when no answer comes; what `body` throws; the signal's reason */
  async exchange({ method, url, headers = {}, body }: GoogleCall, signal: AbortSignal): Promise<GoogleAnswer> {
    const idle = new AbortController();
    const timer = setTimeout(() => idle.abort(), this.#timeoutMs);
    const sent = new SentBody(body, () => timer.refresh());
    try {
      const answer = await request(url, {
        method,
        dispatcher: this.#agent,
        signal: AbortSignal.any([signal, idle.signal]),
        headers: { accept: 'application/json', 'accept-encoding': 'identity', ...headers },
        body: sent.body,
      });
      timer.refresh();
      return { status: answer.statusCode, headers: answer.headers, json: parsed(await readText(answer.body)) };
    } catch (error) {
      signal.throwIfAborted();
      if (sent.problem !== undefined) throw sent.problem;
      throw error === TOO_LARGE ? badAnswer() : this.#broken(error, idle.signal.aborted);
    } finally {
      clearTimeout(timer);
    }
  }

  #broken(error: unknown, tooSlow: boolean): UpstreamError {
    const seconds = Math.ceil(this.#timeoutMs / 1_000);
    const text = tooSlow
      ? `YouTube did not answer within ${seconds} s.`
      : 'YouTube cannot be reached, or the connection broke. If this stays, an administrator should check the network and YOUTUBE_API_URL.';
    // Not the error itself: a parser's carries what it read, which may be a session address.
    const { name, message } = error instanceof Error ? error : new Error('unknown');
    return youtubeError('unavailable', text, { cause: new Error(`${name}: ${message}`) });
  }
}

/** Tells what a body's own source throws apart from a broken connection, and reports each block on its way. */
class SentBody {
  problem: unknown;
  readonly body: string | Readable | null;

  constructor(body: GoogleCall['body'], onBlock: () => void) {
    // undici sends any iterable, one block after the other left; its types know streams only, and those read ahead.
    this.body = typeof body === 'object' ? (this.#watched(body, onBlock) as unknown as Readable) : (body ?? null);
  }

  async *#watched(blocks: AsyncIterable<Uint8Array>, onBlock: () => void): AsyncGenerator<Uint8Array> {
    try {
      for await (const block of blocks) {
        yield block;
        onBlock();
      }
    } catch (error) {
      this.problem = error;
      throw error;
    }
  }
}

/** @throws TOO_LARGE */
async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > LONGEST_ANSWER) throw TOO_LARGE;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
