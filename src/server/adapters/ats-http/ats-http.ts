import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { parseJson } from '#contracts/rules/parse-json.ts';
import {
  brokenMessage,
  isHeaderValue,
  quotedMessage,
  ResponseTooLarge,
  readText,
  withoutReadData,
} from '#server/adapters/outside-http/outside-call.ts';
import { retryAfterMs } from '#server/adapters/outside-http/retry.ts';
import { reportFailedCall, UpstreamError, upstreamErrorsOf } from '#server/ports/upstream-error.ts';

export interface AtsHttpOptions {
  /** The display name of the ATS. */
  service: string;
  /** The environment variable with its URL. */
  variable: string;
  dispatcher: Dispatcher;
  timeoutMs?: number | undefined;
  /** The delay before a retry after 429. */
  limitDelayMs?: number | undefined;
}

export interface AtsCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  fields?: object | undefined;
  body?: string;
}

/** A call below the base URL of the interface. */
export type AtsRestCall = Pick<AtsCall, 'method' | 'fields'> & { path: string };

export interface AtsResponse {
  status: number;
  /** Undefined if the body is not JSON. */
  body: unknown;
  /** The target of a redirect. */
  location: string | null;
}

const TIMEOUT_MS = 20_000;
/** Lever's pages have up to 100 postings with their texts in HTML, or 100 notes. */
const MAX_RESPONSE_BYTES = 8 * 2 ** 20;
/** Bullhorn: "Wait 1 second then retry request"; its own library tries three times. */
const LIMIT_DELAY_MS = 1_000;
const MAX_LIMIT_DELAY_MS = 8_000;
const LIMIT_TRIES = 3;

const RefusalBody = z.union([
  z.object({ errorMessage: z.string() }).transform(({ errorMessage }) => errorMessage),
  z.object({ error_description: z.string() }).transform(({ error_description }) => error_description),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);

export const isMissing = ({ status }: Pick<AtsResponse, 'status'>): boolean => status === 404 || status === 410;

/** Calls an ATS with JSON. Retries only after 429, follows no redirects, and limits responses. */
export class AtsHttp {
  readonly #options: AtsHttpOptions;
  readonly #timeoutMs: number;
  readonly error: ReturnType<typeof upstreamErrorsOf>;

  constructor(options: AtsHttpOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.error = upstreamErrorsOf(options.service);
  }

  /** Limits the total time of the calls in `work`. @throws UpstreamError, or the signal's reason */
  async within<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    try {
      return await work(AbortSignal.any([signal, timeout]));
    } catch (error) {
      signal.throwIfAborted();
      throw timeout.aborted && !(error instanceof UpstreamError) ? this.#broken(error, true) : error;
    }
  }

  /**
   * Resolves with any response below 500 except 408 and 429. Retries after 429. `beforeTry` can
   * delay each attempt.
   * @throws UpstreamError, or the signal's reason
   */
  async send(
    call: AtsCall,
    signal: AbortSignal,
    beforeTry: (signal: AbortSignal) => Promise<void> = async () => {},
  ): Promise<AtsResponse> {
    for (let attempt = 1; ; attempt += 1) {
      await beforeTry(signal);
      try {
        return await this.#exchange(call, signal);
      } catch (error) {
        signal.throwIfAborted();
        reportFailedCall(error);
        if (!(error instanceof UpstreamError) || error.kind !== 'rate_limited' || attempt >= LIMIT_TRIES) throw error;
        const delayMs = Math.max(error.retryAfterMs ?? 0, this.#options.limitDelayMs ?? LIMIT_DELAY_MS);
        if (delayMs > MAX_LIMIT_DELAY_MS) throw error;
        await sleep(delayMs, undefined, { signal });
      }
    }
  }

  /** Reads the body of a successful response. @throws UpstreamError */
  read<T>({ status, body }: AtsResponse, schema: z.ZodType<T>): T {
    if (status < 200 || status > 299) throw this.refused({ status, body });
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw this.badResponse();
    return parsed.data;
  }

  /** The error for any other response. Quotes the message of the ATS. */
  refused({ status, body }: Pick<AtsResponse, 'status' | 'body'>): UpstreamError {
    const message = RefusalBody.safeParse(body).data;
    const quoted = message === undefined ? null : quotedMessage(message, '');
    const because = quoted ? ` Its response: ${quoted}` : '';
    const { service, variable } = this.#options;
    if (status >= 300 && status < 400)
      return this.error('rejected', `${service} has moved (${status}). Ask an admin to check ${variable}.`);
    if (isMissing({ status }))
      return this.error('not_found', `${service} no longer has what was requested (${status}).${because}`);
    return this.error('rejected', `${service} rejected the request (${status}).${because}`);
  }

  badResponse(cause?: unknown): UpstreamError {
    const { service, variable } = this.#options;
    const message = `${service}'s response can't be read. If this keeps happening, ask an admin to check ${variable}.`;
    return this.error('bad_response', message, { cause });
  }

  async #exchange({ method, url, headers = {}, fields, body }: AtsCall, signal: AbortSignal): Promise<AtsResponse> {
    const { service, dispatcher } = this.#options;
    if (!Object.values(headers).every(isHeaderValue))
      throw this.error('rejected', `${service}'s key has an invalid format.`);
    try {
      const response = await request(url, {
        method,
        dispatcher,
        signal,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          ...(fields && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: fields ? JSON.stringify(fields) : (body ?? null),
      });
      const text = await readText(response.body, MAX_RESPONSE_BYTES);
      this.#expectUsable(response.statusCode, response.headers['retry-after']);
      const { location } = response.headers;
      return {
        status: response.statusCode,
        body: text === '' ? null : parseJson(text),
        location: typeof location === 'string' ? location : null,
      };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UpstreamError) throw error;
      throw error instanceof ResponseTooLarge ? this.badResponse(error) : this.#broken(error, false);
    }
  }

  #expectUsable(status: number, retryAfter: string | string[] | undefined): void {
    const { service } = this.#options;
    const more = { retryAfterMs: retryAfterMs(retryAfter) };
    if (status === 429) throw this.error('rate_limited', `${service} is rate-limiting us. Try again later.`, more);
    if (status === 408 || status >= 500)
      throw this.error('unavailable', `${service} returned an error (${status}). Try again later.`, more);
  }

  #broken(error: unknown, isTimeout: boolean): UpstreamError {
    const { service, variable } = this.#options;
    const message = brokenMessage({ service, variable, timeoutMs: this.#timeoutMs, isTimeout, error });
    return this.error('unavailable', message, { cause: withoutReadData(error) });
  }
}
