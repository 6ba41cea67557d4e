import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { spoiled } from '#support/hostile-json.ts';
import { readTranscription } from './read-response.ts';

const SEGMENT = { text: ' Hello there.', start: 0, end: 2, words: [{ word: 'Hello', start: 0, end: 1 }] };
const RESPONSE = {
  text: 'Hello there. Bye.',
  segments: [SEGMENT, { text: 'Bye.', start: 2, end: 3 }],
  words: [
    { word: 'Hello', start: 0, end: 1 },
    { word: 'there.', start: 1, end: 2 },
  ],
};

test('any response yields sorted segments inside the part or is a bad response', () => {
  fc.assert(
    fc.property(spoiled(RESPONSE), fc.integer({ min: 1, max: 4_000 }), (raw, seconds) => {
      try {
        let before = 0;
        for (const { startSeconds, endSeconds, text } of readTranscription(raw, seconds)) {
          expect(startSeconds).toBeGreaterThanOrEqual(before);
          expect(endSeconds).toBeGreaterThanOrEqual(startSeconds);
          expect(endSeconds).toBeLessThanOrEqual(seconds);
          expect(text.trim() !== '' && text.isWellFormed() && !text.includes('\0')).toBe(true);
          before = startSeconds;
        }
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        expect(error.kind).toBe('bad_response');
      }
    }),
    { numRuns: 2_000 },
  );
});
