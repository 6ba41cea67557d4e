import { UpstreamError, type UpstreamErrorKind } from '#server/ports/upstream-error.ts';
import type { Refusal } from '../openai-server/refusal.ts';

export const transcriptionError = (
  kind: UpstreamErrorKind,
  message: string,
  more: { cause?: unknown; retryAfterMs?: number | undefined } = {},
): UpstreamError => new UpstreamError('transcription', kind, message, more);

export const NO_TRANSCRIPTION_SERVER =
  'What answers at TRANSCRIPTION_URL is no OpenAI-compatible server. An administrator should check TRANSCRIPTION_URL; it ends in /v1.';

const NO_QUOTA = /insufficient[ _](quota|credit|balance|funds)|exceeded your current quota|billing/i;

type Rule = [
  holds: (refusal: Refusal) => boolean,
  kind: UpstreamErrorKind,
  text: (refusal: Refusal, model: string) => string,
];

/** The first that holds says what to do. */
const RULES: Rule[] = [
  [
    // OpenAI answers 429 for it as for haste, but no waiting helps: somebody has to pay.
    ({ status, code, says }) => status === 402 || (status === 429 && NO_QUOTA.test(`${code} ${says}`)),
    'rejected',
    () =>
      'The account of the transcription service has used up its quota. An administrator should check its plan and billing, then transcribe again.',
  ],
  [
    ({ status }) => status === 401,
    'unauthorised',
    () => 'The transcription service does not accept our key. An administrator should check TRANSCRIPTION_API_KEY.',
  ],
  [
    ({ status }) => status === 403,
    'unauthorised',
    ({ says }) =>
      `The transcription service does not let our key use this model. An administrator should check TRANSCRIPTION_API_KEY and TRANSCRIPTION_MODEL.${because(says)}`,
  ],
  [
    ({ status, code, says }) => status === 404 && /model/i.test(`${code} ${says}`),
    'not_found',
    (_, model) =>
      `The transcription service does not know the model "${model}". An administrator should check TRANSCRIPTION_MODEL.`,
  ],
  [
    ({ status }) => status === 404 || status === 405,
    'not_found',
    (_, model) =>
      `The transcription service has no transcriptions at this address, or no model "${model}". An administrator should check TRANSCRIPTION_URL, which ends in /v1, and TRANSCRIPTION_MODEL.`,
  ],
  [
    ({ status }) => status === 413,
    'rejected',
    () =>
      'The transcription service takes less than 15 MB at once, which a part of this recording has. An administrator should raise the limit of the service.',
  ],
  [({ status }) => status === 429, 'rate_limited', () => 'The transcription service is receiving too many requests.'],
  [
    ({ status }) => status === 408 || status >= 500,
    'unavailable',
    ({ status }) => `The transcription service has a problem (status ${status}).`,
  ],
  [
    ({ status }) => status >= 300 && status < 400,
    'rejected',
    ({ status }) =>
      `The transcription service has moved (status ${status}). An administrator should check TRANSCRIPTION_URL.`,
  ],
];

/** Says a refusal so that whoever reads it on the interview's card knows what to do. */
export function refusalError(refusal: Refusal, model: string): UpstreamError {
  const rule = RULES.find(([holds]) => holds(refusal));
  const { status, says } = refusal;
  if (!rule)
    return transcriptionError(
      'rejected',
      `The transcription service refuses the recording (status ${status}).${because(says)}`,
    );
  const [, kind, text] = rule;
  return transcriptionError(kind, text(refusal, model), { retryAfterMs: refusal.retryAfterMs });
}

const because = (says: string) => (says ? ` It says: ${says}` : '');
