import { request } from 'undici';
import {
  AnswerTooLarge,
  brokenMessage,
  isHeaderValue,
  outsideAgent,
  parseJson,
  quotedMessage,
  readText,
} from '#server/adapters/outside-http/outside-call.ts';
import { withRetries } from '#server/adapters/outside-http/retry.ts';
import type { SourceAccess } from '#server/ports/interview-source.ts';
import type { RetryPolicy } from '#server/ports/retry-policy.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { interviewsError, refusalError } from './call-error.ts';

export interface ClientSettings {
  /** Per try, from the first byte sent to the last one received. */
  timeoutMs: number;
  /** Longer answers are refused. */
  maxAnswerBytes: number;
  retry: RetryPolicy;
}

type Answer = Awaited<ReturnType<typeof request>>;

const SERVICE = { service: 'The interview service', variable: 'INTERVIEW_SERVICE_URL' };
const CONNECTIONS = 8;
/** Enough to find the message of a refusal. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** Requests JSON from the interview service with a funnel's key. */
export class ServiceClient {
  readonly #settings: ClientSettings;
  readonly #agent = outsideAgent({ connections: CONNECTIONS });

  constructor(settings: ClientSettings) {
    this.#settings = settings;
  }

  /**
   * Retries transient failures.
   * @throws UpstreamError, or the signal's reason
   */
  async getJson(url: URL, access: SourceAccess, signal: AbortSignal): Promise<unknown> {
    if (access.apiKey === '' || !isHeaderValue(access.apiKey)) throw refusalError(refusal(401), access.funnelId);
    const text = await withRetries(this.#settings.retry, signal, () => this.#getText(url, access, signal));
    const json = parseJson(text);
    if (json === undefined) throw interviewsError('bad_answer', BAD_ANSWER);
    return json;
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
      return await readText(answer.body, this.#settings.maxAnswerBytes);
    } catch (error) {
      if (error instanceof UpstreamError) throw error;
      if (error instanceof AnswerTooLarge) throw interviewsError('bad_answer', this.#tooLarge());
      throw interviewsError(
        'unavailable',
        brokenMessage({ ...SERVICE, timeoutMs: this.#settings.timeoutMs, isTimeout: timeout.aborted }),
        {
          cause: error,
        },
      );
    }
  }

  async #refused({ statusCode, headers, body }: Answer, access: SourceAccess): Promise<UpstreamError> {
    const text = await readText(body, MAX_REFUSAL_BYTES).catch(() => '');
    return refusalError(
      { status: statusCode, retryAfter: headers['retry-after'], message: messageIn(text, access.apiKey) },
      access.funnelId,
    );
  }

  #tooLarge(): string {
    return `The interview service sent more than ${Math.floor(this.#settings.maxAnswerBytes / 2 ** 20)} MB at once.`;
  }
}

export const BAD_ANSWER = "The interview service's answer can't be read. Ask an admin to check INTERVIEW_SERVICE_URL.";

const refusal = (status: number) => ({ status, retryAfter: undefined, message: null });

function messageIn(text: string, apiKey: string): string | null {
  const { message } = (parseJson(text) ?? {}) as { message?: unknown };
  return typeof message === 'string' ? quotedMessage(message, apiKey) : null;
}
