import { type Dispatcher, request } from 'undici';
import { parseJson } from '#contracts/rules/parse-json.ts';
import type { OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import {
  brokenMessage,
  isHeaderValue,
  outsideAgent,
  quotedMessage,
  ResponseTooLarge,
  readBytes,
  readText,
} from '#server/adapters/outside-http/outside-call.ts';
import { withRetries } from '#server/adapters/outside-http/retry.ts';
import type { SourceAccess } from '#server/ports/interview-source.ts';
import type { RetryPolicy } from '#server/ports/retry-policy.ts';
import { rememberSecret } from '#server/ports/sent-secrets.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { interviewsError, refusalError } from './call-error.ts';
import type { PageResponse } from './parse-page.ts';
import { ValueCount } from './value-count.ts';

export interface ClientSettings {
  /** Per try, from the first byte sent to the last one received. */
  timeoutMs: number;
  /** Longer answers are refused. */
  maxResponseBytes: number;
  retry: RetryPolicy;
  proxy?: OutgoingProxy | undefined;
}

type ServiceResponse = Awaited<ReturnType<typeof request>>;

const SERVICE = { service: 'The interview service', variable: 'INTERVIEW_SERVICE_URL' };
const CONNECTIONS = 8;
/** 2,000 per interview: enough for its questions and the segments of a long transcript. */
const MAX_VALUES = 200_000;
const TOO_COMPLEX =
  "The interview service's answer has too many parts to be a list of interviews. Ask an admin to check INTERVIEW_SERVICE_URL.";
/** Enough to find the message of a refusal. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** Requests lists from the interview service with a funnel's key. */
export class ServiceClient {
  readonly #settings: ClientSettings;
  readonly #agent: Dispatcher;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
    this.#agent = outsideAgent({ connections: CONNECTIONS }, settings.proxy);
  }

  /**
   * Retries transient failures.
   * @throws UpstreamError, or the signal's reason
   */
  async get(url: URL, access: SourceAccess, signal: AbortSignal): Promise<PageResponse> {
    if (access.apiKey === '' || !isHeaderValue(access.apiKey)) throw refusalError(refusal(401), access.funnelId);
    rememberSecret(`Bearer ${access.apiKey}`);
    return withRetries(this.#settings.retry, signal, () => this.#get(url, access, signal));
  }

  async #get(url: URL, access: SourceAccess, signal: AbortSignal): Promise<PageResponse> {
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
      return await this.#readBody(answer.body);
    } catch (error) {
      if (error instanceof UpstreamError) throw error;
      if (error instanceof ResponseTooLarge) throw interviewsError('bad_answer', this.#tooLarge());
      throw interviewsError(
        'unavailable',
        brokenMessage({ ...SERVICE, timeoutMs: this.#settings.timeoutMs, isTimeout: timeout.aborted, error }),
        {
          cause: error,
        },
      );
    }
  }

  async #readBody(body: AsyncIterable<Uint8Array>): Promise<PageResponse> {
    const values = new ValueCount();
    const bytes = await readBytes(body, this.#settings.maxResponseBytes, (chunk) => {
      values.add(chunk);
      if (values.count > MAX_VALUES) throw interviewsError('bad_answer', TOO_COMPLEX);
    });
    return { bytes, values: values.count };
  }

  async #refused({ statusCode, headers, body }: ServiceResponse, access: SourceAccess): Promise<UpstreamError> {
    const text = await readText(body, MAX_REFUSAL_BYTES).catch(() => '');
    return refusalError(
      { status: statusCode, retryAfter: headers['retry-after'], message: messageIn(text) },
      access.funnelId,
    );
  }

  #tooLarge(): string {
    return `The interview service sent more than ${Math.floor(this.#settings.maxResponseBytes / 2 ** 20)} MB at once.`;
  }
}

const refusal = (status: number) => ({ status, retryAfter: undefined, message: null });

function messageIn(text: string): string | null {
  const { message } = (parseJson(text) ?? {}) as { message?: unknown };
  return typeof message === 'string' ? quotedMessage(message, '') : null;
}
