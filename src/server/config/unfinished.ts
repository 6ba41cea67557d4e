import type { Config } from './config.ts';
import { WORKER_QUEUES } from './variables.ts';

/** ClamAV skips larger files (`man clamd.conf`, MaxFileSize). */
const MAX_SCANNED_BYTES = 2 ** 31 - 1;

/**
 * Returns a sentence for every setting without effect. None of them is an error: a YouTube client
 * without a refresh token, for example, is what `npm run youtube:connect` starts from.
 */
export function unfinishedSettings(set: Config): string[] {
  const names = ['YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET', 'YOUTUBE_REFRESH_TOKEN'] as const;
  const youtube = names.filter((name) => !set[name]);
  const sentences =
    youtube.length === 1 || youtube.length === 2
      ? [
          `YouTube isn't connected: ${youtube.join(' and ')} ${youtube.length > 1 ? 'are' : 'is'} missing. Run npm run youtube:connect.`,
        ]
      : [];
  if (set.WORKER_QUEUES.length < WORKER_QUEUES.length && !set.ROLES.includes('worker'))
    sentences.push('WORKER_QUEUES has no effect: ROLES does not contain worker.');
  if (set.S3_DELIVERY === 'redirect' && set.FILE_STORE !== 's3')
    sentences.push('S3_DELIVERY has no effect: FILE_STORE is not s3.');
  sentences.push(...unfinishedServices(set), ...unfinishedSignOn(set), ...unfinishedAts(set));
  if (set.CLAMD_ADDRESS && set.MAX_VIDEO_BYTES > MAX_SCANNED_BYTES)
    sentences.push(
      `ClamAV doesn't scan files above 2 GB, but MAX_VIDEO_BYTES allows larger videos. Set MAX_VIDEO_BYTES=${MAX_SCANNED_BYTES} or less, and StreamMaxLength, MaxFileSize and MaxScanSize in clamd.conf to the same value.`,
    );
  return sentences;
}

function unfinishedServices(set: Config): string[] {
  const sentences: string[] = [];
  for (const service of ['TRANSCRIPTION', 'SUMMARY'] as const)
    if (set[`${service}_API_KEY`] && !set[`${service}_URL`])
      sentences.push(`${service}_API_KEY has no effect: ${service}_URL is missing. Set it to the URL of the service.`);
  if (set.MAIL_FROM && !set.SMTP_URL)
    sentences.push('MAIL_FROM has no effect: SMTP_URL is missing. Set it to the address of the mail server.');
  return sentences;
}

/** Returns a sentence for every setting without effect, and for a way to lock everyone out. */
function unfinishedSignOn(set: Config): string[] {
  const names = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLE_CLAIM'] as const;
  const idle = set.OIDC_ISSUER ? [] : names.filter((name) => set[name]);
  return [
    ...idle.map((name) => `${name} has no effect: OIDC_ISSUER is missing. Set it to the issuer of the provider.`),
    ...(set.OIDC_BREAK_GLASS && !set.OIDC_ONLY ? ['OIDC_BREAK_GLASS has no effect: OIDC_ONLY is not true.'] : []),
    ...(set.OIDC_ONLY && !set.OIDC_BREAK_GLASS
      ? ['OIDC_BREAK_GLASS is missing: while the provider is unavailable, no account can sign in.']
      : []),
  ];
}

function unfinishedAts(set: Config): string[] {
  const given = (['BULLHORN_CLIENT_ID', 'BULLHORN_CLIENT_SECRET'] as const).filter((name) => set[name]);
  if (set.LEVER_USER && !set.LEVER_API_KEY)
    return ['LEVER_USER has no effect: LEVER_API_KEY is missing. Set it to a key of Lever.'];
  if (set.BULLHORN_USERNAME || given.length === 0) return [];
  const have = given.length > 1 ? 'have' : 'has';
  return [
    `${given.join(' and ')} ${have} no effect: BULLHORN_USERNAME is missing. Set it to the API user of Bullhorn.`,
  ];
}
