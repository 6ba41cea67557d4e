import type { OpenaiRefusal } from '#server/adapters/openai-server/refusal.ts';
import { openaiRefusalError, type ServiceTexts } from '#server/adapters/openai-server/refusal-error.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';

export const SUMMARY_SERVICE: ServiceTexts = {
  name: 'summary',
  variablePrefix: 'SUMMARY',
  resource: 'chat completions',
  payload: 'request',
  action: 'summarize',
};

/** The request exceeds the model's context: smaller pieces may fit. */
export class TooLongError extends UpstreamError {}

export const unreadableResponse = (): UpstreamError =>
  new UpstreamError(
    SUMMARY_SERVICE.name,
    'bad_response',
    "The summary service sent a response that can't be read. Try again. If this keeps happening, ask an admin to choose another model (SUMMARY_MODEL).",
  );

/** The model's reason may repeat what the candidate said, so it stays out of messages and logs. */
export const declinedSummary = (): UpstreamError =>
  new UpstreamError(
    SUMMARY_SERVICE.name,
    'rejected',
    'The model refused to summarize this interview. Write the summary yourself, or ask an admin to choose another model (SUMMARY_MODEL).',
  );

/**
 * Messages of compatible servers for a prompt that does not fit: OpenAI, Azure, vLLM, llama.cpp,
 * LM Studio, Groq, Mistral and gateways each have their own, and few send the code.
 */
const TOO_LONG =
  /context[ _](length|window|size)|maximum (context|prompt|input)|max(imum)?[ _]tokens?[ _]allowed|(prompt|input|request) (is )?too (long|large)|too many (input )?tokens|reduce the length|longer than the model/i;
/** Also matches `… exceeds the available number of tokens` in all its forms. */
const isTooLong = (message: string) =>
  TOO_LONG.test(message) ||
  /tokens|context/i.test(
    message
      .split(/exceed/i)
      .slice(1)
      .join(' '),
  );

export function refusedSummary(refusal: OpenaiRefusal, model: string): UpstreamError {
  const { status, code, message } = refusal;
  if (status === 413 || ([400, 422, 500].includes(status) && isTooLong(`${code} ${message}`)))
    return new TooLongError(SUMMARY_SERVICE.name, 'rejected', tooLongMessage(model));
  return openaiRefusalError(refusal, SUMMARY_SERVICE, model);
}

const tooLongMessage = (model: string) =>
  `The model "${model}" can't read even a small piece of this interview at once. Ask an admin to choose a model with a larger context (SUMMARY_MODEL).`;
