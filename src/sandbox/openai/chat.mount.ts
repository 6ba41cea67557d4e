import type { Exchange } from '#sandbox/http/exchange.ts';
import { readJson } from '#sandbox/http/exchange.ts';
import type { Mount } from '#sandbox/http/mount.ts';
import { type ChatMessage, messageWith } from './chat-faults.ts';
import { refusalOf, SANDBOX_CHAT } from './chat-limits.ts';
import { readPrompt } from './chat-prompt.ts';
import { ChatRequest } from './chat-request.ts';
import { responseTo } from './chat-response.ts';
import { refusalOfCaller, refuse } from './refusal.ts';

const CHAT_PREFIX = '/openai/v1/chat';

/**
 * `POST /openai/v1/chat/completions`: a language model that summarizes interviews from the
 * transcript in the prompt.
 */
export const chatMount = (): Mount => ({
  name: 'chat',
  prefix: CHAT_PREFIX,
  async handle(exchange) {
    const body = await readJson(exchange.request).catch(() => null);
    const refusal = refusalOfCaller(exchange, `${CHAT_PREFIX}/completions`, SANDBOX_CHAT.apiKey);
    if (refusal) refuse(exchange, refusal);
    else respond(exchange, body);
  },
});

function respond(exchange: Exchange, body: unknown) {
  const { faults } = exchange;
  const request = ChatRequest.safeParse(body);
  if (!request.success) return refuse(exchange, { status: 400, message: request.error.issues[0]?.message ?? '' });
  const refusal = refusalOf(request.data, faults);
  if (refusal) return refuse(exchange, refusal);
  const prompt = readPrompt(request.data);
  if (prompt) return exchange.json(200, completion(request.data, messageWith(responseTo(prompt), prompt, faults)));
  const message = 'The sandbox only summarizes interviews, from the transcript in the first user message.';
  return refuse(exchange, { status: 400, message });
}

const completion = ({ model }: ChatRequest, { content, refusal, finish }: ChatMessage) => ({
  id: 'chatcmpl-sandbox',
  object: 'chat.completion',
  created: Math.floor(Date.now() / 1_000),
  model,
  choices: [{ index: 0, message: { role: 'assistant', content, refusal }, logprobs: null, finish_reason: finish }],
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
});
