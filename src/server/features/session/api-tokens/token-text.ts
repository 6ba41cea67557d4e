import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** 160 bits, of which the list shows 32. */
const TOKEN_BYTES = 20;
const PREFIX_LENGTH = 'vim_'.length + 8;
/** Random digits, then their checksum. Secret scanners search for this pattern. */
const TOKEN = /^vim_([0-9a-f]{40})([0-9a-f]{8})$/;

const checksumOf = (digits: string) => crc32(digits).toString(16).padStart(8, '0');

export function newApiToken(): string {
  const digits = randomBytes(TOKEN_BYTES).toString('hex');
  return `vim_${digits}${checksumOf(digits)}`;
}

/** False for any text that `newApiToken` cannot return, so that it is not looked up. */
export function isApiToken(text: string): boolean {
  const [, digits = '', checksum] = TOKEN.exec(text) ?? [];
  return checksum === checksumOf(digits);
}

export const prefixOf = (token: string): string => token.slice(0, PREFIX_LENGTH);

/** Returns the hexadecimal SHA-256. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
