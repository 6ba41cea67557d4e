import { readJson } from '../control/read-json.ts';
import type { FaultList } from '../faults/fault-list.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Mount } from '../http/mount.ts';
import { SANDBOX_CHAT } from './chat-account.ts';
import { answerTo } from './chat-answer.ts';
import { type Faulty, type Refusal, refusalOf } from './chat-limits.ts';
import { readPrompt } from './chat-prompt.ts';
import { ChatRequest } from './chat-request.ts';
import { type Written, written } from './chat-spoiled.ts';

const CHAT_PREFIX = '/openai/v1/chat';

/** `POST /openai/v1/chat/completions`: a language model that sums interviews up from the transcript it is given. */
export const chatMount = ({ faults }: { faults: FaultList }): Mount => ({
  name: 'chat',
  prefix: CHAT_PREFIX,
  isOutsideWorld: true,
  async handle(exchange) {
    const body = await readJson(exchange.request).catch(() => null);
    const subject = { mount: 'chat', path: exchange.path, funnelId: null, page: null };
    const refusal = refusalOfCaller(exchange);
    if (refusal) refuse(exchange, refusal);
    else answer(exchange, body, { faults, subject });
  },
});

function refusalOfCaller({ method, path, request }: Exchange): Refusal | null {
  if (path !== `${CHAT_PREFIX}/completions` || method !== 'POST')
    return { status: 404, message: `Invalid URL (${method} ${path})` };
  const [, key = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (key === SANDBOX_CHAT.apiKey) return null;
  return { status: 401, message: `Incorrect API key provided: ${key}.`, code: 'invalid_api_key' };
}

function answer(exchange: Exchange, body: unknown, faulty: Faulty) {
  const request = ChatRequest.safeParse(body);
  if (!request.success) return refuse(exchange, { status: 400, message: request.error.issues[0]?.message ?? '' });
  const refusal = refusalOf(request.data, faulty);
  if (refusal) return refuse(exchange, refusal);
  const prompt = readPrompt(request.data);
  if (prompt) return exchange.json(200, completion(request.data, written(answerTo(prompt), prompt, faulty)));
  const message = 'This stand-in only sums interviews up, from the transcript in the first message of the user.';
  return refuse(exchange, { status: 400, message });
}

function refuse(exchange: Exchange, { status, message, code, param, asText }: Refusal) {
  const error = { message, type: 'invalid_request_error', param: param ?? null, code: code ?? null };
  return exchange.json(status, { error: asText ? message : error });
}

const completion = ({ model }: ChatRequest, { content, refusal, finish }: Written) => ({
  id: 'chatcmpl-sandbox',
  object: 'chat.completion',
  created: Math.floor(Date.now() / 1_000),
  model,
  choices: [{ index: 0, message: { role: 'assistant', content, refusal }, logprobs: null, finish_reason: finish }],
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
});
