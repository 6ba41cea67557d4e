import { retryAfterMs } from '#server/adapters/outside-http/retry.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';

const SERVICE = 'interviews';

export const BAD_ANSWER = "The interview service's answer can't be read. Ask an admin to check INTERVIEW_SERVICE_URL.";

/** The refusal of a call. */
export interface Refusal {
  status: number;
  retryAfter: string | string[] | undefined;
  /** The service's own message, if it sent one. */
  message: string | null;
}

/** The message appears in the refresh alert and names the next step. */
export function refusalError({ status, retryAfter, message }: Refusal, funnelId: string): UpstreamError {
  const more = { retryAfterMs: retryAfterMs(retryAfter) };
  const because = message ? ` It answered: ${message}` : '';
  if (status === 401)
    return interviewsError(
      'unauthorised',
      "The interview service rejected this funnel's API key. Update it in Funnels.",
    );
  if (status === 403)
    return interviewsError(
      'unauthorised',
      `This API key has no access to funnel "${funnelId}". Check the key and the Funnel ID.`,
    );
  if (status === 404)
    return interviewsError('not_found', `The interview service has no funnel "${funnelId}". Check the Funnel ID.`);
  if (status === 429)
    return interviewsError(
      'rate_limited',
      `The interview service is rate-limiting us. Try again ${laterText(more.retryAfterMs)}.`,
      more,
    );
  if (status === 408 || status >= 500)
    return interviewsError(
      'unavailable',
      `The interview service returned an error (${status}). Try again ${laterText(more.retryAfterMs)}.`,
      more,
    );
  if (status >= 300 && status < 400)
    return interviewsError(
      'rejected',
      `The interview service has moved (${status}). Ask an admin to check INTERVIEW_SERVICE_URL.`,
    );
  return interviewsError('rejected', `The interview service refused the request (${status}).${because}`);
}

export const interviewsError = (
  kind: ConstructorParameters<typeof UpstreamError>[1],
  message: string,
  more: { cause?: unknown; retryAfterMs?: number | undefined } = {},
): UpstreamError => new UpstreamError(SERVICE, kind, message, more);

export function laterText(ms: number | undefined): string {
  if (ms === undefined) return 'later';
  const minutes = Math.ceil(ms / 60_000);
  if (minutes <= 1) return 'in a minute';
  return minutes < 120 ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`;
}
