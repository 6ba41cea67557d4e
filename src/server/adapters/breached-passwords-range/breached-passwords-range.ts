import { createHash } from 'node:crypto';
import { type Dispatcher, request } from 'undici';
import type { OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import { findReason, outsideAgent, ResponseTooLarge, readText } from '#server/adapters/outside-http/outside-call.ts';
import type { BreachedPasswords } from '#server/ports/breached-passwords.ts';
import { reportFailedCall, UpstreamError, type UpstreamErrorKind } from '#server/ports/upstream-error.ts';

export interface RangeOptions {
  /** The URL before `/range/`. */
  baseUrl: string;
  /** For the whole response. Short, because a user waits at a form. */
  timeoutMs?: number;
  proxy?: OutgoingProxy | undefined;
}

/** The service learns one of a million prefixes, each shared by about a thousand passwords. */
const PREFIX_DIGITS = 5;
/** A range has about a thousand lines of forty characters. */
const MAX_RESPONSE_BYTES = 2 ** 20;
const CONNECTIONS = 4;
const SERVICE = 'breached passwords';
/** The rest of a SHA-1 hash and how often its password was found. */
const LINE = /^([0-9a-f]{35}):(\d{1,15})$/i;

/**
 * A service with the range interface of Pwned Passwords
 * (https://haveibeenpwned.com/API/v3#PwnedPasswords).
 */
export function breachedPasswordsRange({ baseUrl, timeoutMs = 2_000, proxy }: RangeOptions): BreachedPasswords {
  const dispatcher = outsideAgent({ connections: CONNECTIONS, connectTimeoutMs: timeoutMs }, proxy);
  return {
    async has(password) {
      const hash = createHash('sha1').update(password, 'utf8').digest('hex').toUpperCase();
      try {
        const range = await readRange(`${baseUrl}/range/${hash.slice(0, PREFIX_DIGITS)}`, dispatcher, timeoutMs);
        return isListed(range, hash.slice(PREFIX_DIGITS));
      } catch (error) {
        reportFailedCall(error);
        throw error;
      }
    },
  };
}

/**
 * True when a range lists the rest of a hash. Lines with a count of 0 are padding.
 * @throws UpstreamError `bad_response` for anything other than a range, such as the page of a proxy
 */
export function isListed(range: string, rest: string): boolean {
  const lines = range.split('\n').map((line) => LINE.exec(line.trim()) ?? line.trim());
  if (lines.some((line) => typeof line === 'string' && line !== ''))
    throw rangeError('bad_response', 'returned something other than a range');
  return lines.some((line) => line[1]?.toUpperCase() === rest.toUpperCase() && Number(line[2]) > 0);
}

async function readRange(url: string, dispatcher: Dispatcher, timeoutMs: number): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    // Eavesdroppers see the length of a response. Padding keeps them from recognizing the range by
    // it.
    const headers = {
      'add-padding': 'true',
      'accept-encoding': 'identity',
      'user-agent': 'video-interview-management',
    };
    const { statusCode, body } = await request(url, { dispatcher, signal, headers });
    if (statusCode === 200) return await readText(body, MAX_RESPONSE_BYTES);
    await body.dump().catch(() => {});
    throw rangeError(
      KINDS[statusCode] ?? (statusCode >= 500 ? 'unavailable' : 'rejected'),
      `returned an error (${statusCode})`,
    );
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    if (error instanceof ResponseTooLarge) throw rangeError('bad_response', 'returned too much data');
    // Without `cause`: some errors contain the URL, and with it the prefix of the hash.
    const reason = findReason(error, 'BREACHED_PASSWORDS_URL');
    if (reason)
      throw new UpstreamError(SERVICE, 'unavailable', `The breached-password service can't be reached: ${reason}`);
    const why = signal.aborted ? `didn't respond within ${timeoutMs} ms` : `can't be reached (${codeOf(error)})`;
    throw rangeError('unavailable', why);
  }
}

const KINDS: Record<number, UpstreamErrorKind> = { 401: 'unauthorised', 403: 'unauthorised', 429: 'rate_limited' };

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'unknown';

const rangeError = (kind: UpstreamErrorKind, what: string) =>
  new UpstreamError(SERVICE, kind, `The breached-password service ${what}.`);
