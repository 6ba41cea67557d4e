import { createHash, randomBytes } from 'node:crypto';

const HOW_MANY = 10;
const CHARACTERS = 24;
const GROUP = 6;
/** Crockford's base 32: no letter that reads like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE = new RegExp(`^[${ALPHABET}]{${CHARACTERS}}$`);

/** 120 random bits each: from 112 on a plain hash keeps them (OWASP ASVS 5.0, 6.5.2). In groups, to be read and typed. */
export const newRecoveryCodes = (): string[] => Array.from({ length: HOW_MANY }, newRecoveryCode);

function newRecoveryCode(): string {
  const characters = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]);
  const groups = Array.from({ length: CHARACTERS / GROUP }, (_, n) => characters.slice(n * GROUP, (n + 1) * GROUP));
  return groups.map((group) => group.join('')).join('-');
}

/** What is stored of a code, however it is typed; null when it cannot be one. */
export function hashOfRecoveryCode(typed: string): Buffer | null {
  const code = typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return CODE.test(code) ? createHash('sha256').update(`recovery code\n${code}`).digest() : null;
}
