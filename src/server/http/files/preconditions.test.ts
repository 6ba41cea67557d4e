import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkPreconditions, rangeApplies } from './preconditions.ts';

/** Changed at 12:00:00.900; HTTP dates have no milliseconds. */
const VERSION = { etag: 'tag', modifiedAt: new Date('2026-03-01T12:00:00.900Z') };
const SAME = 'Sun, 01 Mar 2026 12:00:00 GMT';
const BEFORE = 'Sun, 01 Mar 2026 11:59:59 GMT';
const AFTER = 'Sun, 01 Mar 2026 12:00:01 GMT';

test.each([
  [{}, 'send'],
  [{ 'if-none-match': '"tag"' }, 'not-modified'],
  [{ 'if-none-match': 'W/"tag"' }, 'not-modified'],
  [{ 'if-none-match': '"other", "tag"' }, 'not-modified'],
  [{ 'if-none-match': '*' }, 'not-modified'],
  [{ 'if-none-match': '"other"' }, 'send'],
  [{ 'if-none-match': 'tag' }, 'send'],
  [{ 'if-none-match': '"other"', 'if-modified-since': AFTER }, 'send'],
  [{ 'if-modified-since': SAME }, 'not-modified'],
  [{ 'if-modified-since': AFTER }, 'not-modified'],
  [{ 'if-modified-since': BEFORE }, 'send'],
  [{ 'if-modified-since': 'yesterday or so' }, 'send'],
  [{ 'if-match': '"tag"' }, 'send'],
  [{ 'if-match': '*' }, 'send'],
  [{ 'if-match': '"other"' }, 'failed'],
  [{ 'if-match': 'W/"tag"' }, 'failed'],
  [{ 'if-match': '"tag"', 'if-unmodified-since': BEFORE }, 'send'],
  [{ 'if-unmodified-since': SAME }, 'send'],
  [{ 'if-unmodified-since': BEFORE }, 'failed'],
  [{ 'if-unmodified-since': 'never' }, 'send'],
  [{ 'if-match': '"tag"', 'if-none-match': '"tag"' }, 'not-modified'],
  [{ 'if-match': '"other"', 'if-none-match': '"tag"' }, 'failed'],
])('%j: %s', (headers, expected) => {
  expect(checkPreconditions(headers, VERSION)).toBe(expected);
});

test.each([
  [undefined, true],
  ['"tag"', true],
  ['"other"', false],
  ['W/"tag"', false],
  [SAME, true],
  [BEFORE, false],
  [AFTER, false],
  ['tag', false],
])('a range with If-Range %j applies: %s', (ifRange, expected) => {
  expect(rangeApplies(ifRange, VERSION)).toBe(expected);
});

/** RFC 9110, section 8.8.3: any printable character except a quote, also commas. */
const tag = fc.oneof(fc.constant(VERSION.etag), fc.string({ unit: fc.constantFrom(...'abtg,/W*!~é'), maxLength: 4 }));
const entityTag = fc.record({ tag, weak: fc.boolean() });
const separator = fc.constantFrom(',', ', ', ' ,', ' , ,');
const written = ({ tag, weak }: { tag: string; weak: boolean }) => `${weak ? 'W/' : ''}"${tag}"`;

test('our tag is found in any list, by a strong comparison only when it is strong', () => {
  fc.assert(
    fc.property(fc.array(entityTag, { maxLength: 5 }), separator, (tags, between) => {
      const list = tags.map(written).join(between);
      const ours = tags.filter(({ tag }) => tag === VERSION.etag);
      const isStrong = ours.some(({ weak }) => !weak);
      expect(checkPreconditions({ 'if-match': list }, VERSION)).toBe(isStrong ? 'send' : 'failed');
      expect(checkPreconditions({ 'if-none-match': list }, VERSION)).toBe(ours.length > 0 ? 'not-modified' : 'send');
    }),
  );
});

test('any headers are decided, and a range applies only with our tag or the exact time of the change', () => {
  const anything = fc.oneof(
    fc.string(),
    entityTag.map(written),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  );
  const name = fc.constantFrom('if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since');
  fc.assert(
    fc.property(fc.dictionary(name, anything), anything, (headers, ifRange) => {
      expect(['send', 'not-modified', 'failed']).toContain(checkPreconditions(headers, VERSION));
      if (rangeApplies(ifRange, VERSION))
        expect([`"${VERSION.etag}"`, Date.parse(SAME)]).toContain(
          ifRange.includes('"') ? ifRange.trim() : Date.parse(ifRange),
        );
    }),
  );
});
