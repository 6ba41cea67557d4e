import fc from 'fast-check';

type Headers = [name: string, value: string][];

const ONE_OF: Headers[] = [
  [['accept', 'text/html;q=0.1, */*;q=x']],
  [['accept-encoding', 'gzip, br, zstd;q=0, *;q=0']],
  [['content-encoding', 'gzip']],
  [['expect', '100-continue']],
  [['connection', 'close']],
  [
    ['connection', 'upgrade'],
    ['upgrade', 'h2c'],
  ],
  [['cookie', 'session=']],
  [['cookie', `session=${'A'.repeat(43)}`]],
  [['cookie', `session=${'A'.repeat(43)}; session=${'B'.repeat(43)}`]],
  [['cookie', 'session=%ff%00; =; ;;; a; __proto__=1; __Host-session=x']],
  [['cookie', 'session="\\"; constructor=1']],
  [['cookie', 'a=b; '.repeat(500)]],
  [['host', 'evil.example:99999']],
  [['host', ']']],
  [['x-forwarded-for', 'unknown, 1.2.3.4, ::ffff:127.0.0.1, \'"']],
  [
    ['x-forwarded-proto', 'gopher'],
    ['x-forwarded-host', 'evil.example'],
  ],
  [['x-http-method-override', 'DELETE']],
  [['x-request-id', 'a\tb"\\']],
  [['origin', 'https://evil.example']],
  [['origin', 'null']],
  [['origin', 'http://[::1']],
  [['sec-fetch-site', 'cross-site']],
  [['sec-fetch-site', 'same-origin']],
  [['sec-purpose', 'prefetch;prerender']],
  [['range', 'bytes=0-0']],
  [['range', 'bytes=-1,0-,9-1']],
  [['range', `bytes=${'9'.repeat(400)}-`]],
  [['if-match', '*']],
  [['if-none-match', 'W/"\\", "']],
  [['if-modified-since', 'Thu, 99 Foo 20000 00:00:00 GMT']],
  [['if-unmodified-since', '-271821-04-20T00:00:00.000Z']],
  [['if-range', '"']],
  [['content-length', '0']],
  [['te', 'trailers, deflate']],
  [['authorization', 'Bearer \xff\xfe']],
  [['accept-language', `${'en,'.repeat(500)}de`]],
];
const latin1 = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 80,
});
const NAMES = [
  'cookie',
  'range',
  'if-none-match',
  'if-range',
  'origin',
  'accept',
  'host',
  'x-forwarded-for',
  'user-agent',
];

/** Additional headers; usually none. */
export const oddHeaders: fc.Arbitrary<Headers> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Headers>([]) },
  { weight: 5, arbitrary: fc.constantFrom(...ONE_OF) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...NAMES), latin1).map((header): Headers => [header]) },
  { weight: 1, arbitrary: fc.subarray(ONE_OF, { maxLength: 5 }).map((chosen) => chosen.flat()) },
);

export const oddContentType = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/json;;;=',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'text/xml',
  'image/png',
  '',
  ';',
  'application/vnd.api+json',
  '\xff',
);
