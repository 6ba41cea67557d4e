import { z } from 'zod';
import { ChatClient, type ChatMessage, type ChatSettings, type Reply } from './chat-client.ts';
import { askAgain } from './instructions.ts';
import { jsonInText } from './json-in-text.ts';
import { NOT_UNDERSTOOD, summaryError } from './summary-error.ts';

/** What an answer should look like: as the server is told, and as we read it, which forgives more. */
export interface Shape<T> {
  schema: object;
  reader: z.ZodType<T>;
}

/** Asks for answers in a shape. */
export class StructuredChat {
  readonly #chat: ChatClient;

  constructor(settings: ChatSettings) {
    this.#chat = new ChatClient(settings);
  }

  /**
   * The model's answer in this shape. An answer that has another one gets one chance to be repaired, with what is wrong said to it.
   * @throws UpstreamError; the signal's reason
   */
  async ask<T>(messages: readonly ChatMessage[], { schema, reader }: Shape<T>, signal: AbortSignal): Promise<T> {
    const reply = await this.#chat.ask(messages, schema, signal);
    const first = read(reply, reader);
    if ('answer' in first) return first.answer;
    const repaired = await this.#chat.ask([...messages, ...askAgain(reply.text, first.problem)], schema, signal);
    const second = read(repaired, reader);
    if ('answer' in second) return second.answer;
    throw summaryError('bad_answer', NOT_UNDERSTOOD);
  }
}

function read<T>({ text, wasCut }: Reply, reader: z.ZodType<T>): { answer: T } | { problem: string } {
  if (wasCut) return { problem: 'it is too long and was cut off; write less and quote less' };
  try {
    const parsed = reader.safeParse(jsonInText(text));
    return parsed.success ? { answer: parsed.data } : { problem: z.prettifyError(parsed.error).slice(0, 1_000) };
  } catch {
    return { problem: 'it is no JSON' };
  }
}
