import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileName, stableUrl } from './interview-files.ts';

const kind = fc.constantFrom('video' as const, 'thumbnail' as const);
const id = fc.oneof(fc.string(), fc.constantFrom('../../etc/passwd', '..', 'a/b', 'con', '\0', '%2e%2e'));

test('a file name is safe for any interview id and URL', () => {
  fc.assert(
    fc.property(kind, id, fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string()), (kind, id, url) => {
      expect(fileName(kind, id, url)).toMatch(
        /^[A-Za-z0-9_-]{1,40}-[0-9a-f]{16}\.(mp4|webm|mov|m4v|jpg|jpeg|png|webp|gif)$/,
      );
    }),
  );
});

test('a new signature keeps the file name, and another path changes it', () => {
  fc.assert(
    fc.property(kind, fc.webUrl(), fc.webUrl(), fc.uuid(), (kind, url, other, signature) => {
      const signed = new URL(url);
      signed.searchParams.set('X-Amz-Signature', signature);
      signed.searchParams.set('Expires', signature);
      expect(fileName(kind, 'iv_1', signed.href)).toBe(fileName(kind, 'iv_1', url));
      if (stableUrl(other) !== stableUrl(url))
        expect(fileName(kind, 'iv_1', other)).not.toBe(fileName(kind, 'iv_1', url));
    }),
  );
});
