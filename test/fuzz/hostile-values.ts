import fc from 'fast-check';
import { anyCharacter } from '#support/any-character.ts';

const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);

/** Texts that are known to break programs. */
const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\uFEFF',
  '\u202Eevil',
  '\r\nset-cookie: session=x',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '%2e%2e%2f',
  '%',
  '%s%n%x',
  "' OR 1=1 --",
  "'; DROP TABLE interview; --",
  '{{7*7}}<%= 7*7 %>',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  '__proto__',
  'constructor',
  'toString',
  '-1',
  '0',
  '1e309',
  'NaN',
  'Infinity',
  '9007199254740993',
  '99999999999999999999',
  '0x10',
  '2026-02-30T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999-23:59',
  '2026-01-01T00:00:00+99:99',
  'BUB-',
  'BUB-\ud83d-\ude00',
  'true',
  'null',
  '[object Object]',
  'x'.repeat(201),
  'é'.repeat(5_000),
];
const NUMBERS = [0, -0, -1, 0.5, 1e-320, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e21, 1.7976931348623157e308];

export const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  // Includes lone surrogates.
  { weight: 2, arbitrary: fc.array(fc.nat(0xff_ff), { maxLength: 40 }).map((units) => String.fromCharCode(...units)) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 300 }) },
);

/** Any JSON value, to replace any other. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], ...NUMBERS) },
  { weight: 1, arbitrary: hostileText.map((text) => [text]) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: hostileText.map((text) => Object.fromEntries([['__proto__', { [text]: text }]])) },
);

/** Bodies that are sent as JSON. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '{',
    '{"name": ',
    '{"name": "a",}',
    "{'name': 'a'}",
    '{"a":1}{"b":2}',
    '\uFEFF{}',
    'NaN',
    '1e999',
    '-',
    '"\\ud800"',
    '"\\u0000"',
    '{"__proto__": {"admin": true}}',
    '{"constructor": {"prototype": {"admin": true}}}',
    '{"name": "a", "name": "b"}',
    '\u0000',
    deep('[', ']', 20_000),
    deep('{"a":', '}', 5_000).replace('}', '1}'),
    `[${'1,'.repeat(50_000)}1]`,
    `{"a":${'9'.repeat(100_000)}}`,
  ),
  hostileValue.map((value) => JSON.stringify(value)),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
);

/**
 * Longer URLs exceed Node's limit of a request head; Node refuses them, as `wire.test.ts`
 * tests.
 */
export const MAX_URL_TEXT_LENGTH = 210;

/**
 * Pieces of a path or a query with invalid or unusual percent-encoding. All are ASCII: Node refuses
 * other characters itself, as `wire.test.ts` tests.
 */
export const hostileEncoding: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '%',
    '%z',
    '%zz',
    '%00',
    '%ff',
    '%c0%af',
    '%ed%a0%80',
    '%F0%9F%98%80',
    '%2e%2e',
    '%2e%2e%2f%2e%2e%2fsecrets',
    '..;',
    '..',
    '.',
    '%2f',
    '%5c..%5c',
    '%25%32%66',
    '%0d%0aset-cookie:%20a=b',
    '~',
    '*',
    ':id',
    '%fe%ff',
    'a'.repeat(1_001),
    '%41'.repeat(400),
  ),
  hostileText.map((text) => encodeURIComponent(text.slice(0, MAX_URL_TEXT_LENGTH).toWellFormed())),
  fc.string({ unit: fc.constantFrom('%', '2', 'f', '0', '.', '/', '?', '&', '=', '[', ']', '+', ';'), maxLength: 20 }),
);
