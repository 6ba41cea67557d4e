import { timingSafeEqual } from 'node:crypto';
import type { KeyedHash } from '#server/features/session/sessions/session-token.ts';

const GROUPS = /.{4}/g;
/** 64 bits. */
const CODE_LENGTH = 16;

/**
 * The code that the console prints while an account has the default password, such as
 * `3f9a-1b2c-77d0-e4c8`. It depends on SESSION_SECRET and on the salted hash of the password, so
 * all processes print the same code, and the code of a replaced password is invalid.
 */
export const startCodeOf = (hash: KeyedHash, passwordHash: string): string =>
  (codeOf(hash, passwordHash).match(GROUPS) ?? []).join('-');

export function isStartCode(typed: string, hash: KeyedHash, passwordHash: string): boolean {
  const code = Buffer.from(typed.toLowerCase().replaceAll(/[\s-]/g, ''));
  const expected = Buffer.from(codeOf(hash, passwordHash));
  return code.length === expected.length && timingSafeEqual(code, expected);
}

const codeOf = (hash: KeyedHash, passwordHash: string) =>
  hash(JSON.stringify(['start-code', passwordHash])).slice(0, CODE_LENGTH);
