import { createHash } from 'node:crypto';
import type { Mount } from '#sandbox/http/mount.ts';
import { seededRandom } from '#sandbox/random.ts';

const BREACHES_PREFIX = '/breaches';
const RANGE = new RegExp(`^${BREACHES_PREFIX}/range/([0-9A-F]{5})$`, 'i');
const MIN_LINES = 800;

/**
 * Known breached passwords with the number of times they were found. None is in the built-in list.
 */
export const BREACHED: Record<string, number> = {
  'correct horse battery staple': 216,
  'rain over the warehouse': 3,
  'Ich liebe dich 1984': 12,
  // Padding: a line with the count 0 is not a breach.
  'a password without a breach': 0,
};

/** The value for `BREACHED_PASSWORDS_URL`. */
export const breachesUrl = (origin: string) => origin + BREACHES_PREFIX;

/** Pwned Passwords' range interface: https://haveibeenpwned.com/API/v3#PwnedPasswords. */
export const breachesMount = (): Mount => ({
  name: 'breaches',
  prefix: BREACHES_PREFIX,
  handle(exchange) {
    const prefix = RANGE.exec(exchange.path)?.[1]?.toUpperCase();
    if (exchange.method !== 'GET' || prefix === undefined)
      return exchange.send(400, 'text/plain', Buffer.from('The hash prefix was not in a valid format'));
    const isPadded = exchange.request.headers['add-padding'] === 'true';
    const lines = [...known(prefix, isPadded), ...filling(prefix, isPadded ? MIN_LINES : 5, isPadded ? 0 : 1)];
    exchange.send(200, 'text/plain', Buffer.from(lines.sort().join('\r\n')));
  },
});

const known = (prefix: string, isPadded: boolean): string[] =>
  Object.entries(BREACHED)
    .map(([password, count]) => [createHash('sha1').update(password).digest('hex').toUpperCase(), count] as const)
    .filter(([hash, count]) => hash.startsWith(prefix) && (count > 0 || isPadded))
    .map(([hash, count]) => `${hash.slice(5)}:${count}`);

function filling(prefix: string, lines: number, count: number): string[] {
  const random = seededRandom(Number.parseInt(prefix, 16));
  const digits = () => Array.from({ length: 35 }, () => Math.floor(random() * 16).toString(16)).join('');
  return Array.from({ length: lines }, () => `${digits().toUpperCase()}:${count}`);
}
