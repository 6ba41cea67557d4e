import fc from 'fast-check';
import { SCREENS } from '#server/http/web-app.ts';
import type { FuzzRequest, KnownIds } from './fuzz-request.ts';
import { hostileEncoding } from './hostile-values.ts';
import { oddHeaders } from './odd-headers.ts';

/**
 * Generates requests outside the JSON endpoints: files, captions, documentation, pages, health and
 * unknown URLs.
 */
export function otherRequests(known: KnownIds): fc.Arbitrary<FuzzRequest> {
  const interview = fc.constantFrom(...known.interviews).map(encodeURIComponent);
  const target = fc.oneof(
    { weight: 6, arbitrary: fileTarget(known) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(interview, fc.constantFrom('vtt', 'srt', 'txt'))
        .map(([id, kind]) => `/api/interviews/${id}/transcript.${kind}`),
    },
    { weight: 1, arbitrary: hostileEncoding.map((id) => `/api/interviews/${id}/transcript.vtt`) },
    { weight: 1, arbitrary: hostileEncoding.map((text) => `/api/interviews.csv?search=${text}&id=${text}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...SCREENS, '/healthz', '/livez', '/readyz', '/metrics', '/assets/none.js', '/ws'),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('', '/', '/json', '/yaml', '/static/index.html', '/static/swagger-ui.css', '/static/../json')
        .map((tail) => `/api/docs${tail}`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('/', '/api/', '/assets/', '/api/docs/', '/api/docs/static/', '/ws/'), hostileEncoding)
        .map((parts) => parts.join('')),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '*',
        '//',
        '//evil.example/',
        'http://evil.example/api/user',
        '/?',
        '/#',
        '/api//user',
        '/API/user',
        '/api/user/',
        '/..%2f..%2fetc/passwd',
      ),
    },
  );
  return fc.record({
    method: fc.oneof(
      { weight: 6, arbitrary: fc.constant('GET') },
      { weight: 3, arbitrary: fc.constantFrom('HEAD', 'POST', 'OPTIONS', 'DELETE', 'PATCH', 'QUERY', 'MKCOL') },
    ),
    target,
    headers: fc.oneof(oddHeaders, rangeHeaders),
    identity: fc.oneof(
      { weight: 5, arbitrary: fc.constant('staff' as const) },
      { weight: 1, arbitrary: fc.constant('anonymous' as const) },
    ),
    endpoint: fc.constant(null),
    input: fc.constant('either' as const),
  });
}

const fileTarget = ({ files }: KnownIds) =>
  fc
    .tuple(fc.constantFrom('video', 'thumbnail', 'secret'), fc.oneof(fc.constantFrom(...files), hostileEncoding))
    .map(([kind, name]) => `/api/files/${kind}/${name}`);

const position = fc.oneof(fc.nat(20_000).map(String), fc.constantFrom('', '-1', '0', '99999999999999999999'));
const rangeHeaders: fc.Arbitrary<FuzzRequest['headers']> = fc
  .tuple(position, position, fc.boolean())
  .map(([first, last, ifRange]) => [
    ['range', `bytes=${first}-${last}`],
    ...(ifRange ? ([['if-range', 'Wed, 21 Oct 2015 07:28:00 GMT']] satisfies FuzzRequest['headers']) : []),
  ]);
