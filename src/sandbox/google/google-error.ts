import type { FaultOf } from '#sandbox/faults/fault.ts';
import type { Exchange } from '#sandbox/http/exchange.ts';

/**
 * The status of each of Google's error reasons
 * (https://developers.google.com/youtube/v3/docs/errors); 400 for others.
 */
const STATUSES = new Map(
  Object.entries({
    quotaExceeded: 403,
    dailyLimitExceeded: 403,
    rateLimitExceeded: 403,
    userRateLimitExceeded: 403,
    youtubeSignupRequired: 401,
    authError: 401,
    forbidden: 403,
    insufficientPermissions: 403,
    accessNotConfigured: 403,
    authenticatedUserAccountSuspended: 403,
    forbiddenPrivacySetting: 403,
    videoNotFound: 404,
    backendError: 503,
  }),
);

/** Responds with the error body of Google's APIs. */
export function failAsGoogle(exchange: Exchange, reason: string, message = `The request failed: ${reason}.`): void {
  const status = STATUSES.get(reason) ?? 400;
  exchange.json(status, { error: { code: status, message, errors: [{ message, domain: 'youtube', reason }] } });
}

/** Responds as the fault `google-refuses` specifies. */
export function refuse(exchange: Exchange, { reason, message, status, body }: FaultOf<'google-refuses'>) {
  if (body !== undefined) return exchange.json(status ?? 400, body);
  failAsGoogle(exchange, reason, message);
}
