import { z } from 'zod';
import { retryAfterMs } from '#server/adapters/outside-http/retry.ts';
import { type UpstreamError, upstreamErrorsOf } from '#server/ports/upstream-error.ts';
import type { GoogleResponse } from './google-call.ts';
import { nextQuotaReset } from './quota-reset.ts';

export const youtubeError = upstreamErrorsOf('youtube');

export const badResponse = (): UpstreamError =>
  youtubeError('bad_response', "YouTube's response can't be read. Ask an admin to check YOUTUBE_API_URL.");

export const CONNECT_AGAIN = 'Ask an admin to run `npm run youtube:connect`.';
const DAY_MS = 24 * 3_600_000;
/**
 * Clocks differ: a clock ahead of Google's would retry before the reset and then wait another day.
 */
const AFTER_RESET_MS = 60_000;

/** `reported` is the end of a message with Google's own explanation, or empty. */
type RefusalOf = (reported: string, response: GoogleResponse) => UpstreamError;

const noPermission: RefusalOf = () =>
  youtubeError('unauthorised', `Our YouTube connection lacks this permission. ${CONNECT_AGAIN}`);
const noChannel: RefusalOf = () =>
  youtubeError(
    'rejected',
    'The Google account has no YouTube channel. Create one at https://www.youtube.com, or connect another account with `npm run youtube:connect`.',
  );
const closed: RefusalOf = () =>
  youtubeError(
    'rejected',
    'The YouTube account or its channel is closed or suspended. Ask an admin to check https://studio.youtube.com.',
  );
const badText =
  (what: string, reason: string): RefusalOf =>
  () =>
    youtubeError('rejected', `YouTube rejected the ${what} (${reason}).`);
const tooOften: RefusalOf = (_, { headers }) =>
  youtubeError('rate_limited', 'YouTube is rate-limiting us.', {
    retryAfterMs: retryAfterMs(headers['retry-after']),
  });

/**
 * The errors for Google's reasons (https://developers.google.com/youtube/v3/docs/errors and
 * .../docs/videos/insert#errors).
 */
const REASONS: Record<string, RefusalOf> = {
  quotaExceeded: quotaUsedUp,
  dailyLimitExceeded: quotaUsedUp,
  rateLimitExceeded: tooOften,
  userRateLimitExceeded: tooOften,
  RATE_LIMIT_EXCEEDED: tooOften,
  uploadLimitExceeded: () =>
    youtubeError(
      'rate_limited',
      'The YouTube channel has reached its daily upload limit. Verified channels have a higher limit.',
      { retryAfterMs: DAY_MS },
    ),
  youtubeSignupRequired: noChannel,
  authenticatedUserNotChannel: noChannel,
  authenticatedUserAccountClosed: closed,
  authenticatedUserAccountSuspended: closed,
  channelClosed: closed,
  channelSuspended: closed,
  accessNotConfigured: apiNotEnabled,
  SERVICE_DISABLED: apiNotEnabled,
  forbidden: noPermission,
  insufficientPermissions: noPermission,
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: noPermission,
  authError: noPermission,
  forbiddenPrivacySetting: (reported) =>
    youtubeError(
      'rejected',
      `YouTube rejected the privacy setting. Ask an admin to change YOUTUBE_PRIVACY.${reported}`,
    ),
  invalidTitle: badText('title', 'invalidTitle'),
  invalidDescription: badText('description', 'invalidDescription'),
  invalidMetadata: badText('title or description', 'invalidMetadata'),
  invalidVideoMetadata: badText('title or description', 'invalidVideoMetadata'),
};

function quotaUsedUp(): UpstreamError {
  const reset = nextQuotaReset(new Date());
  const at = reset.toLocaleString('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  });
  return youtubeError(
    'rate_limited',
    `Today's YouTube quota is used up. It resets on ${at} UTC (midnight in Los Angeles).`,
    { retryAfterMs: reset.getTime() - Date.now() + AFTER_RESET_MS },
  );
}

function apiNotEnabled(): UpstreamError {
  return youtubeError(
    'rejected',
    'The YouTube Data API v3 is not enabled in our Google Cloud project. Ask an admin to enable it there.',
  );
}

const Reasons = z.array(z.object({ reason: z.string().nullish() })).catch([]);
const Refusal = z.object({
  error: z.object({ message: z.string().catch(''), errors: Reasons, details: Reasons, status: z.string().catch('') }),
});

/** The error for a refusal of the YouTube Data API. */
export function youtubeRefusalError(response: GoogleResponse): UpstreamError {
  const { error } = Refusal.safeParse(response.json).data ?? { error: { message: '', errors: [], details: [] } };
  const reported = reportedBy(error.message);
  const reasons = [...error.errors, ...error.details].map(({ reason }) => reason ?? '');
  const refusal = reasons.map((reason) => (Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined)).find(Boolean);
  // Daily limits of single methods have the same reason as limits per minute; only the message
  // differs.
  if ((refusal === tooOften || response.status === 429) && /per day/i.test(error.message)) return quotaUsedUp();
  return refusal ? refusal(reported, response) : byStatus(reported, response);
}

function byStatus(reported: string, response: GoogleResponse): UpstreamError {
  const { status, headers } = response;
  if (status === 401 || status === 403) return noPermission(reported, response);
  if (status === 404) return youtubeError('not_found', "YouTube doesn't have this video.");
  if (status === 429) return tooOften(reported, response);
  if (status === 408 || status >= 500)
    return youtubeError('unavailable', `YouTube returned an error (${status}).`, {
      retryAfterMs: retryAfterMs(headers['retry-after']),
    });
  if (status >= 300 && status < 400)
    return youtubeError('rejected', `YouTube has moved (${status}). Ask an admin to check YOUTUBE_API_URL.`);
  return youtubeError('rejected', `YouTube rejected the request (${status}).${reported}`);
}

/** Google's own message, without markup, URLs and anything long enough to be a secret. */
function reportedBy(message: string): string {
  const line = message
    .slice(0, 2_000)
    .replace(/<[^<>]*>/g, '')
    .replace(/https?:\/\/\S+/g, '…')
    .replace(/[\w.~+/=-]{24,}/g, '…')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line ? ` It reported: ${line.slice(0, 300)}` : '';
}
