import { createHash, randomBytes } from 'node:crypto';

const CODES = 10;
const CHARACTERS = 24;
const GROUP = 6;
/** Crockford's base 32: no letter that looks like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE = new RegExp(`^[${ALPHABET}]{${CHARACTERS}}$`);

/** Each code has 120 random bits: from 112 on a plain hash protects it (OWASP ASVS 5.0, 6.5.2). */
export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newRecoveryCode);

function newRecoveryCode(): string {
  const characters = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]);
  const groups = Array.from({ length: CHARACTERS / GROUP }, (_, n) => characters.slice(n * GROUP, (n + 1) * GROUP));
  return groups.map((group) => group.join('')).join('-');
}

/**
 * Accepts any case, spaces, hyphens and look-alike letters. Returns null for text that cannot be
 * a recovery code.
 */
export function hashRecoveryCode(typed: string): Buffer | null {
  const code = typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return CODE.test(code) ? createHash('sha256').update(`recovery code\n${code}`).digest() : null;
}
