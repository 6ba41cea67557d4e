import OpenAI from 'openai';
import { Dispatcher1Wrapper, errors } from 'undici';
import { parseJson } from '#contracts/rules/parse-json.ts';
import type { OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import {
  brokenMessage,
  isHeaderValue,
  outsideAgent,
  ResponseTooLarge,
  readText,
} from '#server/adapters/outside-http/outside-call.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { type OpenaiRefusal, refusalIn, refusalOf, statusIn } from './refusal.ts';
import { noServerMessage, type ServiceTexts } from './refusal-error.ts';

export interface ServerSettings {
  /** Ends in /v1. */
  url: string;
  /** Empty for a server that requires none. */
  apiKey: string;
  model: string;
  /** For one try, from the first byte sent to the last one received. */
  timeoutMs: number;
  proxy?: OutgoingProxy | undefined;
}

type Call = (openai: OpenAI, options: { signal: AbortSignal }) => { asResponse(): Promise<Response> };

/** Calls an OpenAI-compatible server, one try each. */
export class OpenaiServer {
  readonly #settings: ServerSettings;
  readonly #texts: ServiceTexts;
  readonly #maxResponseBytes: number;
  readonly #openai: OpenAI;

  constructor(settings: ServerSettings, texts: ServiceTexts, maxResponseBytes: number) {
    this.#settings = settings;
    this.#texts = texts;
    this.#maxResponseBytes = maxResponseBytes;
    this.#openai = new OpenAI({
      baseURL: settings.url,
      apiKey: settings.apiKey || 'none',
      // If omitted, these come from the environment, which only our configuration may read.
      adminAPIKey: null,
      organization: null,
      project: null,
      logLevel: 'off',
      maxRetries: 0,
      timeout: settings.timeoutMs,
      fetchOptions: {
        // Also limits error bodies, which the client reads on its own. Wrapped for Node's fetch,
        // which comes from an earlier major version of undici.
        dispatcher: new Dispatcher1Wrapper(outsideAgent({ maxResponseSize: maxResponseBytes }, settings.proxy)),
        // A redirect could carry the interview to an unknown host.
        redirect: 'manual',
      } as object,
    });
  }

  /**
   * Resolves with the parsed response, or with the refusal, even when that arrives with status 200.
   * @throws UpstreamError `unavailable` or `bad_response`; the signal's reason
   */
  async send(call: Call, signal: AbortSignal): Promise<{ response: unknown } | { refusal: OpenaiRefusal }> {
    const { apiKey, timeoutMs } = this.#settings;
    if (!isHeaderValue(apiKey)) return { refusal: refusalOf(401, null, { apiKey }) };
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await call(this.#openai, { signal: AbortSignal.any([signal, timeout]) }).asResponse();
      const json = parseJson(await readText(response.body, this.#maxResponseBytes));
      if (json === undefined) throw this.#error('bad_response', noServerMessage(this.#texts));
      const { error } = (json ?? {}) as { error?: { code?: unknown; status?: unknown } | string | null };
      return error ? { refusal: refusalOf(statusIn(error), error, { apiKey }) } : { response: json };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UpstreamError) throw error;
      const refusal = refusalIn(error, apiKey);
      if (refusal) return { refusal };
      if (isTooLarge(error)) throw this.#error('bad_response', noServerMessage(this.#texts));
      const { name, variablePrefix } = this.#texts;
      const broken = { service: `The ${name} service`, variable: `${variablePrefix}_URL`, timeoutMs };
      throw this.#error('unavailable', brokenMessage({ ...broken, isTimeout: timeout.aborted, error }), error);
    }
  }

  #error(kind: 'bad_response' | 'unavailable', message: string, cause?: unknown): UpstreamError {
    return new UpstreamError(this.#texts.name, kind, message, { cause });
  }
}

/** The client wraps the error of the connection, at times more than once. */
function isTooLarge(error: unknown): boolean {
  if (error instanceof ResponseTooLarge || error instanceof errors.ResponseExceededMaxSizeError) return true;
  return error instanceof Error && isTooLarge(error.cause);
}
