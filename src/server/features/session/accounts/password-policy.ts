import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError } from '#server/app-error.ts';
import type { BreachedPasswords } from '#server/ports/breached-passwords.ts';

const MIN_LENGTH = 8;
const MAX_LENGTH = 1_000;

/** Breached passwords in lowercase, one per line. The first lines name the source. */
const BREACHED_LIST = new URL('./breached-passwords.txt.gz', import.meta.url);
/** Words of the product, which an attacker tries first. */
const PRODUCT_WORDS = /videos?|interviews?|recruit(?:er|ers|ing)?|candidates?|funnels?|admin(?:istrator)?|hiring/g;
/** A password that contains product words needs this many other letters. */
const MIN_OTHER_LETTERS = 4;
/** A password needs this many characters in addition to the username. */
const MIN_LENGTH_WITHOUT_NAME = 8;

export type IsBreached = (password: string) => Promise<boolean>;

interface PolicyOptions {
  username: string;
  /** The input field that an error belongs to. */
  field: string;
  isBreached: IsBreached;
}

/**
 * Checks a new password. NIST SP 800-63B asks for a minimum length and a lookup among common and
 * breached passwords, and for no rules about kinds of characters.
 * @throws AppError `invalid_input` with `field`
 */
export async function checkNewPassword(
  password: string,
  { username, field, isBreached }: PolicyOptions,
): Promise<void> {
  const refuse = (message: string) => new AppError('invalid_input', message, { field });
  if (password.length < MIN_LENGTH || password.length > MAX_LENGTH)
    throw refuse(`Use ${MIN_LENGTH} to ${MAX_LENGTH} characters.`);
  const weakness = await findWeakness(password, username);
  if (weakness) throw refuse(weakness);
  if (await isBreached(password)) throw refuse('This password has appeared in a data breach. Choose a different one.');
}

/** Returns why a password is easy to guess, or null (OWASP ASVS 5.0, 6.2.4, 6.2.11 and 6.2.12). */
export async function findWeakness(password: string, username: string): Promise<string | null> {
  const typed = password.normalize('NFKC').toLowerCase();
  if (await isInList(typed)) return 'This password is too common. Choose a different one.';
  if (typed.replaceAll(username.normalize('NFKC').toLowerCase(), '').length < MIN_LENGTH_WITHOUT_NAME)
    return 'This password is too similar to the username. Choose a different one.';
  const letters = typed.replace(/[^\p{L}]/gu, '');
  const others = letters.replace(PRODUCT_WORDS, '').length;
  if (others < letters.length && others < MIN_OTHER_LETTERS)
    return 'This password is too easy to guess from this product. Choose a different one.';
  return null;
}

/** Reads the list for each new password, which is rare, so that it takes no memory in between. */
async function isInList(typed: string): Promise<boolean> {
  const lines = await promisify(gunzip)(await readFile(BREACHED_LIST));
  return !typed.includes('\n') && lines.includes(`\n${typed}\n`);
}

/**
 * Looks the password up in the service, if there is one. When that fails, calls `warn` and accepts
 * the password.
 */
export function breachCheck(service: BreachedPasswords | null, warn: (error: unknown) => void): IsBreached {
  return async (password) => {
    if (!service) return false;
    try {
      return await service.has(password);
    } catch (error) {
      warn(error);
      return false;
    }
  };
}
