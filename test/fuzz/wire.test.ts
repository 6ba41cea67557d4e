import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ErrorBody } from '#contracts/errors.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { fuzzSettings } from './fuzz-settings.ts';

const LIMIT_MS = 10_000;
const cleanup = new AsyncDisposableStack();
let product: TestApp;
let port: number;
beforeAll(async () => {
  product = await startApp({ jobs: false, onFinished: (clear) => cleanup.defer(clear) });
  port = Number(new URL(await product.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => cleanup.disposeAsync());

const lines = (...all: string[]) => all.join('\r\n');
/** Valid requests, whose bytes are then changed. */
const VALID = [
  lines('GET /api/user HTTP/1.1', 'Host: localhost', '', ''),
  lines(
    'GET /healthz HTTP/1.1',
    'Host: localhost',
    'Connection: keep-alive',
    '',
    'GET / HTTP/1.1',
    'Host: localhost',
    '',
    '',
  ),
  lines('POST /api/login HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', 'Content-Length: 2', '', '{}'),
  lines(
    'POST /api/login HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
    '',
    '2',
    '{}',
    '0',
    '',
    '',
  ),
  lines(
    'GET /ws HTTP/1.1',
    'Host: localhost',
    'Origin: http://x',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    '',
    '',
  ),
  lines('OPTIONS * HTTP/1.0', '', ''),
];

interface Change {
  at: number;
  remove: number;
  insert: Uint8Array;
}
const changes = fc.array(
  fc.record<Change>({
    at: fc.nat(250),
    remove: fc.oneof(fc.constant(0), fc.constant(1), fc.nat(40)),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc
        .constantFrom(
          '\r\n',
          '\n',
          '\0',
          ' ',
          ':',
          '\xff',
          'x'.repeat(17_000),
          'Content-Length: 5\r\n',
          'Transfer-Encoding: chunked\r\n',
        )
        .map((text) => Buffer.from(text, 'latin1')),
    ),
  }),
  { minLength: 1, maxLength: 4 },
);

const changed = (text: string, all: Change[]) =>
  all.reduce<Buffer>((bytes, { at, remove, insert }) => {
    const place = Math.min(at, bytes.length);
    return Buffer.concat([bytes.subarray(0, place), insert, bytes.subarray(place + remove)]);
  }, Buffer.from(text));

/**
 * Resolves with everything that the server sends until it closes the connection. It may reset the
 * connection after a response to a request that it did not read completely.
 */
async function responsesTo(bytes: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const late = AbortSignal.timeout(LIMIT_MS);
  late.addEventListener('abort', () => socket.destroy(new Error('no end of the connection in time')));
  socket.end(bytes);
  const response = await buffer(socket).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return Buffer.alloc(0);
    throw error;
  });
  return response.toString('latin1');
}

test(
  'no bytes on a connection crash the server, block the connection, or get more than an error',
  async () => {
    const request = fc.tuple(fc.constantFrom(...VALID), changes).map(([text, all]) => changed(text, all));
    await fc.assert(
      fc.asyncProperty(request, async (bytes) => {
        const response = await responsesTo(bytes);
        if (response === '') return;
        const [, status, , body = ''] = /^HTTP\/1\.1 (\d{3}) .*?\r\n(.*?)\r\n\r\n(.*)/s.exec(response) ?? [];
        expect(Number(status)).toBeLessThan(500);
        if (status === '400' && body.startsWith('{'))
          expect(ErrorBody.strict().safeParse(JSON.parse(body.slice(0, body.indexOf('}') + 1))).success).toBe(true);
        expect(response).not.toMatch(/\n\s+at |node_modules|\.ts:\d/);
      }),
      { seed: fuzzSettings.seed, numRuns: Math.max(500, fuzzSettings.requests / 20), endOnFailure: true },
    );
    expect((await product.app.inject({ url: '/healthz' })).statusCode).toBe(200);
  },
  60_000 + fuzzSettings.requests * 5,
);
