import fc from 'fast-check';
import { expect, test } from 'vitest';
import { baseName, stableUrl } from './interview-files.ts';

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
