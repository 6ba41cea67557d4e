import { UpstreamError, type UpstreamErrorKind } from '#server/ports/upstream-error.ts';
import type { Refusal } from './refusal.ts';

/** An OpenAI-compatible service as the people who read its refusals know it. */
export interface RefusingService {
  /** As it is called in sentences and logs. */
  service: string;
  /** Begins the names of its variables: `SUMMARY` for `SUMMARY_URL`. */
  variables: string;
  /** What it offers under its address. */
  offers: string;
  /** What it is sent. */
  refuses: string;
  /** What to do again once somebody has paid. */
  again: string;
}

const NO_QUOTA = /insufficient[ _](quota|credit|balance|funds)|exceeded your current quota|billing/i;

type Rule = [
  holds: (refusal: Refusal) => boolean,
  kind: UpstreamErrorKind,
  text: (refusal: Refusal, on: RefusingService, model: string) => string,
];

/** The first that holds says what to do. */
const RULES: Rule[] = [
  [
    // OpenAI answers 429 for it as for haste, but no waiting helps: somebody has to pay.
    ({ status, code, says }) => status === 402 || (status === 429 && NO_QUOTA.test(`${code} ${says}`)),
    'rejected',
    (_, { service, again }) =>
      `The account of the ${service} service has used up its quota. An administrator should check its plan and billing, then ${again} again.`,
  ],
  [
    ({ status }) => status === 401,
    'unauthorised',
    (_, { service, variables }) =>
      `The ${service} service does not accept our key. An administrator should check ${variables}_API_KEY.`,
  ],
  [
    ({ status }) => status === 403,
    'unauthorised',
    ({ says }, { service, variables }) =>
      `The ${service} service does not let our key use this model. An administrator should check ${variables}_API_KEY and ${variables}_MODEL.${because(says)}`,
  ],
  [
    ({ status, code, says }) => status === 404 && /model/i.test(`${code} ${says}`),
    'not_found',
    (_, { service, variables }, model) =>
      `The ${service} service does not know the model "${model}". An administrator should check ${variables}_MODEL.`,
  ],
  [
    ({ status }) => status === 404 || status === 405,
    'not_found',
    (_, { service, variables, offers }, model) =>
      `The ${service} service has no ${offers} at this address, or no model "${model}". An administrator should check ${variables}_URL, which ends in /v1, and ${variables}_MODEL.`,
  ],
  [
    ({ status }) => status === 429,
    'rate_limited',
    (_, { service }) => `The ${service} service is receiving too many requests.`,
  ],
  [
    ({ status }) => status === 408 || status >= 500,
    'unavailable',
    ({ status }, { service }) => `The ${service} service has a problem (status ${status}).`,
  ],
  [
    ({ status }) => status >= 300 && status < 400,
    'rejected',
    ({ status }, { service, variables }) =>
      `The ${service} service has moved (status ${status}). An administrator should check ${variables}_URL.`,
  ],
];

/** Says a refusal so that whoever reads it on the interview's card knows what to do. `model` is the one that was asked for. */
export function refusalError(refusal: Refusal, on: RefusingService, model: string): UpstreamError {
  const { status, says, retryAfterMs } = refusal;
  const rule = RULES.find(([holds]) => holds(refusal));
  if (!rule) {
    const text = `The ${on.service} service refuses the ${on.refuses} (status ${status}).${because(says)}`;
    return new UpstreamError(on.service, 'rejected', text);
  }
  const [, kind, text] = rule;
  return new UpstreamError(on.service, kind, text(refusal, on, model), { retryAfterMs });
}

const because = (says: string) => (says ? ` It says: ${says}` : '');
