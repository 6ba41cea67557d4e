import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ErrorBody } from '#contracts/errors.ts';
import { startApp } from '#support/start-app.ts';
import { buildApp } from './app.ts';
import { securityHeaders } from './security-headers.ts';

async function listening(env: Record<string, string> = {}) {
  const product = await startApp({ jobs: false, env });
  await product.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = product.app.server.address() as AddressInfo;
  const { cookie = '' } = await product.signedIn();
  return { product, cookie, host: `127.0.0.1:${port}`, open: () => connect(port, '127.0.0.1') };
}

function expectSecurityHeaders(head: string): void {
  for (const [name, value] of Object.entries(securityHeaders(false)))
    expect(head).toContain(`${name}: ${value.toLowerCase()}`);
}

/** Sends bytes and reads until the server ends the connection. */
async function responseTo(socket: Socket, sent: string) {
  socket.write(sent, 'latin1');
  const response = await text(socket);
  const [head = '', body = ''] = response.split('\r\n\r\n');
  return {
    status: Number(head.split(' ')[1]),
    head: head.toLowerCase(),
    ...ErrorBody.strict().parse(JSON.parse(body)),
  };
}

test.for([
  ['no HTTP at all', 'hello\r\n\r\n', 400, 'invalid_input'],
  ['a target with a byte that no address has', 'GET /api/\xff HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_input'],
  [
    'two lengths',
    'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'invalid_input',
  ],
  [
    'a length and chunks',
    'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'invalid_input',
  ],
  [
    'headers of 20,000 characters',
    `GET /api/user HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
] as const)('%s gets a JSON error, and the connection ends', async ([, sent, status, code]) => {
  const { open } = await listening();
  const response = await responseTo(open(), sent);
  expect(response).toMatchObject({ status, code });
  expect(response.head).toContain('connection: close');
  expect(response.head).toContain('cache-control: no-store');
  expectSecurityHeaders(response.head);
});

test('the same refusals require HTTPS behind a proxy', async () => {
  const { open } = await listening({ TRUST_PROXY: 'true', ADMIN_PASSWORD: 'correct horse battery' });
  expect((await responseTo(open(), 'hello\r\n\r\n')).head).toContain('strict-transport-security: max-age=31536000');
});

test.for([
  ['no Host header', 'GET / HTTP/1.1\r\n'],
  ['two Host headers', 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n'],
  ['a second Host header in other case', 'GET / HTTP/1.1\r\nhOST: localhost\r\nHost: evil.example\r\n'],
  ['an address with another host', 'GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n'],
] as const)('a request with %s is a 400', async ([, sent]) => {
  const { open } = await listening();
  const response = await responseTo(open(), `${sent}Connection: close\r\n\r\n`);
  expect(response).toMatchObject({
    status: 400,
    code: 'invalid_input',
    message: expect.stringContaining('Host header'),
  });
  expectSecurityHeaders(response.head);
});

test('a request with its own host in the address, or without a host in HTTP/1.0, is served', async () => {
  const { open, host } = await listening();
  for (const sent of [`GET http://${host}/livez HTTP/1.1\r\nHost: ${host}\r\n`, 'GET /livez HTTP/1.0\r\n']) {
    const socket = open();
    socket.write(`${sent}Connection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200/);
  }
});

test('an unknown Expect header is ignored', async () => {
  const { open, host } = await listening();
  const socket = open();
  socket.write(`GET /livez HTTP/1.1\r\nHost: ${host}\r\nExpect: cookies\r\nConnection: close\r\n\r\n`);
  const response = await text(socket);
  expect(response).toMatch(/^HTTP\/1.1 200/);
  expectSecurityHeaders(response.toLowerCase());
});

test('a request on an open connection gets a response while the server stops, and ends the connection', async () => {
  const sessions = { findSession: () => null };
  const app = await buildApp({ log: pino({ level: 'silent' }), trustProxy: false, sessions });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const open = { config: { role: 'open', scope: null } } as const;
  app.get('/slow', open, async () => {
    await held;
    return {};
  });
  app.post('/next', open, async () => ({ stored: true }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(app.server, 'request');
  const closed = app.close();
  socket.write('POST /next HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
  await once(app.server, 'request');
  release();
  const [, response = ''] = (await text(socket)).split(/(?<=.)(?=HTTP\/1.1 )/s);
  expect(response).toMatch(/^HTTP\/1.1 200 .*\r\nconnection: close\r\n.*\{"stored":true\}$/is);
  expectSecurityHeaders(response.toLowerCase());
  await closed;
});

test.for([
  ['letters after a percent sign', '/api/interviews/%zz'],
  ['a byte that is not UTF-8', '/%ff'],
  ['an overlong slash', '/api/files/video/%c0%af'],
  ['an id of 1,001 characters', `/api/interviews/${'a'.repeat(1_001)}`],
] as const)('an address with %s is a 400 that does not repeat it', async ([, url]) => {
  const { app } = await startApp({ jobs: false });
  const response = await app.inject({ url });
  expect(ErrorBody.strict().parse(response.json())).toMatchObject({ code: 'invalid_input' });
  expect(response.body).not.toContain(url);
  expect([response.statusCode, response.headers['x-content-type-options']]).toEqual([400, 'nosniff']);
});

test('an upgrade of another address is served as a plain request, and the connection stays open', async () => {
  const { open, host, cookie } = await listening();
  const socket = open();
  const ask = async (path: string, upgrade: string) => {
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nConnection: upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`,
    );
    const [data] = await once(socket, 'data');
    return Number(String(data).split(' ')[1]);
  };
  expect(await ask('/%zz', 'h2c')).toBe(400);
  expect(await ask('/api/user', 'h2c')).toBe(200);
  expect(await ask('/api/user', 'websocket')).toBe(200);
  expect(await ask('/api/nothing', 'websocket')).toBe(404);
  socket.destroy();
});

test('a request without a WebSocket handshake to the address of the live socket gets an explanation', async () => {
  const { open, host, cookie } = await listening();
  const ours = `Host: ${host}\r\nOrigin: http://${host}\r\nCookie: ${cookie}\r\n`;
  expect(await responseTo(open(), `GET /ws HTTP/1.1\r\n${ours}Connection: close\r\n\r\n`)).toMatchObject({
    status: 404,
    message: 'This address takes live connections (WebSocket) only.',
  });
  const broken = `${ours}Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: short\r\n\r\n`;
  expect(await responseTo(open(), `GET /ws HTTP/1.1\r\n${broken}`)).toMatchObject({
    status: 400,
    code: 'invalid_input',
  });
});

test('an unknown address below the API documentation is a JSON 404', async () => {
  const product = await startApp({ jobs: false });
  const { cookie = '' } = await product.signedIn();
  for (const path of ['static/none.css', 'static/%20', 'none']) {
    const response = await product.app.inject({ url: `/api/docs/${path}`, headers: { cookie, range: 'bytes=9-1' } });
    expect([path, response.statusCode, ErrorBody.strict().parse(response.json()).code]).toEqual([
      path,
      404,
      'not_found',
    ]);
  }
});

test('a body of 20,000 nested lists is invalid input', async () => {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  for (const body of [deep, `{"name":${deep},"apiKey":"key","funnelId":"a"}`]) {
    const response = await product.app.inject({
      method: 'POST',
      url: '/api/funnels',
      payload: body,
      headers: { 'content-type': 'application/json', cookie: recruiter.cookie ?? '' },
    });
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_input']);
  }
});
