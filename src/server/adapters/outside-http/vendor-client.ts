import { type Dispatcher, request } from 'undici';
import { parseJson } from '#contracts/rules/parse-json.ts';
import { interviewsError, laterText } from '#server/adapters/interview-source-rest/call-error.ts';
import { ValueCount } from '#server/adapters/interview-source-rest/value-count.ts';
import type { RetryPolicy } from '#server/ports/retry-policy.ts';
import { rememberSecret } from '#server/ports/sent-secrets.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import type { OutgoingProxy } from './outgoing-proxy.ts';
import {
  brokenMessage,
  isHeaderValue,
  outsideAgent,
  quotedMessage,
  ResponseTooLarge,
  readBytes,
} from './outside-call.ts';
import { RETRY_POLICY, retryAfterMs, withRetries } from './retry.ts';

export interface VendorSettings {
  /** For each attempt, from the first byte sent to the last one received. */
  timeoutMs?: number;
  /** Longer answers are refused. */
  maxResponseBytes?: number;
  retry?: RetryPolicy;
  proxy?: OutgoingProxy | undefined;
}

interface VendorOptions extends VendorSettings {
  /** The name of the service in messages. */
  vendor: string;
  /** The variable that contains its address. */
  variable: string;
}

export interface VendorCall {
  method: 'GET' | 'POST';
  url: string;
  /** All except the content type are secrets: the client masks them in messages and logs. */
  headers: Record<string, string>;
  body?: string;
}

export interface VendorResponse {
  status: number;
  /** Undefined when it is not JSON. */
  body: unknown;
}

const CONNECTIONS = 8;
const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 8 * 2 ** 20;
/** The number of JSON values in an answer. The words of a long interview have fewer. */
const MAX_VALUES = 200_000;

/** Calls the JSON interface of a vendor. */
export class VendorClient {
  readonly #options: Required<Omit<VendorOptions, 'proxy'>>;
  readonly #agent: Dispatcher;

  constructor({ proxy, ...options }: VendorOptions) {
    this.#agent = outsideAgent({ connections: CONNECTIONS }, proxy);
    this.#options = { timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_ANSWER_BYTES, retry: RETRY_POLICY, ...options };
  }

  /**
   * Passes any answer below 500, except 408 and 429, to `read`. Repeats the call while it or `read`
   * fails with a retryable error.
   * @throws UpstreamError, or the signal's reason
   */
  async send<T>(call: VendorCall, read: (answer: VendorResponse) => T | Promise<T>, signal: AbortSignal): Promise<T> {
    if (!Object.values(call.headers).every(isHeaderValue)) throw this.keyError();
    for (const [name, value] of Object.entries(call.headers)) if (name !== 'content-type') rememberSecret(value);
    return withRetries(this.#options.retry, signal, async () => read(await this.#send(call, signal)));
  }

  keyError(): UpstreamError {
    return interviewsError(
      'unauthorised',
      `${this.#options.vendor} rejected this funnel's API key. Update it in Funnels.`,
    );
  }

  badResponse(): UpstreamError {
    const { vendor, variable } = this.#options;
    return interviewsError('bad_answer', `${vendor}'s answer can't be read. Ask an admin to check ${variable}.`);
  }

  /** The error for a list that has sent this many items and has no end. */
  endless(items: number): UpstreamError {
    const { vendor, variable } = this.#options;
    return interviewsError(
      'bad_answer',
      `${vendor}'s list does not end: it has sent ${items} items. What was synced was saved. Ask an admin to check ${variable}.`,
    );
  }

  /** Quotes the service's `message`. */
  refused(status: number, message: unknown): UpstreamError {
    const quoted = typeof message === 'string' ? quotedMessage(message, '') : null;
    const because = quoted ? ` It answered: ${quoted}` : '';
    return interviewsError('rejected', `${this.#options.vendor} refused the request (${status}).${because}`);
  }

  async #send(call: VendorCall, signal: AbortSignal): Promise<VendorResponse> {
    const { vendor, variable, timeoutMs } = this.#options;
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await request(call.url, {
        dispatcher: this.#agent,
        signal: AbortSignal.any([signal, timeout]),
        method: call.method,
        headers: { accept: 'application/json', 'accept-encoding': 'identity', ...call.headers },
        body: call.body ?? null,
      });
      const { statusCode: status, headers } = answer;
      this.#expectUsable(status, headers['retry-after']);
      return { status, body: parseJson(await this.#readBody(answer.body)) };
    } catch (error) {
      if (error instanceof UpstreamError) throw error;
      const message = brokenMessage({ service: vendor, variable, timeoutMs, isTimeout: timeout.aborted, error });
      throw interviewsError('unavailable', message, { cause: error });
    }
  }

  #expectUsable(status: number, retryAfter: string | string[] | undefined): void {
    const { vendor, variable } = this.#options;
    const more = { retryAfterMs: retryAfterMs(retryAfter) };
    const later = laterText(more.retryAfterMs);
    if (status === 429)
      throw interviewsError('rate_limited', `${vendor} is rate-limiting us. Try again ${later}.`, more);
    if (status === 408 || status >= 500)
      throw interviewsError('unavailable', `${vendor} returned an error (${status}). Try again ${later}.`, more);
    if (status >= 300 && status < 400)
      throw interviewsError('rejected', `${vendor} has moved (${status}). Ask an admin to check ${variable}.`);
  }

  async #readBody(body: AsyncIterable<Uint8Array>): Promise<string> {
    const { vendor, maxResponseBytes } = this.#options;
    const values = new ValueCount();
    const tooLarge = () =>
      interviewsError('bad_answer', `${vendor} sent more than ${Math.floor(maxResponseBytes / 2 ** 20)} MB at once.`);
    try {
      const bytes = await readBytes(body, maxResponseBytes, (chunk) => {
        values.add(chunk);
        if (values.count > MAX_VALUES) throw this.badResponse();
      });
      replaceControls(bytes);
      return new TextDecoder().decode(bytes);
    } catch (error) {
      throw error instanceof ResponseTooLarge ? tooLarge() : error;
    }
  }
}

/**
 * JSON has no raw control characters, but some services send them in texts. Replaces bytes,
 * because replacing a million characters of a text would block the process.
 */
function replaceControls(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 1) if ((bytes[at] ?? 0) < SPACE) bytes[at] = SPACE;
}

const SPACE = 0x20;
