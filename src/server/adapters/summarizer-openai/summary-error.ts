import { UpstreamError, type UpstreamErrorKind } from '#server/ports/upstream-error.ts';
import type { Refusal } from '../openai-server/refusal.ts';
import { type RefusingService, refusalError } from '../openai-server/refusal-error.ts';

/** The request is more than the model reads at once: smaller pieces may pass. */
export class TooLongError extends UpstreamError {}

export const summaryError = (
  kind: UpstreamErrorKind,
  message: string,
  more: { cause?: unknown; retryAfterMs?: number | undefined } = {},
): UpstreamError => new UpstreamError('summary', kind, message, more);

export const NOT_UNDERSTOOD =
  'The summary service gave an answer that cannot be read. Try again; if this stays, an administrator should choose another model (SUMMARY_MODEL).';
export const NO_CHAT_SERVER =
  'What answers at SUMMARY_URL is no OpenAI-compatible server. An administrator should check SUMMARY_URL; it ends in /v1.';

/**
 * What compatible servers write when a prompt does not fit: OpenAI, Azure, vLLM, llama.cpp, LM Studio, Groq, Mistral and gateways
 * before them each have words of their own, and few send the code.
 */
const TOO_LONG =
  /context[ _](length|window|size)|maximum (context|prompt|input)|max(imum)?[ _]tokens?[ _]allowed|(prompt|input|request) (is )?too (long|large)|too many (input )?tokens|reduce the length|longer than the model/i;
/** `… exceeds the available number of tokens`, in all its forms. */
const saysTooLong = (words: string) =>
  TOO_LONG.test(words) ||
  /tokens|context/i.test(
    words
      .split(/exceed/i)
      .slice(1)
      .join(' '),
  );

const SERVICE: RefusingService = {
  service: 'summary',
  variables: 'SUMMARY',
  offers: 'chat completions',
  refuses: 'request',
  again: 'summarize',
};

/** Says a refusal so that whoever reads it on the interview's card knows what to do. */
export function refusedSummary(refusal: Refusal, model: string): UpstreamError {
  const { status, code, says } = refusal;
  if (status === 413 || ([400, 422, 500].includes(status) && saysTooLong(`${code} ${says}`)))
    return new TooLongError('summary', 'rejected', tooLongText(model));
  return refusalError(refusal, SERVICE, model);
}

const tooLongText = (model: string) =>
  `The model "${model}" cannot read even a small piece of this interview at once. An administrator should choose a model with a larger context (SUMMARY_MODEL).`;
