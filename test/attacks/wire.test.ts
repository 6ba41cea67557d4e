import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '#support/start-app.ts';

let product: TestApp;
let port: number;
beforeAll(async () => {
  let clear = async () => {};
  product = await startApp({
    jobs: false,
    onFinished: (work) => {
      clear = work;
    },
  });
  await product.app.listen({ port: 0, host: '127.0.0.1' });
  port = (product.app.server.address() as AddressInfo).port;
  return () => clear();
});

const lines = (...all: string[]) => all.join('\r\n');
const POST = ['POST /api/login HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
/** An attacker hides this request behind the body of another one. */
const SMUGGLED = lines('GET /healthz HTTP/1.1', 'Host: localhost', 'Connection: close', '', '');
const statuses = (response: string) =>
  [...response.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

describe('a request with two lengths', () => {
  test.each([
    ['Content-Length and Transfer-Encoding', ['Content-Length: 6', 'Transfer-Encoding: chunked'], '0\r\n\r\nX'],
    [
      'Transfer-Encoding and Content-Length',
      ['Transfer-Encoding: chunked', 'Content-Length: 4'],
      '1\r\nA\r\n0\r\n\r\n',
    ],
    ['two Content-Lengths', ['Content-Length: 2', 'Content-Length: 60'], '{}'],
    ['two Content-Lengths in one', ['Content-Length: 2, 60'], '{}'],
    ['a negative Content-Length', ['Content-Length: -1'], '{}'],
    ['a Content-Length with a sign', ['Content-Length: +2'], '{}'],
    ['a Content-Length in hexadecimal', ['Content-Length: 0x2'], '{}'],
    ['a Content-Length beyond every number', [`Content-Length: ${'9'.repeat(30)}`], '{}'],
    ['two Transfer-Encodings', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], '0\r\n\r\n'],
    ['an unknown Transfer-Encoding', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
    ['a Transfer-Encoding behind another', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
    ['a space before the colon', ['Transfer-Encoding : chunked'], '0\r\n\r\n'],
    ['a folded header', ['X: y', ' Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['a chunk of a negative size', ['Transfer-Encoding: chunked'], '-1\r\nA\r\n0\r\n\r\n'],
    ['a chunk size beyond every number', ['Transfer-Encoding: chunked'], `${'f'.repeat(20)}\r\nA\r\n0\r\n\r\n`],
    ['a chunk that is longer than its size', ['Transfer-Encoding: chunked'], '1\r\nABC\r\n0\r\n\r\n'],
    ['a NUL in a header', ['X: a\0b', 'Content-Length: 2'], '{}'],
    ['a line feed alone', ['X: a\nTransfer-Encoding: chunked', 'Content-Length: 2'], '{}'],
  ])(
    '(%s) is rejected and closes the connection, so that nothing after it is read as a request',
    async (_, headers, body) => {
      const response = await sendRaw(port, lines(...POST, ...headers, '', body) + SMUGGLED);
      expect(statuses(response)).toEqual([400]);
      expect(response).not.toContain('"ok"');
    },
  );
});

describe('a request', () => {
  test('a request without a Host header is rejected', async () => {
    expect(statuses(await sendRaw(port, lines('GET / HTTP/1.1', '', '') + SMUGGLED))).toEqual([400]);
  });

  test('a request with two Host headers is rejected and closes the connection', async () => {
    const two = lines('GET / HTTP/1.1', 'Host: localhost', 'Host: evil.example', '', '');
    expect(statuses(await sendRaw(port, two + SMUGGLED))).toEqual([400]);
  });

  test.each(['CONNECT evil.example:443', 'TRACE /', 'TRACK /', 'PROPFIND /', 'PATCH /api/funnels/1', 'get /'])(
    '%s opens no tunnel, echoes nothing and reads nothing',
    async (start) => {
      const response = await sendRaw(
        port,
        lines(`${start} HTTP/1.1`, 'Host: localhost', 'X-Secret: not-to-be-echoed', 'Connection: close', '', ''),
      );
      expect(statuses(response).every((status) => [400, 404, 405].includes(status))).toBe(true);
      expect(response).not.toContain('not-to-be-echoed');
    },
  );

  test('a request for the URL of another host, as proxies receive it, is not forwarded', async () => {
    const response = await sendRaw(
      port,
      lines('GET http://169.254.169.254/latest/ HTTP/1.1', 'Host: localhost', 'Connection: close', '', ''),
    );
    expect(statuses(response)).toEqual([400]);
  });

  test('a request with too large headers is rejected', async () => {
    const big = lines('GET /healthz HTTP/1.1', 'Host: localhost', `X: ${'x'.repeat(20_000)}`, '', '');
    expect(statuses(await sendRaw(port, big))).toEqual([431]);
    const long = lines(`GET /${'x'.repeat(20_000)} HTTP/1.1`, 'Host: localhost', '', '');
    expect(statuses(await sendRaw(port, long))).toEqual([431]);
  });

  test('a request with a too large body is rejected before the body arrives', async () => {
    const response = await sendRaw(port, lines(...POST, 'Content-Length: 999999999', 'Connection: close', '', '{'));
    expect(statuses(response)).toEqual([413]);
  });
});

const LIMIT_MS = 10_000;

/** Sends raw bytes, and resolves with the response when the server has closed the connection. */
async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const late = setTimeout(() => socket.destroy(new Error('The server did not close the connection.')), LIMIT_MS);
  socket.write(text, 'latin1');
  try {
    return (await buffer(socket)).toString('latin1');
  } finally {
    clearTimeout(late);
  }
}
