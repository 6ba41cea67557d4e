import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** Passwords that were leaked, small letters, a line each; its first lines say where they come from. */
const LEAKED = new URL('./breached-passwords.txt.gz', import.meta.url);
/** What anybody tries first here: the words of the product. A password needs more than them and some digits. */
const OUR_WORDS = /videos?|interviews?|recruit(?:er|ers|ing)?|candidates?|funnels?|admin(?:istrator)?|hiring/g;
/** Letters that a password has beside our words. */
const LETTERS_OF_ITS_OWN = 4;
/** Characters that it has beside the name of its account. */
const LEFT_WITHOUT_NAME = 8;

/** Why a password is among the first that somebody would try, as a sentence; null when it is not (OWASP ASVS 5.0, 6.2.4, 6.2.11 and 6.2.12). */
export async function weaknessOf(password: string, username: string): Promise<string | null> {
  const typed = password.normalize('NFKC').toLowerCase();
  if (await isLeaked(typed)) return 'This password is one of the most used there are. Choose another one.';
  if (typed.replaceAll(username.normalize('NFKC').toLowerCase(), '').length < LEFT_WITHOUT_NAME)
    return 'This password is little more than the name of its account. Choose another one.';
  const letters = typed.replace(/[^\p{L}]/gu, '');
  const own = letters.replace(OUR_WORDS, '').length;
  if (own < letters.length && own < LETTERS_OF_ITS_OWN)
    return 'This password is little more than a word of this product. Choose another one.';
  return null;
}

/** Read for each new password, which is rarely: off this thread, and nothing of it stays in memory. */
async function isLeaked(typed: string): Promise<boolean> {
  const lines = await promisify(gunzip)(await readFile(LEAKED));
  return !typed.includes('\n') && lines.includes(`\n${typed}\n`);
}
