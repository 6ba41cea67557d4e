import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printableName } from '#server/features/session/session-log.ts';
import { isToken } from '#server/http/guards/session-cookie.ts';
import { aSignedIn } from '#support/a-signed-in.ts';
import { anyCharacter } from '#support/any-character.ts';
import { startSessionApp } from '#support/session-app.ts';
import { CachedSessions } from './cached-sessions.ts';
import { newToken } from './session-token.ts';

test('a malformed or unknown cookie gets a 401, never an error', async () => {
  const { app } = await startSessionApp();
  const value = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    fc.string({ unit: anyCharacter }).map(encodeURIComponent),
    fc.constantFrom('%', '%E0%A4%A', '"', '=', '__proto__', 'a'.repeat(5_000)),
  );
  const header = fc
    .array(fc.tuple(fc.constantFrom('session', '__Host-session', '__proto__', 'x', ''), value), { maxLength: 5 })
    .map((pairs) => pairs.map(([name, text]) => `${name}=${text}`).join('; '))
    // Node refuses all other characters in a header.
    .map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?'));
  await fc.assert(
    fc.asyncProperty(header, async (cookie) => {
      const response = await app.inject({ method: 'GET', url: '/api/user', headers: { cookie } });
      expect(response.statusCode).toBe(401);
    }),
    { numRuns: 200 },
  );
});

test('new tokens are valid and unique', () => {
  const tokens = Array.from({ length: 1_000 }, newToken);
  expect(tokens.every(isToken)).toBe(true);
  expect(new Set(tokens).size).toBe(1_000);
});

test('a name in the log has no invisible characters and at most 60 visible ones', () => {
  expect(printableName('Ann Ó Briain')).toBe('Ann Ó Briain');
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (name) => {
      const shown = printableName(name);
      expect([...shown].length).toBeLessThanOrEqual(60);
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test('the cache keeps the most recently used sessions and ignores results from before an eviction', async () => {
  const evictAll: (() => void)[] = [];
  const bus = { connected: true, on: () => {}, onGap: (listener: () => void) => void evictAll.push(listener) };
  let now = 0;
  const read = async (token: string) => ({
    signedIn: aSignedIn({ accountId: token.length }),
    hash: `hash of ${token}`,
    freshUntil: 100,
  });
  const cache = new CachedSessions({ bus, read, clock: () => now });
  const isCached = (token: string) => !(cache.find(token) instanceof Promise);

  await Promise.all(['a', 'bb'].map((token) => cache.find(token)));
  expect(isCached('a')).toBe(true);
  await Promise.all(Array.from({ length: 9_999 }, (_, n) => cache.find(`token ${n}`)));
  expect([isCached('a'), isCached('token 0')]).toEqual([true, true]);
  expect(isCached('bb')).toBe(false);

  const reading = cache.find('ccc');
  cache.evictAccount(1);
  await reading;
  expect([isCached('a'), isCached('ccc')]).toEqual([false, false]);

  await cache.find('f');
  cache.evict('hash of f');
  expect(isCached('f')).toBe(false);

  await cache.find('e');
  now = 99;
  expect(isCached('e')).toBe(true);
  now = 100;
  expect(isCached('e')).toBe(false);

  now = 0;
  await cache.find('e');
  for (const evict of evictAll) evict();
  expect(isCached('e')).toBe(false);
});
