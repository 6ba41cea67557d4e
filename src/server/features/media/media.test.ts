import { once } from 'node:events';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { type App, buildApp } from '#server/http/app.ts';
import { StoredFiles } from '#server/http/files/stored-files.ts';
import { ReadQuota } from '#server/http/guards/read-quota.ts';
import { type FileKind, type FileStore, FileStoreError } from '#server/ports/file-store.ts';
import { aSignedIn } from '#support/a-signed-in.ts';
import { mediaRoutes } from './media.routes.ts';

const VIDEO = '/api/files/video/a.mp4';
const TOKEN = 'r'.repeat(43);
const COOKIE = `session=${TOKEN}`;
const SIGNED_IN = { cookie: COOKIE };
const MEGABYTE = 1024 * 1024;

describe('access', () => {
  test.each(['GET', 'HEAD'] as const)(
    '%s without a session is denied, whether the file exists or not',
    async (method) => {
      const { app, put } = await start();
      await put('video', 'a.mp4', 'text');
      for (const url of [VIDEO, '/api/files/video/unknown.mp4', '/api/files/thumbnail/a.jpg']) {
        expect((await app.inject({ method, url })).statusCode).toBe(401);
      }
    },
  );
});

describe('a whole file', () => {
  test('a whole file has the headers to seek in it, and not to store or run it', async () => {
    const { get, put } = await start();
    await put('video', 'a.mp4', 'some video');
    const response = await get(VIDEO);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('some video');
    expect(response.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'content-disposition': 'inline; filename="a.mp4"',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*; sandbox$/),
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
      etag: expect.stringMatching(/^"[\w-]+"$/),
      'last-modified': expect.stringMatching(/ GMT$/),
    });
    expect(response.headers).not.toHaveProperty('content-range');
  });

  test.each([
    ['a.mp4', 'video/mp4'],
    ['a.webm', 'video/webm'],
    ['a.MOV', 'video/quicktime'],
    ['a.jpg', 'image/jpeg'],
    ['a.jpeg', 'image/jpeg'],
    ['a.png', 'image/png'],
    ['a.webp', 'image/webp'],
    ['a.html', 'application/octet-stream'],
    ['a.svg', 'application/octet-stream'],
    ['a', 'application/octet-stream'],
  ])('%s is %s', async (name, type) => {
    const { get, put } = await start();
    await put('thumbnail', name, 'x');
    expect((await get(`/api/files/thumbnail/${name}`)).headers['content-type']).toBe(type);
  });

  test('HEAD returns the same headers without the bytes, and ignores a range', async () => {
    const { get, head, put } = await start();
    await put('video', 'a.mp4', 'some video');
    const { headers } = await get(VIDEO);
    const response = await head(VIDEO, { range: 'bytes=0-1' });
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('');
    expect(response.headers).toEqual({ ...headers, date: expect.anything(), 'x-request-id': expect.anything() });
  });

  test('an empty file is an empty response', async () => {
    const { get, head, put } = await start();
    await put('video', 'a.mp4', '');
    expect(await get(VIDEO)).toMatchObject({ statusCode: 200, body: '' });
    expect((await head(VIDEO)).headers['content-length']).toBe('0');
    expect((await get(VIDEO, { range: 'bytes=0-' })).statusCode).toBe(416);
  });
});

test.each(['unknown.mp4', '..%2f..%2fetc%2fpasswd', '..', '.hidden', '%00', 'a%2fb', `${'a'.repeat(300)}`])(
  'the unknown file %s is a 404',
  async (name) => {
    const { get } = await start();
    const response = await get(`/api/files/video/${name}`);
    expect(response.statusCode).toBe(404);
    if (name !== '..')
      expect(response.json()).toMatchObject({ message: 'This file does not exist.', code: 'not_found' });
  },
);

test('a store that cannot be read is 503 without details', async () => {
  const { get } = await start({
    open: () => Promise.reject(new FileStoreError('unavailable', 'The disk /secret/place is broken.')),
  });
  const response = await get(VIDEO);
  expect(response.statusCode).toBe(503);
  expect(response.json().message).toBe("This file can't be read right now. Try again later.");
});

describe('ranges', () => {
  test('one range is 206 with its position in the file', async () => {
    const { get, put } = await start();
    await put('video', 'a.mp4', '0123456789');
    const response = await get(VIDEO, { range: 'bytes=2-4' });
    expect(response).toMatchObject({ statusCode: 206, body: '234' });
    expect(response.headers).toMatchObject({ 'content-range': 'bytes 2-4/10', 'content-length': '3' });
    expect((await get(VIDEO, { range: 'bytes=-2' })).body).toBe('89');
    expect((await get(VIDEO, { range: 'bytes=7-' })).body).toBe('789');
  });

  test('a request for several ranges gets the whole file', async () => {
    const { get, put } = await start();
    await put('video', 'a.mp4', '0123456789');
    expect(await get(VIDEO, { range: 'bytes=0-1,4-5' })).toMatchObject({ statusCode: 200, body: '0123456789' });
  });

  test('a range after the end is 416 with the size', async () => {
    const { get, put, openFiles } = await start();
    await put('video', 'a.mp4', '0123456789');
    const response = await get(VIDEO, { range: 'bytes=10-' });
    expect(response.statusCode).toBe(416);
    expect(response.headers).toMatchObject({ 'content-range': 'bytes */10', 'cache-control': 'no-store' });
    expect(response.headers).not.toHaveProperty('etag');
    expect(response.json()).toMatchObject({ code: 'range_not_satisfiable' });
    expect(openFiles()).toBe(0);
  });

  test('any range returns the bytes of the file', async () => {
    const { get, put } = await start();
    const content = Buffer.alloc(900 * 1024);
    for (let index = 0; index < content.length; index += 4) content.writeUInt32LE(index, index);
    await put('video', 'a.mp4', content);
    const edges = [0, 1, 65_535, 65_536, 65_537, 262_143, 262_144, 262_145, 524_288, content.length - 1];
    const position = fc.oneof(fc.constantFrom(...edges), fc.nat({ max: content.length - 1 }));
    await fc.assert(
      fc.asyncProperty(position, position, async (a, b) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const { rawPayload } = await get(VIDEO, { range: `bytes=${start}-${end}` });
        expect(rawPayload.equals(content.subarray(start, end + 1))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('conditional requests', () => {
  test('304 for an unchanged file has no bytes, but the validators', async () => {
    const { get, head, put, openFiles } = await start();
    await put('video', 'a.mp4', 'text');
    const { headers } = await get(VIDEO);
    for (const response of [
      await get(VIDEO, { 'if-none-match': String(headers.etag) }),
      await get(VIDEO, { 'if-modified-since': String(headers['last-modified']), range: 'bytes=0-1' }),
      await head(VIDEO, { 'if-none-match': '*' }),
    ]) {
      expect(response).toMatchObject({ statusCode: 304, body: '' });
      expect(response.headers).toMatchObject({ etag: headers.etag, 'cache-control': headers['cache-control'] });
      expect(response.headers).not.toHaveProperty('content-length');
    }
    expect(openFiles()).toBe(0);
  });

  test('412 when the client expects another version', async () => {
    const { get, put, openFiles } = await start();
    await put('video', 'a.mp4', 'text');
    expect(await get(VIDEO, { 'if-match': '"other"' })).toMatchObject({ statusCode: 412, body: '' });
    expect((await get(VIDEO, { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).statusCode).toBe(412);
    expect(openFiles()).toBe(0);
  });

  test('If-Range returns the range of the same version, and the whole of another', async () => {
    const { get, put } = await start();
    await put('video', 'a.mp4', 'text');
    const etag = String((await get(VIDEO)).headers.etag);
    await put('video', 'a.mp4', 'more');
    const renewed = String((await get(VIDEO)).headers.etag);
    expect(await get(VIDEO, { range: 'bytes=1-2', 'if-range': etag })).toMatchObject({ statusCode: 200, body: 'more' });
    expect(await get(VIDEO, { range: 'bytes=1-2', 'if-range': renewed })).toMatchObject({
      statusCode: 206,
      body: 'or',
    });
  });
});

describe('behind nginx', () => {
  test('nginx sends the bytes after we have checked the session and the file', async () => {
    const { app, get, put } = await start({}, '/protected/');
    await put('video', 'a.mp4', 'text');
    const response = await get(VIDEO, { range: 'bytes=0-1' });
    expect(response).toMatchObject({ statusCode: 200, body: '' });
    expect(response.headers).toMatchObject({
      'x-accel-redirect': '/protected/videos/a.mp4',
      'content-type': 'video/mp4',
      'cache-control': 'no-store',
    });
    expect((await get('/api/files/video/b.mp4')).statusCode).toBe(404);
    expect((await app.inject(VIDEO)).headers).not.toHaveProperty('x-accel-redirect');
  });
});

describe('over real connections', () => {
  test('clients that disconnect leave no file open, and the next one is served', async () => {
    const { put, openFiles, listen } = await start();
    await put('video', 'a.mp4', Buffer.alloc(30 * MEGABYTE, 'v'));
    const port = await listen();
    for (let round = 0; round < 20; round += 1) {
      const response = await ask(port);
      await once(response, 'readable');
      response.destroy();
      await once(response, 'close');
    }
    await expect.poll(openFiles).toBe(0);
    expect(await drain(await ask(port))).toBe(30 * MEGABYTE);
    await expect.poll(openFiles).toBe(0);
  });

  test('a file that becomes shorter breaks the connection instead of ending the response', async () => {
    const { put, folder, openFiles, listen } = await start();
    await put('video', 'a.mp4', Buffer.alloc(30 * MEGABYTE));
    const port = await listen();
    const response = await ask(port);
    await truncate(join(folder, 'videos/a.mp4'), MEGABYTE);
    await expect(drain(response)).rejects.toThrow('aborted');
    await expect.poll(openFiles).toBe(0);
  });

  test('60 MB are sent to many clients at once in constant memory', { timeout: 60_000 }, async () => {
    const { put, folder, listen } = await start();
    await put('video', 'a.mp4', '');
    await truncate(join(folder, 'videos/a.mp4'), 60 * MEGABYTE);
    const port = await listen();
    await drain(await ask(port));
    const before = process.memoryUsage();
    const received = await Promise.all(Array.from({ length: 8 }, async () => drain(await ask(port))));
    const after = process.memoryUsage();
    expect(received).toEqual(Array<number>(8).fill(60 * MEGABYTE));
    // 480 MB were sent. The pool holds 16 MB at most, and the clients of this test some more.
    expect((after.rss - before.rss) / MEGABYTE).toBeLessThan(120);
  });
});

/** The real guard, error handler and route around a temporary store. */
async function start(broken: Partial<FileStore> = {}, accelPrefix?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'media-'));
  const counted = countOpen({ ...localFileStore(folder), ...broken });
  const app = await buildApp({
    log: pino({ level: 'silent' }),
    trustProxy: false,
    sessions: {
      findSession: (token) => (token === TOKEN ? { signedIn: aSignedIn({ username: 'recruiter' }) } : null),
    },
  });
  const quota = new ReadQuota({ perHour: 1_000_000, settle: async () => 1_000_000, onError: () => {} });
  mediaRoutes(app, new StoredFiles({ files: counted.files, accelPrefix }), {
    redirect: null,
    quota,
    isVisible: async () => true,
    onLoad: () => {},
  });
  onTestFinished(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });
  const ask =
    (method: 'GET' | 'HEAD') =>
    (url: string, headers: InjectOptions['headers'] = {}) =>
      app.inject({ method, url, headers: { ...SIGNED_IN, ...headers } });
  return {
    app,
    folder,
    openFiles: counted.open,
    get: ask('GET'),
    head: ask('HEAD'),
    put: (kind: FileKind, name: string, content: string | Buffer) => put(counted.files, { kind, name }, content),
    listen: () => listen(app),
  };
}

function countOpen(files: FileStore): { files: FileStore; open: () => number } {
  let open = 0;
  return {
    open: () => open,
    files: {
      ...files,
      async open(kind, name) {
        const opened = await files.open(kind, name);
        if (!opened) return null;
        open += 1;
        return {
          file: opened.file,
          read: (buffer, position) => opened.read(buffer, position),
          async close() {
            open -= 1;
            await opened.close();
          },
        };
      },
    },
  };
}

async function put(files: FileStore, { kind, name }: { kind: FileKind; name: string }, content: string | Buffer) {
  const file = await files.resume(kind, name);
  await file.append(Buffer.from(content));
  await file.commit();
}

async function listen(app: App): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server listens on no port.');
  return address.port;
}

async function ask(port: number): Promise<IncomingMessage> {
  const request = httpRequest({ port, path: VIDEO, headers: SIGNED_IN, agent: false }).end();
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

async function drain(response: IncomingMessage): Promise<number> {
  let received = 0;
  for await (const chunk of response) received += (chunk as Buffer).length;
  return received;
}
