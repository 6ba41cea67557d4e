import fc from 'fast-check';
import { expect, test } from 'vitest';
import { baseName, identifyAnswerFile, identifyFile, stableUrl } from './interview-files.ts';

const id = fc.oneof(fc.string(), fc.constantFrom('../../etc/passwd', '..', 'a/b', 'con', '\0', '%2e%2e'));

test('a file name is safe for any interview id and URL', () => {
  fc.assert(
    fc.property(id, fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string()), (id, url) => {
      expect(baseName(id, url)).toMatch(/^[A-Za-z0-9_-]{1,40}-[0-9a-f]{16}$/);
    }),
  );
});

test('a new signature keeps the file name, and another path changes it', () => {
  fc.assert(
    fc.property(fc.webUrl(), fc.webUrl(), fc.uuid(), (url, other, signature) => {
      const signed = new URL(url);
      signed.searchParams.set('X-Amz-Signature', signature);
      signed.searchParams.set('Expires', signature);
      expect(baseName('iv_1', signed.href)).toBe(baseName('iv_1', url));
      if (stableUrl(other) !== stableUrl(url)) expect(baseName('iv_1', other)).not.toBe(baseName('iv_1', url));
    }),
  );
});

const ORIGIN = 'https://files.example';
test.each([
  ['an unknown parameter of a recording', '/a/one.mp4?nonce=1', '/a/one.mp4?nonce=2', true],
  ['an unknown parameter of an id', '/video/550e8400-e29b-41d4?t=1', '/video/550e8400-e29b-41d4?t=2', true],
  ['the path', '/a/one.mp4?nonce=1', '/a/two.mp4?nonce=1', false],
  ['a parameter that may name the file', '/download?id=1', '/download?id=2', false],
  ['a parameter of a program', '/download.php?id=1', '/download.php?id=2', false],
  ['a known signature', '/download?id=1&Signature=a', '/download?id=1&Signature=b', true],
])('a change of %s is judged by what names the file', (_, before, after, isSame) => {
  expect(identifyFile(ORIGIN + before) === identifyFile(ORIGIN + after)).toBe(isSame);
  const isSameAnswer = before.split('?')[0] === after.split('?')[0];
  expect(identifyAnswerFile(ORIGIN + before) === identifyAnswerFile(ORIGIN + after)).toBe(isSameAnswer);
});
