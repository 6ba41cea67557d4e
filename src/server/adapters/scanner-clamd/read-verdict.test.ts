import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readVerdict } from './read-verdict.ts';

test('only the response "stream: OK" makes a file clean', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `stream: ${text}`),
      ),
      (line) => {
        fc.pre(line !== 'stream: OK');
        const said = () => readVerdict(line);
        if (/^stream: .+ FOUND$/.test(line)) expect(said().status).toBe('infected');
        else expect(said).toThrow(expect.objectContaining({ kind: 'bad_response' }));
      },
    ),
  );
  expect(readVerdict('stream: OK')).toEqual({ status: 'clean' });
});

test.each([
  ['stream: Win.Test.EICAR_HDB-1 FOUND', { status: 'infected', virus: 'Win.Test.EICAR_HDB-1' }],
  ['stream: OK FOUND', { status: 'infected', virus: 'OK' }],
])('%s reports a virus with its name', (line, verdict) => {
  expect(readVerdict(line)).toEqual(verdict);
});

test('a file skipped for its size is neither clean nor infected', () => {
  expect(() => readVerdict('stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND')).toThrow(
    /couldn't scan.*MaxFileSize/,
  );
});
