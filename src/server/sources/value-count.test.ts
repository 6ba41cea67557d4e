import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ValueCount } from './value-count.ts';

/** The number of values, without the keys of objects. */
const valuesOf = (json: unknown): number =>
  1 +
  (json !== null && typeof json === 'object' ? Object.values(json).reduce((sum, each) => sum + valuesOf(each), 0) : 0);

const texts = fc.string({ unit: fc.constantFrom('"', '\\', ',', '{', '[', 'a', 'é') });
const { json } = fc.letrec((tie) => ({
  json: fc.oneof({ maxDepth: 4 }, fc.integer(), texts, fc.array(tie('json')), fc.dictionary(texts, tie('json'))),
}));

test('no JSON has more values than are counted, however it is cut into chunks', () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 20 }), (value, chunkBytes) => {
      const bytes = Buffer.from(JSON.stringify(value));
      const counted = new ValueCount();
      for (let at = 0; at < bytes.length; at += chunkBytes) counted.add(bytes.subarray(at, at + chunkBytes));
      const values = valuesOf(value);
      expect(counted.count).toBeGreaterThanOrEqual(values - 1);
      expect(counted.count).toBeLessThanOrEqual(values * 2);
    }),
    { numRuns: 1_000 },
  );
});
