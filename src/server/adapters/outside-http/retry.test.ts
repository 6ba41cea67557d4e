import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryAfterMs } from './retry.ts';

const NOW = Date.UTC(2026, 2, 1);

test('seconds and dates become a wait of at least 0', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.integer({ min: -86_400, max: 86_400 }), (seconds, ahead) => {
      expect(retryAfterMs(String(seconds), NOW)).toBe(seconds * 1_000);
      expect(retryAfterMs(new Date(NOW + ahead * 1_000).toUTCString(), NOW)).toBe(Math.max(0, ahead * 1_000));
    }),
  );
});

test('any other header is ignored or becomes a wait of at least 0', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('1', '-', '.', ' ', 'e', 'M', ':') })),
      (text) => {
        expect(retryAfterMs(text, NOW) ?? 0).toBeGreaterThanOrEqual(0);
      },
    ),
  );
});
