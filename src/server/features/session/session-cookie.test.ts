import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startSessionApp } from '#support/session-app.ts';
import { networkOf } from './client-address.ts';
import { printableName } from './printable-name.ts';
import { SessionCache } from './session-cache.ts';
import { isToken, newToken } from './session-token.ts';

test('whatever stands in the cookie header, the answer is 401 and never an error', async () => {
  const { app } = await startSessionApp();
  const value = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    fc.string({ unit: 'binary' }).map(encodeURIComponent),
    fc.constantFrom('%', '%E0%A4%A', '"', '=', '__proto__', 'a'.repeat(5_000)),
  );
  const header = fc
    .array(fc.tuple(fc.constantFrom('session', '__Host-session', '__proto__', 'x', ''), value), { maxLength: 5 })
    .map((pairs) => pairs.map(([name, text]) => `${name}=${text}`).join('; '))
    // Node refuses to carry anything else in a header.
    .map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?'));
  await fc.assert(
    fc.asyncProperty(header, async (cookie) => {
      const response = await app.inject({ method: 'GET', url: '/api/user', headers: { cookie } });
      expect(response.statusCode).toBe(401);
    }),
    { numRuns: 200 },
  );
});

test('every new token is one, and no two are the same', () => {
  const tokens = Array.from({ length: 1_000 }, newToken);
  expect(tokens.every(isToken)).toBe(true);
  expect(new Set(tokens).size).toBe(1_000);
});

test.each([
  ['203.0.113.5', '203.0.113.5'],
  ['::ffff:203.0.113.5', '203.0.113.5'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['not an address', 'not an address'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('a name in the log shows everything and is bounded', () => {
  expect(printableName('Ann Ó Briain')).toBe('Ann Ó Briain');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const shown = printableName(name);
      expect([...shown].length).toBeLessThanOrEqual(60);
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test('the cache keeps the sessions used last, and nothing that was looked up before an invalidation', () => {
  const cache = new SessionCache(2);
  const session = (accountId: number, hash = '') => ({ signedIn: { accountId, username: 'x' }, hash, freshUntil: 100 });
  cache.put('a', session(1), cache.generation);
  cache.put('b', session(2), cache.generation);
  cache.get('a', 0);
  cache.put('c', session(1), cache.generation);
  expect(['a', 'b', 'c'].map((token) => cache.get(token, 0)?.accountId)).toEqual([1, undefined, 1]);

  const { generation } = cache;
  cache.dropAccount(1);
  cache.put('d', session(3), generation);
  expect(['a', 'c', 'd'].map((token) => cache.get(token, 0))).toEqual([undefined, undefined, undefined]);

  cache.put('f', session(4, 'hash of f'), cache.generation);
  cache.drop('hash of f');
  expect(cache.get('f', 0)).toBeUndefined();

  cache.put('e', session(3), cache.generation);
  expect(cache.get('e', 99)).toBeDefined();
  expect(cache.get('e', 100)).toBeUndefined();
});
