import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AllowedHosts, isPrivate } from './private-addresses.ts';

const four = fc.ipV4();
const number = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
/** The first and last address of each range. */
const CLOSED: [string, string][] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
];
const model = (address: string) =>
  CLOSED.some(([first, last]) => number(address) >= number(first) && number(address) <= number(last));
const dotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
/** Any addresses, and those at the edges of the ranges. */
const address = fc.oneof(
  four,
  fc
    .tuple(fc.constantFrom(...CLOSED.flat()), fc.integer({ min: -1, max: 1 }))
    .map(([edge, by]) => dotted(number(edge) + by)),
);
const hex = (given: string) =>
  [number(given) >>> 16, number(given) & 0xff_ff].map((part) => part.toString(16)).join(':');

test('an address is private exactly when it is in one of the ranges', () => {
  fc.assert(
    fc.property(address, (given) => {
      expect(isPrivate(given)).toBe(model(given));
    }),
    { numRuns: 5_000 },
  );
});

test('every IPv6 notation of an address has the same result, and other embeddings are private', () => {
  fc.assert(
    fc.property(address, (given) => {
      for (const form of [
        `::ffff:${given}`,
        `::ffff:${hex(given)}`,
        `0:0:0:0:0:ffff:${hex(given)}`,
        `::FFFF:${hex(given)}`,
      ])
        expect([form, isPrivate(form)]).toEqual([form, model(given)]);
      for (const form of [`::${hex(given)}`, `64:ff9b::${hex(given)}`, `2002:${hex(given)}::1`, `fe80::${hex(given)}`])
        expect([form, isPrivate(form)]).toEqual([form, true]);
    }),
    { numRuns: 1_000 },
  );
});

test('only listed private addresses are admitted', () => {
  fc.assert(
    fc.property(address, address, (listed, other) => {
      const allowed = new AllowedHosts([listed]);
      expect(allowed.admits(listed)).toBe(true);
      expect(allowed.admits(other)).toBe(other === listed || !model(other));
    }),
    { numRuns: 1_000 },
  );
});
