import { AppError } from '../../app-error.ts';
import type { IsBreached } from './breach-check.ts';
import { weaknessOf } from './weak-password.ts';

const SHORTEST = 8;
const LONGEST = 1_000;

/**
 * A password that an account may have. NIST SP 800-63B asks for a least length, a look at what is often used or was leaked, and no rules about kinds
 * of characters.
 * @throws AppError `invalid_input` with `field`
 */
export async function demandPassword(
  password: string,
  { username, field, isBreached }: { username: string; field: string; isBreached: IsBreached },
): Promise<string> {
  if (password.length < SHORTEST || password.length > LONGEST) {
    throw new AppError('invalid_input', `A password has ${SHORTEST} to ${LONGEST} characters.`, { field });
  }
  const weakness = await weaknessOf(password, username);
  if (weakness) throw new AppError('invalid_input', weakness, { field });
  if (await isBreached(password)) {
    const message = 'This password became public when another service was broken into. Choose another one.';
    throw new AppError('invalid_input', message, { field });
  }
  return password;
}
