import { z } from 'zod';
import { parseJson } from '#contracts/rules/parse-json.ts';
import type { ChatClient, ChatMessage, Reply } from './chat-client.ts';
import { repairMessages } from './instructions.ts';
import { unreadableResponse } from './summary-error.ts';

/** The shape of a response: `schema` for the server, and the more forgiving `reader` for us. */
interface Question<T> {
  messages: readonly ChatMessage[];
  schema: object;
  reader: z.ZodType<T>;
}

/**
 * Resolves with the model's response. An invalid one is sent back once, with the reason, to be
 * repaired.
 * @throws UpstreamError; the signal's reason
 */
export async function ask<T>(
  chat: ChatClient,
  { messages, schema, reader }: Question<T>,
  signal: AbortSignal,
): Promise<T> {
  const reply = await chat.complete(messages, schema, signal);
  const first = readReply(reply, reader);
  if ('response' in first) return first.response;
  const repair = [...messages, ...repairMessages(reply.text, first.problem)];
  const second = readReply(await chat.complete(repair, schema, signal), reader);
  if ('response' in second) return second.response;
  throw unreadableResponse();
}

function readReply<T>({ text, isCut }: Reply, reader: z.ZodType<T>): { response: T } | { problem: string } {
  if (isCut) return { problem: 'it is too long and was cut off; write less and quote less' };
  const json = findJson(text);
  if (json === null) return { problem: 'it is not JSON' };
  const parsed = reader.safeParse(json);
  return parsed.success ? { response: parsed.data } : { problem: z.prettifyError(parsed.error).slice(0, 1_000) };
}

/**
 * The JSON object or array in a model's reply: alone, in a code fence, after its reasoning or
 * between other sentences. Null when there is none.
 */
export function findJson(text: string): object | null {
  const reply = text.replace(/^[\s\S]*<\/think>/, '').trim();
  const [from, to] = [reply.indexOf('{'), reply.lastIndexOf('}')];
  for (const candidate of [reply, insideFence(reply), reply.slice(Math.max(from, 0), to + 1)]) {
    const value = candidate === undefined ? undefined : parseJson(candidate);
    if (typeof value === 'object' && value !== null) return value;
  }
  return null;
}

/** The text between the line of the first three backticks and the next three. */
function insideFence(text: string): string | undefined {
  const start = text.indexOf('```');
  const line = start < 0 ? -1 : text.indexOf('\n', start);
  const end = line < 0 ? -1 : text.indexOf('```', line);
  return end < 0 || !/^(json)?\s*$/i.test(text.slice(start + 3, line)) ? undefined : text.slice(line, end);
}
