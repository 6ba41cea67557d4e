import { createHash } from 'node:crypto';
import type { FileKind } from '../../ports/file-store.ts';

const EXTENSIONS: Record<FileKind, readonly string[]> = {
  video: ['mp4', 'webm', 'mov', 'm4v'],
  thumbnail: ['jpg', 'jpeg', 'png', 'webp', 'gif'],
};

/**
 * Query parameters that sign an address and change whenever it is issued: S3 and compatible stores, CloudFront, Google Cloud Storage,
 * Azure SAS, and the plain names that other services use.
 */
const SIGNATURE =
  /^(x-(amz|goog|oss|cos|ms)-.+|awsaccesskeyid|googleaccessid|key-pair-id|policy|signature|sig|se|st|sp|sv|sr|spr|skoid|sktid|skt|ske|sks|skv|expires|expiry|exp|token|hmac|hdnts|hdnea)$/i;

/** The part of an address that stays the same while the file does. */
export function stableUrl(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  for (const name of [...parsed.searchParams.keys()]) if (SIGNATURE.test(name)) parsed.searchParams.delete(name);
  return parsed.href;
}

/**
 * The name of a file in the store. It follows from the interview and the address, so a file that was fetched just before a crash is
 * found again, and another address means another name: names never change what they stand for.
 */
export function fileName(kind: FileKind, interviewId: string, url: string): string {
  const readable = interviewId.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 40) || 'interview';
  const hash = createHash('sha256')
    .update(`${interviewId}\n${stableUrl(url)}`)
    .digest('hex')
    .slice(0, 16);
  const given = /\.(\w{3,4})$/.exec(URL.parse(url)?.pathname ?? '')?.[1]?.toLowerCase() ?? '';
  const extension = EXTENSIONS[kind].includes(given) ? given : EXTENSIONS[kind][0];
  return `${readable}-${hash}.${extension}`;
}
