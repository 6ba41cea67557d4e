import { createHmac, createSecretKey, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** The only object that contains a session's plain token. */
export interface SessionCookie {
  token: string;
  /** Null: the cookie ends with the browser. */
  maxAgeSeconds: number | null;
}

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Returns the hexadecimal HMAC-SHA-256 of a text, keyed with the installation's secret. */
export type KeyedHash = (text: string) => string;

/** The database stores only this hash of a token, so a copy of the database opens no session. */
export function keyedHash(secret: Buffer): KeyedHash {
  const key = createSecretKey(secret);
  return (text) => createHmac('sha256', key).update(text).digest('hex');
}

/** Hashes are hexadecimal in code and bytes in the tables. */
export const hashBytes = (hash: string): Buffer => Buffer.from(hash, 'hex');
