import { UpstreamError } from '#server/ports/upstream-error.ts';
import { retryAfterMs } from '../http-retry/retry-after.ts';

const SERVICE = 'interviews';

/** The service's answer as far as it says why it refuses. */
export interface Refusal {
  status: number;
  retryAfter: string | string[] | undefined;
  /** What the service says itself, when it says something. */
  message: string | null;
}

/** Says a refusal so that whoever reads it in the refresh's alert knows what to do. */
export function refusalError({ status, retryAfter, message }: Refusal, funnelId: string): UpstreamError {
  const more = { retryAfterMs: retryAfterMs(retryAfter) };
  const because = message ? ` It says: ${message}` : '';
  if (status === 401)
    return interviewsError(
      'unauthorised',
      "The interview service does not accept this funnel's API key. Check the API key of the funnel.",
    );
  if (status === 403)
    return interviewsError(
      'unauthorised',
      `The interview service does not let this API key read the funnel "${funnelId}". Check the API key and the Funnel ID, or ask the interview service for access.`,
    );
  if (status === 404)
    return interviewsError(
      'not_found',
      `The interview service does not know the funnel "${funnelId}". Check the Funnel ID of the funnel.`,
    );
  if (status === 429)
    return interviewsError(
      'rate_limited',
      `The interview service is receiving too many requests. Please refresh again ${laterText(more.retryAfterMs)}.`,
      more,
    );
  if (status === 408 || status >= 500)
    return interviewsError(
      'unavailable',
      `The interview service has a problem (status ${status}). Please refresh again ${laterText(more.retryAfterMs)}.`,
      more,
    );
  if (status >= 300 && status < 400)
    return interviewsError(
      'rejected',
      `The interview service has moved (status ${status}). An administrator should check INTERVIEW_SERVICE_URL.`,
    );
  return interviewsError('rejected', `The interview service refuses the request (status ${status}).${because}`);
}

export const interviewsError = (
  kind: ConstructorParameters<typeof UpstreamError>[1],
  message: string,
  more: { cause?: unknown; retryAfterMs?: number | undefined } = {},
): UpstreamError => new UpstreamError(SERVICE, kind, message, more);

function laterText(ms: number | undefined): string {
  if (ms === undefined) return 'later';
  const minutes = Math.ceil(ms / 60_000);
  if (minutes <= 1) return 'in a minute';
  return minutes < 120 ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`;
}
