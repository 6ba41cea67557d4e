import { z } from 'zod';
import { UpstreamError, type UpstreamErrorKind } from '#server/ports/upstream-error.ts';
import { retryAfterMs } from '../http-retry/retry-after.ts';
import type { GoogleAnswer } from './google-call.ts';
import { nextQuotaReset } from './quota-reset.ts';

export const youtubeError = (
  kind: UpstreamErrorKind,
  message: string,
  more: { cause?: unknown; retryAfterMs?: number | undefined } = {},
): UpstreamError => new UpstreamError('youtube', kind, message, more);

export const badAnswer = (): UpstreamError =>
  youtubeError(
    'bad_answer',
    'YouTube gave an answer that cannot be read. An administrator should check YOUTUBE_API_URL.',
  );

export const CONNECT_AGAIN = 'An administrator should connect again with: npm run youtube:connect';
const DAY_MS = 24 * 3_600_000;
/** Clocks differ: one that is ahead of Google's would ask before the reset, and be parked for another day. */
const AFTER_RESET_MS = 60_000;

type Refused = (said: string, answer: GoogleAnswer) => UpstreamError;

const noPermission: Refused = () =>
  youtubeError('unauthorised', `YouTube does not let us do this with the permission we have. ${CONNECT_AGAIN}`);
const noChannel: Refused = () =>
  youtubeError(
    'rejected',
    `The Google account has no YouTube channel. Create a channel at https://www.youtube.com, or connect an account that has one with: npm run youtube:connect`,
  );
const closed: Refused = () =>
  youtubeError(
    'rejected',
    'The YouTube account or its channel is closed or suspended. An administrator should look at https://studio.youtube.com.',
  );
const badTexts: Refused = (said) =>
  youtubeError('rejected', `YouTube does not accept the title or the description of this video.${said}`);
const tooOften: Refused = (_, { headers }) =>
  youtubeError('rate_limited', 'YouTube is receiving too many requests from us.', {
    retryAfterMs: retryAfterMs(headers['retry-after']),
  });

/** What Google's reasons mean (https://developers.google.com/youtube/v3/docs/errors and .../docs/videos/insert#errors). */
const REASONS: Record<string, Refused> = {
  quotaExceeded: quotaUsedUp,
  dailyLimitExceeded: quotaUsedUp,
  rateLimitExceeded: tooOften,
  userRateLimitExceeded: tooOften,
  RATE_LIMIT_EXCEEDED: tooOften,
  uploadLimitExceeded: () =>
    youtubeError(
      'rate_limited',
      'The YouTube channel has reached its upload limit. It takes more videos in 24 hours; a verified channel may upload more.',
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
  forbiddenPrivacySetting: (said) =>
    youtubeError(
      'rejected',
      `YouTube does not accept the privacy. An administrator should change YOUTUBE_PRIVACY.${said}`,
    ),
  invalidTitle: badTexts,
  invalidDescription: badTexts,
  invalidMetadata: badTexts,
  invalidVideoMetadata: badTexts,
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
    `YouTube's quota for today is used up. It goes on after the quota resets, ${at} UTC (midnight in Los Angeles).`,
    { retryAfterMs: reset.getTime() - Date.now() + AFTER_RESET_MS },
  );
}

function apiNotEnabled(): UpstreamError {
  return youtubeError(
    'rejected',
    'The YouTube Data API v3 is not enabled in the Google Cloud project of our client. An administrator should enable it there.',
  );
}

const Reasons = z.array(z.object({ reason: z.string().nullish() })).catch([]);
const Refusal = z.object({
  error: z.object({ message: z.string().catch(''), errors: Reasons, details: Reasons, status: z.string().catch('') }),
});

/** Says a refusal of the YouTube Data API so that whoever reads it knows what to do. */
export function refusalError(answer: GoogleAnswer): UpstreamError {
  const { error } = Refusal.safeParse(answer.json).data ?? { error: { message: '', errors: [], details: [] } };
  const said = saidBy(error.message);
  const reasons = [...error.errors, ...error.details].map(({ reason }) => reason ?? '');
  const refused = reasons.map((reason) => (Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined)).find(Boolean);
  // The limits by day of single calls come under the name of those by minute; only the message tells them apart.
  if ((refused === tooOften || answer.status === 429) && /per day/i.test(error.message)) return quotaUsedUp();
  return refused ? refused(said, answer) : byStatus(said, answer);
}

function byStatus(said: string, answer: GoogleAnswer): UpstreamError {
  const { status, headers } = answer;
  if (status === 401 || status === 403) return noPermission(said, answer);
  if (status === 404) return youtubeError('not_found', 'YouTube does not know what we ask for.');
  if (status === 429) return tooOften(said, answer);
  if (status === 408 || status >= 500)
    return youtubeError('unavailable', `YouTube has a problem (status ${status}).`, {
      retryAfterMs: retryAfterMs(headers['retry-after']),
    });
  if (status >= 300 && status < 400)
    return youtubeError(
      'rejected',
      `YouTube has moved (status ${status}). An administrator should check YOUTUBE_API_URL.`,
    );
  return youtubeError('rejected', `YouTube refuses the request (status ${status}).${said}`);
}

/** Google's own words, without markup and addresses, and without anything long enough to be a secret. */
function saidBy(message: string): string {
  const line = message
    .slice(0, 2_000)
    .replace(/<[^<>]*>/g, '')
    .replace(/https?:\/\/\S+/g, '…')
    .replace(/[\w.~+/=-]{24,}/g, '…')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line ? ` It says: ${line.slice(0, 300)}` : '';
}
