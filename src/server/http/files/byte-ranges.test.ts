import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRange } from './byte-ranges.ts';

describe('the Range header, of a file of 10 bytes', () => {
  test.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-5', { start: 2, end: 5 }],
    ['bytes=2-', { start: 2, end: 9 }],
    ['bytes=0-99', { start: 0, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['Bytes= 2-5 ', { start: 2, end: 5 }],
    ['bytes=9-99999999999999999999999', { start: 9, end: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=99999999999999999999999-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    [undefined, 'whole'],
    ['', 'whole'],
    ['bytes=', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=5-2', 'whole'],
    ['bytes=0-1,3-4', 'whole'],
    ['bytes=1.5-2', 'whole'],
    ['bytes=a-b', 'whole'],
    ['items=0-1', 'whole'],
    ['bytes 0-1', 'whole'],
  ])('%j means %j', (header, expected) => {
    expect(parseRange(header, 10)).toEqual(expected);
  });

  test('an empty file has no satisfiable range', () => {
    for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) expect(parseRange(header, 0)).toBe('unsatisfiable');
  });
});

const size = fc.nat({ max: 40 });
const number = fc.nat({ max: 60 });

/** The model: which positions of the file a range selects, tried one by one. */
const selected = (bytes: number, holds: (position: number) => boolean) =>
  Array.from({ length: bytes }, (_, position) => position).filter(holds);

function positionsOf(range: ReturnType<typeof parseRange>): number[] {
  if (typeof range === 'string') return [];
  return Array.from({ length: range.end - range.start + 1 }, (_, index) => range.start + index);
}

test('a range selects exactly the positions between its ends', () => {
  fc.assert(
    fc.property(size, number, number, (bytes, first, more) => {
      const last = first + more;
      const expected = selected(bytes, (position) => position >= first && position <= last);
      expect(positionsOf(parseRange(`bytes=${first}-${last}`, bytes))).toEqual(expected);
    }),
  );
});

test('an open range selects everything from its start, a suffix the last bytes', () => {
  fc.assert(
    fc.property(size, number, (bytes, given) => {
      const open = selected(bytes, (position) => position >= given);
      const suffix = selected(bytes, (position) => position >= bytes - given);
      expect(positionsOf(parseRange(`bytes=${given}-`, bytes))).toEqual(open);
      expect(positionsOf(parseRange(`bytes=-${given}`, bytes))).toEqual(suffix);
    }),
  );
});

test('no header leads outside the file or throws', () => {
  const odd = fc.oneof(fc.string(), fc.stringMatching(/^bytes=[-\d, ]*$/));
  fc.assert(
    fc.property(odd, size, (header, bytes) => {
      for (const position of positionsOf(parseRange(header, bytes))) {
        expect(position).toBeGreaterThanOrEqual(0);
        expect(position).toBeLessThan(bytes);
      }
    }),
  );
});
