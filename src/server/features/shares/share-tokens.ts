import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 128 bits. */
const TOKEN_BYTES = 16;
const COOKIE_LIFETIME_SECONDS = 12 * 60 * 60;

export const newShareToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/**
 * The only form in which a token is stored. A key is not needed for a random token, and links keep
 * working after a restore.
 */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A hash of a text, keyed with the secret of the installation. */
export type GuestHash = (text: string) => string;

export interface GuestCookie {
  value: string;
  maxAgeSeconds: number;
}

/**
 * Cookies of opened links. A value contains when it expires, and is valid for one token: another
 * link, also the next one of the same recipient, needs its own.
 */
export class GuestCookies {
  readonly #hash: GuestHash;

  constructor(hash: GuestHash) {
    this.#hash = hash;
  }

  issue(tokenHash: Buffer): GuestCookie {
    const expiresAt = Math.floor(Date.now() / 1_000) + COOKIE_LIFETIME_SECONDS;
    return { value: `${expiresAt}.${this.#sign(tokenHash, expiresAt)}`, maxAgeSeconds: COOKIE_LIFETIME_SECONDS };
  }

  isValid(value: string | undefined, tokenHash: Buffer): boolean {
    const [, expiresAt, signature] = /^(\d{1,12})\.([0-9a-f]{64})$/.exec(value ?? '') ?? [];
    if (expiresAt === undefined || signature === undefined || Number(expiresAt) * 1_000 <= Date.now()) return false;
    return timingSafeEqual(Buffer.from(signature), Buffer.from(this.#sign(tokenHash, Number(expiresAt))));
  }

  #sign(tokenHash: Buffer, expiresAt: number): string {
    return this.#hash(`share ${tokenHash.toString('hex')} ${expiresAt}`);
  }
}
