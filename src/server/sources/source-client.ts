import { type Dispatcher, request } from 'undici';
import type { z } from 'zod';
import { parseJson } from '#contracts/rules/parse-json.ts';
import type { OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import {
  brokenMessage,
  isHeaderValue,
  outsideAgent,
  quotedMessage,
  ResponseTooLarge,
  readBytes,
} from '#server/adapters/outside-http/outside-call.ts';
import { RETRY_POLICY, retryAfterMs, withRetries } from '#server/adapters/outside-http/retry.ts';
import type { RetryPolicy } from '#server/ports/retry-policy.ts';
import { rememberSecret } from '#server/ports/sent-secrets.ts';
import { UpstreamError, upstreamErrorsOf } from '#server/ports/upstream-error.ts';
import { ValueCount } from './value-count.ts';

export interface ClientSettings {
  /** For each attempt, from the first byte sent to the last one received. */
  timeoutMs?: number | undefined;
  /** Longer responses are rejected. */
  maxResponseBytes?: number | undefined;
  retry?: RetryPolicy | undefined;
  proxy?: OutgoingProxy | undefined;
}

interface ClientOptions extends ClientSettings {
  /** The name of the service at the start of a sentence. */
  service: string;
  /** The variable that contains its URL. */
  variable: string;
}

export interface SourceCall {
  method: 'GET' | 'POST';
  url: string;
  /** All except the content type are secrets: the client masks them in messages and logs. */
  headers: Record<string, string>;
  body?: string;
}

export interface RawResponse {
  status: number;
  bytes: Uint8Array<ArrayBuffer>;
  /** The number of JSON values in `bytes`. */
  values: number;
}

export interface JsonResponse {
  status: number;
  /** Undefined when it is not JSON. */
  body: unknown;
}

const CONNECTIONS = 8;
const TIMEOUT_MS = 30_000;
/** A hundred interviews are a few hundred kilobytes, or a few megabytes with transcripts. */
const MAX_RESPONSE_BYTES = 8 * 2 ** 20;
/** Enough to find the message of a refusal. */
const MAX_REFUSAL_BYTES = 64 * 1024;
/** 2,000 per interview of a page: its questions and the segments or words of a long transcript. */
const MAX_VALUES = 200_000;

/** Calls the JSON interface of a source. */
export class SourceClient {
  readonly #service: string;
  readonly #variable: string;
  readonly #retry: RetryPolicy;
  readonly #timeoutMs: number;
  readonly #maxResponseBytes: number;
  readonly #agent: Dispatcher;

  constructor({ service, variable, ...settings }: ClientOptions) {
    this.#service = service;
    this.#variable = variable;
    this.#retry = settings.retry ?? RETRY_POLICY;
    this.#timeoutMs = settings.timeoutMs ?? TIMEOUT_MS;
    this.#maxResponseBytes = settings.maxResponseBytes ?? MAX_RESPONSE_BYTES;
    this.#agent = outsideAgent({ connections: CONNECTIONS }, settings.proxy);
  }

  /**
   * Passes any response below 500, except redirects, 408 and 429, to `read`. Repeats the call while
   * it or `read` fails with a retryable error.
   * @throws UpstreamError, or the signal's reason
   */
  async send<T>(call: SourceCall, read: (response: RawResponse) => T | Promise<T>, signal: AbortSignal): Promise<T> {
    if (!Object.values(call.headers).every(isHeaderValue)) throw this.keyError();
    for (const [name, value] of Object.entries(call.headers)) if (name !== 'content-type') rememberSecret(value);
    return withRetries(this.#retry, signal, async () => read(await this.#send(call, signal)));
  }

  /** Like `send`, with the parsed body. */
  sendForJson<T>(call: SourceCall, read: (response: JsonResponse) => T | Promise<T>, signal: AbortSignal): Promise<T> {
    return this.send(call, ({ status, bytes }) => read({ status, body: parseBody(bytes) }), signal);
  }

  keyError(): UpstreamError {
    return interviewsError('unauthorised', `${this.#service} rejected this funnel's API key. Update it in Funnels.`);
  }

  badResponse(): UpstreamError {
    const message = `${this.#service}'s response can't be read. Ask an admin to check ${this.#variable}.`;
    return interviewsError('bad_response', message);
  }

  /** @throws UpstreamError `bad_response` */
  parse<T>(schema: z.ZodType<T>, body: unknown): T {
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw this.badResponse();
    return parsed.data;
  }

  /** The error for a list that has sent this many items and has no end. */
  endless(items: number): UpstreamError {
    return interviewsError(
      'bad_response',
      `${this.#service}'s list does not end: it has sent ${items} items. What was synced was saved. Ask an admin to check ${this.#variable}.`,
    );
  }

  /** Quotes the service's `message`. */
  refused(status: number, message: unknown): UpstreamError {
    const quoted = typeof message === 'string' ? quotedMessage(message, '') : null;
    const because = quoted ? ` Its response: ${quoted}` : '';
    return interviewsError('rejected', `${this.#service} rejected the request (${status}).${because}`);
  }

  async #send(call: SourceCall, signal: AbortSignal): Promise<RawResponse> {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    try {
      const { statusCode, headers, body } = await request(call.url, {
        dispatcher: this.#agent,
        signal: AbortSignal.any([signal, timeout]),
        method: call.method,
        headers: { accept: 'application/json', 'accept-encoding': 'identity', ...call.headers },
        body: call.body ?? null,
      });
      const response = await (statusCode < 300 ? this.#readBody(body) : readRefusal(body));
      this.#expectUsable(statusCode, headers['retry-after']);
      return { status: statusCode, ...response };
    } catch (error) {
      if (error instanceof UpstreamError) throw error;
      const [service, variable, timeoutMs] = [this.#service, this.#variable, this.#timeoutMs];
      const message = brokenMessage({ service, variable, timeoutMs, isTimeout: timeout.aborted, error });
      throw interviewsError('unavailable', message, { cause: error });
    }
  }

  #expectUsable(status: number, retryAfter: string | string[] | undefined): void {
    const service = this.#service;
    const more = { retryAfterMs: retryAfterMs(retryAfter) };
    const later = laterText(more.retryAfterMs);
    if (status === 429)
      throw interviewsError('rate_limited', `${service} is rate-limiting us. Try again ${later}.`, more);
    if (status === 408 || status >= 500)
      throw interviewsError('unavailable', `${service} returned an error (${status}). Try again ${later}.`, more);
    if (status >= 300 && status < 400)
      throw interviewsError('rejected', `${service} has moved (${status}). Ask an admin to check ${this.#variable}.`);
  }

  async #readBody(body: AsyncIterable<Uint8Array>): Promise<Omit<RawResponse, 'status'>> {
    const counted = new ValueCount();
    try {
      const bytes = await readBytes(body, this.#maxResponseBytes, (chunk) => {
        counted.add(chunk);
        if (counted.count > MAX_VALUES) throw this.#tooComplex();
      });
      return { bytes, values: counted.count };
    } catch (error) {
      if (!(error instanceof ResponseTooLarge)) throw error;
      const megabytes = Math.floor(this.#maxResponseBytes / 2 ** 20);
      throw interviewsError('bad_response', `${this.#service} sent more than ${megabytes} MB at once.`);
    }
  }

  #tooComplex(): UpstreamError {
    return interviewsError(
      'bad_response',
      `${this.#service}'s response has too many parts to be a list of interviews. Ask an admin to check ${this.#variable}.`,
    );
  }
}

export const interviewsError = upstreamErrorsOf('interviews');

/** Empty when the body breaks off or is too long: the status is enough. */
const readRefusal = async (body: AsyncIterable<Uint8Array>) => ({
  bytes: await readBytes(body, MAX_REFUSAL_BYTES).catch(() => new Uint8Array()),
  values: 0,
});

function laterText(ms: number | undefined): string {
  if (ms === undefined) return 'later';
  const minutes = Math.ceil(ms / 60_000);
  if (minutes <= 1) return 'in a minute';
  return minutes < 120 ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`;
}

const SPACE = 0x20;

/**
 * JSON has no raw control characters, but some services send them in texts. Replaces bytes,
 * because replacing a million characters of a text would block the process.
 */
function parseBody(bytes: Uint8Array): unknown {
  for (let at = 0; at < bytes.length; at += 1) if ((bytes[at] ?? 0) < SPACE) bytes[at] = SPACE;
  return parseJson(new TextDecoder().decode(bytes));
}
