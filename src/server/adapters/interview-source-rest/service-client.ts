import { Agent, request } from 'undici';
import type { SourceAccess } from '#server/ports/interview-source.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { type RetryPolicy, withRetries } from '../http-retry/retry.ts';
import { cleanText } from '../service-words/clean-text.ts';
import { interviewsError, refusalError } from './call-error.ts';

export interface ClientSettings {
  /** For one try, from the first byte sent to the last one received. */
  timeoutMs: number;
  /** A longer answer is not read to its end. */
  longestAnswerBytes: number;
  retry: RetryPolicy;
}

type Answer = Awaited<ReturnType<typeof request>>;

const CONNECTIONS = 8;
/** Enough of a refusal to find its message. */
const REFUSAL_BYTES = 64 * 1024;
const TOO_LARGE = new Error('the answer is too large');

/** GETs JSON from the interview service with a funnel's key. */
export class ServiceClient {
  readonly #settings: ClientSettings;
  // The time limit of a call is ours, over headers and body together.
  readonly #agent = new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 10_000 },
  });

  constructor(settings: ClientSettings) {
    this.#settings = settings;
  }

  /**
   * Reads `url`, trying again what may pass.
   * @throws UpstreamError, or the signal's reason
   */
  async getJson(url: URL, access: SourceAccess, signal: AbortSignal): Promise<unknown> {
    // Anything else cannot stand in a header (RFC 9110, section 5.5), so it is no key that a service could have issued.
    if (!/^[\x20-\x7e]+$/.test(access.apiKey)) throw refusalError(refusal(401), access.funnelId);
    const text = await withRetries(this.#settings.retry, signal, () => this.#getText(url, access, signal));
    try {
      return JSON.parse(text);
    } catch {
      // The parser's error quotes the answer, which may hold anything.
      throw interviewsError('bad_answer', BAD_ANSWER);
    }
  }

  async #getText(url: URL, access: SourceAccess, signal: AbortSignal): Promise<string> {
    const timeout = AbortSignal.timeout(this.#settings.timeoutMs);
    try {
      const answer = await request(url, {
        dispatcher: this.#agent,
        signal: AbortSignal.any([signal, timeout]),
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          authorization: `Bearer ${access.apiKey}`,
        },
      });
      if (answer.statusCode !== 200) throw await this.#refused(answer, access);
      return await readText(answer.body, this.#settings.longestAnswerBytes);
    } catch (error) {
      if (error === TOO_LARGE) throw interviewsError('bad_answer', this.#tooLarge());
      throw error instanceof UpstreamError ? error : this.#broken(error, timeout.aborted);
    }
  }

  async #refused({ statusCode, headers, body }: Answer, access: SourceAccess): Promise<UpstreamError> {
    const text = await readText(body, REFUSAL_BYTES).catch(() => '');
    return refusalError(
      { status: statusCode, retryAfter: headers['retry-after'], message: messageIn(text, access.apiKey) },
      access.funnelId,
    );
  }

  #broken(cause: unknown, tooSlow: boolean): UpstreamError {
    const seconds = Math.ceil(this.#settings.timeoutMs / 1_000);
    const text = tooSlow
      ? `The interview service did not answer within ${seconds} s. Please refresh again later.`
      : 'The interview service cannot be reached. Please refresh again later; if this stays, an administrator should check INTERVIEW_SERVICE_URL.';
    return interviewsError('unavailable', text, { cause });
  }

  #tooLarge(): string {
    return `The interview service sent more than ${Math.floor(this.#settings.longestAnswerBytes / 2 ** 20)} MB at once.`;
  }
}

export const BAD_ANSWER =
  'The interview service gave an answer that cannot be read. An administrator should check INTERVIEW_SERVICE_URL.';

const refusal = (status: number) => ({ status, retryAfter: undefined, message: null });

/** @throws TOO_LARGE */
async function readText(body: Answer['body'], mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > mostBytes) throw TOO_LARGE;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** The refusal's own words, without our key and without addresses, which may be signed. */
function messageIn(text: string, apiKey: string): string | null {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message !== 'string') return null;
    const line = message
      .replaceAll(apiKey, '…')
      .replace(/https?:\/\/\S+/g, '…')
      .replace(/\s+/g, ' ');
    return cleanText(line, 300);
  } catch {
    return null;
  }
}
