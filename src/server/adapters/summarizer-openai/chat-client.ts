import { z } from 'zod';
import { OpenaiServer, type ServerSettings } from '#server/adapters/openai-server/openai-server.ts';
import { withRetries } from '#server/adapters/outside-http/retry.ts';
import type { RetryPolicy } from '#server/ports/retry-policy.ts';
import { Concessions, featureParameters } from './concessions.ts';
import { declinedSummary, refusedSummary, SUMMARY_SERVICE, unreadableResponse } from './summary-error.ts';

export interface ChatSettings extends ServerSettings {
  retry: RetryPolicy;
}

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface Reply {
  text: string;
  /** True when the model reached its output limit before the end. */
  isCut: boolean;
}

const Part = z.object({ type: z.string(), text: z.string().optional() });
/** A completion as compatible servers send it: some send the content in parts. */
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

/** The longest summary is some ten thousand bytes; the limit only stops an endless response. */
const MAX_RESPONSE_BYTES = 8 * 2 ** 20;

/**
 * Requests chat completions from an OpenAI-compatible server, with the features that it supports.
 */
export class ChatClient {
  readonly #settings: ChatSettings;
  readonly #server: OpenaiServer;
  readonly #concessions = new Concessions();

  constructor(settings: ChatSettings) {
    this.#settings = settings;
    this.#server = new OpenaiServer(settings, SUMMARY_SERVICE, MAX_RESPONSE_BYTES);
  }

  /**
   * The model's reply, which should be JSON of this schema but may be anything. Retries transient
   * errors.
   * @throws UpstreamError, among them TooLongError; the signal's reason
   */
  complete(messages: readonly ChatMessage[], schema: object, signal: AbortSignal): Promise<Reply> {
    return withRetries(this.#settings.retry, signal, () => this.#completeOnce(messages, schema, signal));
  }

  async #completeOnce(messages: readonly ChatMessage[], schema: object, signal: AbortSignal): Promise<Reply> {
    const { model } = this.#settings;
    for (;;) {
      const features = this.#concessions.features();
      const body = { model, messages: [...messages], ...featureParameters(features, schema) };
      const outcome = await this.#server.send(
        (openai, options) => openai.chat.completions.create(body as never, options),
        signal,
      );
      if ('response' in outcome) return readReply(outcome.response);
      if (!this.#concessions.concede(outcome.refusal, features)) throw refusedSummary(outcome.refusal, model);
    }
  }
}

function readReply(response: unknown): Reply {
  const completion = Completion.safeParse(response);
  if (!completion.success) throw unreadableResponse();
  const { finish_reason: finish, message } = completion.data.choices[0] ?? { message: {} };
  if (message.refusal || finish === 'content_filter') throw declinedSummary();
  const content = message.content ?? '';
  const text = typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
  return { text, isCut: finish === 'length' };
}
