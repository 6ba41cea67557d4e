import { UpstreamError, type UpstreamErrorKind } from '#server/ports/upstream-error.ts';
import type { OpenaiRefusal } from './refusal.ts';

/** An OpenAI-compatible service as its messages name it. */
export interface ServiceTexts {
  /** In sentences and logs: `summary`. */
  name: string;
  /** The prefix of its environment variables: `SUMMARY` for `SUMMARY_URL`. */
  variablePrefix: string;
  /** The interface at its URL, such as `chat completions`. */
  resource: string;
  /** The content of our calls, such as `recording`. */
  payload: string;
  /** The step that the user repeats after the problem is solved. */
  action: string;
}

const NO_QUOTA = /insufficient[ _](quota|credit|balance|funds)|exceeded your current quota|billing/i;

type Rule = [
  isMatch: (refusal: OpenaiRefusal) => boolean,
  kind: UpstreamErrorKind,
  text: (refusal: OpenaiRefusal, texts: ServiceTexts, model: string) => string,
];

/** The first rule that matches applies. */
const RULES: Rule[] = [
  [
    // OpenAI returns 429 here as for a rate limit, but waiting does not help.
    ({ status, code, message }) => status === 402 || (status === 429 && NO_QUOTA.test(`${code} ${message}`)),
    'rejected',
    (_, { name, action }) =>
      `The ${name} service's quota is used up. Ask an admin to check its plan and billing, then ${action} again.`,
  ],
  [
    ({ status }) => status === 401,
    'unauthorised',
    (_, { name, variablePrefix }) =>
      `The ${name} service rejected our API key. Ask an admin to check ${variablePrefix}_API_KEY.`,
  ],
  [
    ({ status }) => status === 403,
    'unauthorised',
    ({ message }, { name, variablePrefix }) =>
      `The ${name} service doesn't let our API key use this model. Ask an admin to check ${variablePrefix}_API_KEY and ${variablePrefix}_MODEL.${reported(message)}`,
  ],
  [
    ({ status, code, message }) => status === 404 && /model/i.test(`${code} ${message}`),
    'not_found',
    (_, { name, variablePrefix }, model) =>
      `The ${name} service doesn't have the model "${model}". Ask an admin to check ${variablePrefix}_MODEL.`,
  ],
  [
    ({ status }) => status === 404 || status === 405,
    'not_found',
    (_, { name, variablePrefix, resource }, model) =>
      `The ${name} service has no ${resource} at this address, or no model "${model}". Ask an admin to check ${variablePrefix}_URL, which should end in /v1, and ${variablePrefix}_MODEL.`,
  ],
  [({ status }) => status === 429, 'rate_limited', (_, { name }) => `The ${name} service is rate-limiting us.`],
  [
    ({ status }) => status === 408 || status >= 500,
    'unavailable',
    ({ status }, { name }) => `The ${name} service returned an error (${status}).`,
  ],
  [
    ({ status }) => status >= 300 && status < 400,
    'rejected',
    ({ status }, { name, variablePrefix }) =>
      `The ${name} service has moved (${status}). Ask an admin to check ${variablePrefix}_URL.`,
  ],
];

/**
 * The error for a refusal, with a message that names the next step. `model` is the requested one.
 */
export function openaiRefusalError(refusal: OpenaiRefusal, texts: ServiceTexts, model: string): UpstreamError {
  const { status, message, retryAfterMs } = refusal;
  const rule = RULES.find(([isMatch]) => isMatch(refusal));
  if (!rule) {
    const text = `The ${texts.name} service rejected the ${texts.payload} (${status}).${reported(message)}`;
    return new UpstreamError(texts.name, 'rejected', text);
  }
  const [, kind, text] = rule;
  return new UpstreamError(texts.name, kind, text(refusal, texts, model), { retryAfterMs });
}

export const noServerMessage = ({ variablePrefix }: ServiceTexts): string =>
  `${variablePrefix}_URL doesn't point to an OpenAI-compatible API. It should end in /v1.`;

const reported = (message: string) => (message ? ` It reported: ${message}` : '');
