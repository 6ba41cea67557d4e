import { UpstreamError, type UpstreamErrorKind } from '#server/ports/upstream-error.ts';
import type { Refusal } from '../openai-server/refusal.ts';

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
  /context[ _](length|window|size)|maximum (context|prompt|input)|max(imum)?[ _]tokens?[ _]allowed|(prompt|input|request) (is )?too (long|large)|too many (input )?tokens|reduce the length|exceed\w* .*(tokens|context)|longer than the model/i;
const NO_QUOTA = /insufficient[ _](quota|credit|balance|funds)|exceeded your current quota|billing/i;

type Rule = [
  holds: (refusal: Refusal) => boolean,
  kind: UpstreamErrorKind,
  text: (refusal: Refusal, model: string) => string,
];

/** The first that holds says what to do. */
const RULES: Rule[] = [
  [
    ({ status, code, says }) => status === 402 || (status === 429 && NO_QUOTA.test(`${code} ${says}`)),
    'rejected',
    () =>
      'The account of the summary service has used up its quota. An administrator should check its plan and billing, then summarize again.',
  ],
  [
    ({ status }) => status === 401,
    'unauthorised',
    () => 'The summary service does not accept our key. An administrator should check SUMMARY_API_KEY.',
  ],
  [
    ({ status }) => status === 403,
    'unauthorised',
    ({ says }) =>
      `The summary service does not let our key use this model. An administrator should check SUMMARY_API_KEY and SUMMARY_MODEL.${because(says)}`,
  ],
  [
    ({ status, code, says }) => status === 404 && /model/i.test(`${code} ${says}`),
    'not_found',
    (_, model) =>
      `The summary service does not know the model "${model}". An administrator should check SUMMARY_MODEL.`,
  ],
  [
    ({ status }) => status === 404 || status === 405,
    'not_found',
    (_, model) =>
      `The summary service has no chat completions at this address, or no model "${model}". An administrator should check SUMMARY_URL, which ends in /v1, and SUMMARY_MODEL.`,
  ],
  [({ status }) => status === 429, 'rate_limited', () => 'The summary service is receiving too many requests.'],
  [
    ({ status }) => status === 408 || status >= 500,
    'unavailable',
    ({ status }) => `The summary service has a problem (status ${status}).`,
  ],
  [
    ({ status }) => status >= 300 && status < 400,
    'rejected',
    ({ status }) => `The summary service has moved (status ${status}). An administrator should check SUMMARY_URL.`,
  ],
];

/** Says a refusal so that whoever reads it on the interview's card knows what to do. */
export function refusalError(refusal: Refusal, model: string): UpstreamError {
  const { status, code, says } = refusal;
  if (status === 413 || ([400, 422, 500].includes(status) && TOO_LONG.test(`${code} ${says}`)))
    return new TooLongError('summary', 'rejected', tooLongText(model));
  const rule = RULES.find(([holds]) => holds(refusal));
  if (!rule)
    return summaryError('rejected', `The summary service refuses the request (status ${status}).${because(says)}`);
  const [, kind, text] = rule;
  return summaryError(kind, text(refusal, model), { retryAfterMs: refusal.retryAfterMs });
}

const tooLongText = (model: string) =>
  `The model "${model}" cannot read even a small piece of this interview at once. An administrator should choose a model with a larger context (SUMMARY_MODEL).`;

const because = (says: string) => (says ? ` It says: ${says}` : '');
