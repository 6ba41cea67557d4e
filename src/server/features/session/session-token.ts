import { createHmac, createSecretKey, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
/** 32 bytes in base64url. Anything else in the cookie is not worth a look-up. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

export const isToken = (text: string | undefined): text is string => text !== undefined && TOKEN.test(text);

/** Text to the hexadecimal digits of its HMAC-SHA-256 under the installation's secret. */
export type KeyedHash = (text: string) => string;

/** The database keeps only this hash of a token: a copy of it opens no session. */
export function keyedHash(secret: Buffer): KeyedHash {
  const key = createSecretKey(secret);
  return (text) => createHmac('sha256', key).update(text).digest('hex');
}
