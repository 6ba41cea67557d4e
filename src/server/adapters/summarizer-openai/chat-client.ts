import OpenAI from 'openai';
import { Agent, errors, fetch as undiciFetch } from 'undici';
import { z } from 'zod';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { type RetryPolicy, withRetries } from '../http-retry/retry.ts';
import { refusalIn, refusalOf, statusIn } from '../openai-server/refusal.ts';
import { Concessions } from './concessions.ts';
import { NO_CHAT_SERVER, NOT_UNDERSTOOD, refusedSummary, summaryError } from './summary-error.ts';

export interface ChatSettings {
  /** Ends in /v1. */
  url: string;
  /** Empty for a server that wants none. */
  apiKey: string;
  model: string;
  retry: RetryPolicy;
  /** For one try, from the first byte sent to the last one received. */
  timeoutMs: number;
}

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** What the model wrote; `wasCut` when it ran into its limit in the middle. */
export interface Reply {
  text: string;
  wasCut: boolean;
}

const Part = z.object({ type: z.string(), text: z.string().optional() });
/** A completion as compatible servers send it: some give the content in parts, some an error with status 200. */
const Completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().or(z.array(Part)).nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
});
const ErrorInside = z.object({ error: z.union([z.string(), z.looseObject({})]) });

/** The longest summary is some ten thousand bytes; this only stops an answer without end, be it a refusal or a success. */
const LONGEST_ANSWER = 8 * 2 ** 20;
/** A language model writes slowly: the limits of a call are ours, over headers and body together. */
const agent = new Agent({
  headersTimeout: 0,
  bodyTimeout: 0,
  connect: { timeout: 10_000 },
  maxResponseSize: LONGEST_ANSWER,
});

/** Asks an OpenAI-compatible server for chat completions, as far as it can do what we ask. */
export class ChatClient {
  readonly #settings: ChatSettings;
  readonly #openai: OpenAI;
  readonly #concessions = new Concessions();

  constructor(settings: ChatSettings) {
    this.#settings = settings;
    this.#openai = new OpenAI({
      baseURL: settings.url,
      apiKey: settings.apiKey || 'none',
      // Left out, these come from the environment, which only our configuration reads.
      organization: null,
      project: null,
      logLevel: 'off',
      maxRetries: 0,
      timeout: settings.timeoutMs,
      // A redirect would carry the transcript to who knows where.
      fetch: ((url: string, init: object) =>
        undiciFetch(url, { ...init, dispatcher: agent, redirect: 'manual' })) as unknown as typeof fetch,
    });
  }

  /**
   * The model's answer to `messages`, which should be JSON of this schema but need not be. Tries again what may pass.
   * @throws UpstreamError, TooLongError among them; the signal's reason
   */
  async ask(messages: readonly ChatMessage[], schema: object, signal: AbortSignal): Promise<Reply> {
    // Anything else cannot stand in a header (RFC 9110, section 5.5), so it is no key that a server could have issued.
    if (!/^[\x20-\x7e]*$/.test(this.#settings.apiKey)) throw this.#refused(401, null);
    return withRetries(this.#settings.retry, signal, () => this.#try(messages, schema, signal));
  }

  async #try(messages: readonly ChatMessage[], schema: object, signal: AbortSignal): Promise<Reply> {
    for (;;) {
      const asked = this.#concessions.now();
      const timeout = AbortSignal.timeout(this.#settings.timeoutMs);
      try {
        const body = { model: this.#settings.model, messages: [...messages], ...asked.parameters(schema) };
        const answer = await this.#openai.chat.completions.create(body as never, {
          signal: AbortSignal.any([signal, timeout]),
        });
        return this.#read(answer);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof UpstreamError) throw error;
        const refusal = refusalIn(error, this.#settings.apiKey);
        if (refusal && this.#concessions.make(refusal, asked)) continue;
        throw refusal ? refusedSummary(refusal, this.#settings.model) : this.#broken(error, timeout.aborted);
      }
    }
  }

  #read(answer: unknown): Reply {
    const inside = ErrorInside.safeParse(answer);
    if (inside.success) throw this.#refused(statusIn(inside.data.error), inside.data.error);
    const completion = Completion.safeParse(answer);
    // A page for people, most likely.
    if (!completion.success)
      throw summaryError('bad_answer', typeof answer === 'string' ? NO_CHAT_SERVER : NOT_UNDERSTOOD);
    const { finish_reason: finish, message } = completion.data.choices[0] ?? { message: {} };
    if (message.refusal || finish === 'content_filter') throw declined();
    const content = message.content ?? '';
    const text = typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
    return { text, wasCut: finish === 'length' };
  }

  #refused(status: number, body: unknown): UpstreamError {
    const { apiKey, model } = this.#settings;
    return refusedSummary(refusalOf(status, body, { apiKey }), model);
  }

  #broken(cause: unknown, tooSlow: boolean): UpstreamError {
    // The client parses the answer itself; the parser's error quotes it, and it may hold anything.
    if (cause instanceof SyntaxError || isWithoutEnd(cause)) return summaryError('bad_answer', NO_CHAT_SERVER);
    const seconds = Math.ceil(this.#settings.timeoutMs / 1_000);
    const text = tooSlow
      ? `The summary service did not answer within ${seconds} s.`
      : 'The summary service cannot be reached. If this stays, an administrator should check SUMMARY_URL.';
    return summaryError('unavailable', text, { cause });
  }
}

/** What the model says of it may repeat the candidate's words, so it stays out of messages and logs. */
const declined = () =>
  summaryError(
    'rejected',
    'The model declines to sum this interview up. Write the summary by hand, or have an administrator choose another model (SUMMARY_MODEL).',
  );

/** The client wraps what broke a call, and what wraps that is its own business. */
function isWithoutEnd(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof errors.ResponseExceededMaxSizeError || isWithoutEnd(error.cause);
}
