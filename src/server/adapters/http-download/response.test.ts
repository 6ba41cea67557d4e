import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { anyCharacter } from '#support/any-character.ts';
import { ContentChanged, type Part, Redirected, readDownloadResponse, UrlExpired } from './response.ts';

type Headers = Parameters<typeof readDownloadResponse>[1];

const number = fc.oneof(
  fc.nat(99),
  fc.maxSafeNat(),
  fc.constantFrom('9'.repeat(30), '-1', '007', '1e3', ' 5', '*', ''),
);
const text = fc.oneof(fc.string(), fc.string({ unit: anyCharacter }));
const range = fc.tuple(number, number, number).map(([first, last, total]) => `bytes ${first}-${last}/${total}`);
const date = fc.oneof(
  fc.integer({ min: 0, max: 5_000 }).map((ms) => new Date(Date.UTC(2026, 2, 1) + ms).toUTCString()),
  text,
);
const etag = fc.oneof(fc.constantFrom('"v1"', 'W/"v1"', '""', 'v1'), text);
const either = <Value>(value: fc.Arbitrary<Value>) => fc.oneof({ weight: 5, arbitrary: value }, fc.array(value));
const headers = fc.record(
  {
    'content-range': either(fc.oneof(range, fc.constant('bytes */10'), text)),
    'content-length': either(number.map(String)),
    'content-encoding': fc.constantFrom('identity', 'gzip', '', 'br, gzip'),
    'content-type': fc.oneof(fc.constantFrom('video/mp4', 'text/html', 'TEXT/HTML; charset=utf-8'), text),
    location: either(fc.oneof(fc.webUrl(), text)),
    'retry-after': either(fc.oneof(number.map(String), date)),
    etag: either(etag),
    date: either(date),
    'last-modified': either(date),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Headers>;
const status = fc.oneof(
  fc.constantFrom(200, 206, 204, 301, 302, 303, 304, 307, 308, 401, 403, 404, 408, 410, 416, 429, 500, 503),
  fc.integer({ min: 100, max: 999 }),
);
const from = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 99 }));

type Outcome = { part: Part } | { error: unknown };
function outcome(...given: Parameters<typeof readDownloadResponse>): Outcome {
  try {
    return { part: readDownloadResponse(...given) };
  } catch (error) {
    return { error };
  }
}

function expectKnown(error: unknown, code: number, { location }: Headers, at: number): void {
  const known = [Redirected, ContentChanged, UrlExpired, UpstreamError].some((kind) => error instanceof kind);
  expect([error, known]).toEqual([error, true]);
  // A download from the start that restarts would never end.
  expect(error instanceof ContentChanged && at === 0).toBe(false);
  if (error instanceof Redirected) expect(error.location).toBe(location);
  if (!(error instanceof UpstreamError)) return;
  expect([error.service, error.isRetryable]).toEqual(['files', code === 408 || code === 429 || code >= 500]);
  expect(error.retryAfterMs ?? 0).toBeGreaterThanOrEqual(0);
}

test('any response yields a part from the requested byte or from the start, or a known error', () => {
  fc.assert(
    fc.property(status, headers, from, (code, given, at) => {
      const said = outcome(code, given, at);
      if ('error' in said) {
        expectKnown(said.error, code, given, at);
        return;
      }
      const { part } = said;
      expect([200, 206]).toContain(code);
      expect(part.from).toBe(code === 200 ? 0 : at);
      expect(part.total === null || part.total >= 0).toBe(true);
      if (part.validator !== null && part.validator !== given['last-modified'])
        expect([part.validator, part.validator[0]]).toEqual([given.etag, '"']);
    }),
    { numRuns: 3_000 },
  );
});

test('a part has the position and length of its Content-Range; one from another position is rejected', () => {
  const place = fc.tuple(fc.nat(50), fc.nat(50), fc.nat(50), fc.boolean());
  fc.assert(
    fc.property(place, from, ([first, more, rest, isKnown], at) => {
      const total = first + more + rest + 1;
      const said = outcome(206, { 'content-range': `bytes ${first}-${first + more}/${isKnown ? total : '*'}` }, at);
      if (first === at) expect(said).toEqual({ part: { from: at, total: isKnown ? total : null, validator: null } });
      else expect(said).toEqual({ error: expect.any(at > 0 ? ContentChanged : UpstreamError) });
    }),
  );
});

test('a complete response has the length of its Content-Length, regardless of earlier downloads', () => {
  fc.assert(
    fc.property(fc.option(fc.maxSafeNat()), from, (bytes, at) => {
      const given = bytes === null ? {} : { 'content-length': String(bytes) };
      expect(readDownloadResponse(200, given, at)).toEqual({ from: 0, total: bytes, validator: null });
    }),
  );
});

test('content is identified only by a strong ETag or by a date at least one second old', () => {
  const moment = fc.integer({ min: 0, max: 4 }).map((seconds) => Date.UTC(2026, 2, 1) + seconds * 1_000);
  fc.assert(
    fc.property(fc.option(etag, { nil: undefined }), moment, moment, (tag, now, modified) => {
      const [date, lastModified] = [now, modified].map((at) => new Date(at).toUTCString());
      const given = { ...(tag !== undefined && { etag: tag }), date, 'last-modified': lastModified };
      const byDate = now - modified >= 1_000 ? lastModified : null;
      const byTag = tag?.startsWith('"') ? tag : null;
      expect(readDownloadResponse(200, given, 0).validator).toBe(tag === undefined ? byDate : byTag);
    }),
  );
});

test('compressed responses and web pages are rejected', () => {
  fc.assert(
    fc.property(headers, fc.constantFrom('gzip', 'br', 'x'), (given, encoding) => {
      for (const wrong of [{ 'content-encoding': encoding }, { 'content-type': 'text/html' }])
        expect(outcome(200, { ...given, ...wrong }, 0)).toEqual({
          error: expect.objectContaining({ kind: 'bad_response' }),
        });
    }),
  );
});
