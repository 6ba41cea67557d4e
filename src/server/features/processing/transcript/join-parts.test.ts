import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinParts } from './join-parts.ts';

const segment = (startSeconds: number, endSeconds: number, text: string) => ({ startSeconds, endSeconds, text });

test('times of parts are offset and joined', () => {
  const parts = [
    { startSeconds: 0, segments: [segment(0.5, 2, 'One.'), segment(2, 1_199, 'Two.')] },
    { startSeconds: 1_200, segments: [segment(0, 3, 'Three.')] },
  ];
  expect(joinParts(parts)).toEqual([
    segment(0.5, 2, 'One.'),
    segment(2, 1_199, 'Two.'),
    segment(1_200, 1_203, 'Three.'),
  ]);
});

test('a segment that runs into the next part ends where that begins, and what says nothing is left out', () => {
  const parts = [
    { startSeconds: 0, segments: [segment(8, 14, ' One. '), segment(9, 10, ' ')] },
    { startSeconds: 10, segments: [segment(0, 1, 'Two.')] },
  ];
  expect(joinParts(parts)).toEqual([segment(8, 10, 'One.'), segment(10, 11, 'Two.')]);
});

test('nothing is nothing', () => {
  expect(joinParts([])).toEqual([]);
  expect(joinParts([{ startSeconds: 0, segments: [] }])).toEqual([]);
});

const seconds = fc.double({ min: -100, max: 2_000, noNaN: true });
const anySegment = fc.record({ startSeconds: seconds, endSeconds: seconds, text: fc.string() });
const anyPart = fc.record({
  startSeconds: fc.double({ min: 0, max: 8_000, noNaN: true }),
  segments: fc.array(anySegment),
});

test('whatever the parts say, times only go forward and no word is lost', () => {
  fc.assert(
    fc.property(fc.array(anyPart), (parts) => {
      const joined = joinParts(parts);
      for (const [nth, { startSeconds, endSeconds }] of joined.entries()) {
        expect(startSeconds).toBeGreaterThanOrEqual(joined[nth - 1]?.startSeconds ?? 0);
        expect(endSeconds).toBeGreaterThanOrEqual(startSeconds);
      }
      const said = parts.flatMap(({ segments }) => segments.map(({ text }) => text.trim())).filter(Boolean);
      expect(joined.map(({ text }) => text).sort()).toEqual(said.sort());
    }),
  );
});
