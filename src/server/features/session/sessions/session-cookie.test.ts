import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printableName } from '#server/features/session/session-log.ts';
import { isToken } from '#server/http/guards/session-cookie.ts';
import { aSignedIn } from '#support/a-signed-in.ts';
import { anyCharacter } from '#support/any-character.ts';
import { startSessionApp } from '#support/session-app.ts';
import { SessionCache } from './session-cache.ts';
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

test('the cache keeps the most recently used sessions and ignores results from before an invalidation', () => {
  const cache = new SessionCache(2);
  const session = (accountId: number, hash = '') => ({ signedIn: aSignedIn({ accountId }), hash, freshUntil: 100 });
  cache.set('a', session(1), cache.generation);
  cache.set('b', session(2), cache.generation);
  cache.get('a', 0);
  cache.set('c', session(1), cache.generation);
  expect(['a', 'b', 'c'].map((token) => cache.get(token, 0)?.signedIn.accountId)).toEqual([1, undefined, 1]);

  const { generation } = cache;
  cache.evictAccount(1);
  cache.set('d', session(3), generation);
  expect(['a', 'c', 'd'].map((token) => cache.get(token, 0))).toEqual([undefined, undefined, undefined]);

  cache.set('f', session(4, 'hash of f'), cache.generation);
  cache.evict('hash of f');
  expect(cache.get('f', 0)).toBeUndefined();

  cache.set('e', session(3), cache.generation);
  expect(cache.get('e', 99)).toBeDefined();
  expect(cache.get('e', 100)).toBeUndefined();
});
