import fc from 'fast-check';
import type { FuzzRequest, KnownIds } from './fuzz-request.ts';
import { hostileEncoding, hostileJson, hostileText } from './hostile-values.ts';
import { oddContentType, oddHeaders } from './odd-headers.ts';

/** Generates requests that bring data: the bytes of uploads (tus), and events of services. */
export const incomingRequests = (known: KnownIds): fc.Arbitrary<FuzzRequest> =>
  fc.oneof(uploadRequest(known), eventRequest(known));

const number = fc.oneof(fc.nat(3_000).map(String), fc.constantFrom('', '-1', '1e3', '0x10', '99999999999999999999'));
const type = fc.oneof(
  { weight: 4, arbitrary: fc.constant('application/offset+octet-stream') },
  { weight: 1, arbitrary: oddContentType },
);
const version = fc.constantFrom('1.0.0', '1.0.0', '1.0.0', '0.2.2', '');
const bytes = fc.oneof(fc.string({ maxLength: 2_000 }), hostileText);
const defer = fc.constantFrom<FuzzRequest['headers']>(
  [],
  [['upload-length', '-1']],
  [['upload-defer-length', '1']],
  [['upload-metadata', 'filename é,,=']],
  [['x-http-method-override', 'DELETE']],
);

const uploadRequest = ({ uploads }: KnownIds): fc.Arbitrary<FuzzRequest> =>
  fc
    .record({
      method: fc.constantFrom('HEAD', 'PATCH', 'PATCH', 'PATCH', 'POST', 'DELETE', 'OPTIONS'),
      id: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...uploads) }, { weight: 1, arbitrary: hostileEncoding }),
      headers: fc.tuple(type, version, number, defer),
      odd: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: oddHeaders }),
      body: bytes,
    })
    .map(({ method, id, headers: [contentType, resumable, offset, more], odd, body }) => ({
      method,
      target: `/api/uploads/${id}/content`,
      headers: [
        ['content-type', contentType],
        ['tus-resumable', resumable],
        ['upload-offset', offset],
        ...more,
        ...odd,
      ],
      ...(method !== 'HEAD' && { body: body.toWellFormed() }),
      identity: 'staff',
      endpoint: null,
      input: 'either',
    }));

const eventRequest = ({ hooks, interviews }: KnownIds): fc.Arbitrary<FuzzRequest> => {
  const event = fc
    .tuple(fc.nat(50), fc.constantFrom(...interviews, 'iv_missing'))
    .map(([id, interviewId]) => JSON.stringify({ id, interviewId }));
  return fc
    .record({
      method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT', 'OPTIONS'),
      target: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...hooks) },
        { weight: 1, arbitrary: hostileEncoding.map((secret) => `/hooks/rest/${secret}`) },
        { weight: 1, arbitrary: hostileEncoding.map((source) => `/hooks/${source}/secret`) },
      ),
      headers: fc.oneof(
        oddHeaders,
        oddContentType.map((kind): FuzzRequest['headers'] => [['content-type', kind]]),
      ),
      body: fc.oneof(event, hostileJson, hostileText),
    })
    .map(({ method, target, headers, body }) => ({
      method,
      target,
      headers,
      ...(method !== 'GET' && { body: body.toWellFormed() }),
      identity: 'anonymous',
      endpoint: null,
      input: 'either',
    }));
};
