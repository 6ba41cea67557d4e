import { createHash } from 'node:crypto';
import { Agent, request } from 'undici';
import type { BreachedPasswords } from '#server/ports/breached-passwords.ts';
import { UpstreamError, type UpstreamErrorKind } from '#server/ports/upstream-error.ts';
import { isListed } from './read-range.ts';

export interface RangeOptions {
  /** The address before `/range/`. */
  baseUrl: string;
  /** For the whole answer: somebody waits at a form. */
  timeoutMs?: number;
}

/** What the service gets to know: one of a million prefixes, each shared by hundreds of its passwords. */
const TOLD_DIGITS = 5;
/** A range has about a thousand lines of forty characters. */
const LONGEST_ANSWER = 2 ** 20;
const CONNECTIONS = 4;

/** A service that speaks the range interface of Pwned Passwords (https://haveibeenpwned.com/API/v3#PwnedPasswords). */
export function breachedPasswordsRange({ baseUrl, timeoutMs = 2_000 }: RangeOptions): BreachedPasswords {
  const dispatcher = new Agent({ connections: CONNECTIONS, connect: { timeout: timeoutMs } });
  return {
    async has(password) {
      const hash = createHash('sha1').update(password, 'utf8').digest('hex').toUpperCase();
      const range = await readRange(`${baseUrl}/range/${hash.slice(0, TOLD_DIGITS)}`, dispatcher, timeoutMs);
      return isListed(range, hash.slice(TOLD_DIGITS));
    },
  };
}

async function readRange(url: string, dispatcher: Agent, timeoutMs: number): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    // Padded, or the length of an answer would tell listeners which range it is of.
    const headers = {
      'add-padding': 'true',
      'accept-encoding': 'identity',
      'user-agent': 'video-interview-management',
    };
    const { statusCode, body } = await request(url, { dispatcher, signal, headers });
    if (statusCode !== 200) {
      await body.dump().catch(() => {});
      throw rangeError(KINDS[statusCode] ?? (statusCode >= 500 ? 'unavailable' : 'rejected'), `answers ${statusCode}`);
    }
    let text = '';
    for await (const piece of body) {
      text += piece;
      if (text.length > LONGEST_ANSWER) throw rangeError('bad_answer', 'answers without end');
    }
    return text;
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    // Not the error itself: some carry the address, and with it what was told of the password.
    const why = signal.aborted ? `said nothing within ${timeoutMs} ms` : `cannot be reached (${codeOf(error)})`;
    throw rangeError('unavailable', why);
  }
}

const KINDS: Record<number, UpstreamErrorKind> = { 401: 'unauthorised', 403: 'unauthorised', 429: 'rate_limited' };

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'unknown';

const rangeError = (kind: UpstreamErrorKind, what: string) =>
  new UpstreamError('breached passwords', kind, `The service of breached passwords ${what}.`);
