import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isTinyproxyInstalled } from '#support/find-tinyproxy.ts';
import { freePorts } from '#support/free-ports.ts';
import { startTinyproxy } from '#support/tinyproxy.ts';
import { type S3StoreOptions, s3FileStore } from './s3-file-store.ts';

const MB = 2 ** 20;
const CONTENT = Buffer.from('0123456789');

interface RecordedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  trailers: NodeJS.Dict<string>;
}

/** Responds as an S3 service would to a store whose files all have the same content. */
function respond({ method, url = '', headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('etag', '"tag"');
  if (method === 'DELETE') response.writeHead(204);
  if (method === 'HEAD') response.setHeader('content-length', CONTENT.length);
  if (method === 'GET') response.writeHead(206);
  response.end(bodyOf(method, url, headers.range));
}

function bodyOf(method = '', url: string, range = ''): string | Buffer {
  const [start, end = 0] = (range.match(/\d+/g) ?? []).map(Number);
  if (method === 'GET') return CONTENT.subarray(start, end + 1);
  if (method !== 'POST') return '';
  return url.includes('?uploads')
    ? '<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>'
    : '<CompleteMultipartUploadResult><ETag>tag</ETag></CompleteMultipartUploadResult>';
}

/** A store, and the requests that it has sent. */
async function recordedStore({ proxy, endpoint }: Partial<Pick<S3StoreOptions, 'proxy' | 'endpoint'>> = {}) {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers, trailers } = request;
    request.resume().once('end', () => {
      requests.push({ method, url, headers, trailers });
      respond(request, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const spoolFolder = await mkdtemp(join(tmpdir(), 'spool-'));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await rm(spoolFolder, { recursive: true });
  });
  const store = s3FileStore({
    proxy,
    endpoint: endpoint ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    bucket: 'bucket',
    prefix: 'product/',
    forcePathStyle: true,
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    spoolFolder,
  });
  const sent = (method: string) => requests.filter((request) => request.method === method);
  return { store, requests, sent };
}

test('files are deleted with a request for each, because services differ in deleting lists of objects', async () => {
  const { store, requests } = await recordedStore();
  await store.remove('video', ['a.mp4', 'b.mp4', 'c.mp4']);
  expect(requests.map(({ method, url }) => `${method} ${url.replace(/\?x-id=.*/, '')}`).sort()).toEqual(
    ['a', 'b', 'c'].map((name) => `DELETE /bucket/product/videos/${name}.mp4`),
  );
});

test.each([
  ['in one request', 1, 1],
  ['in parts', 17, 2],
])(
  'a file that is uploaded %s has no checksum in headers or trailers, which services refuse',
  async (_, size, count) => {
    const { store, requests, sent } = await recordedStore();
    const partial = await store.resume('video', 'a.mp4');
    await partial.append(Buffer.alloc(size * MB));
    await partial.commit();
    expect(sent('PUT')).toHaveLength(count);
    for (const { headers, trailers } of requests) {
      expect(Object.keys(headers).filter((name) => /checksum|trailer|content-md5/.test(name))).toEqual([]);
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers['x-amz-content-sha256']).not.toMatch(/^STREAMING/);
      expect(trailers).toEqual({});
    }
  },
);

test('the ranges of a file are read from one signed address, also by requests that open it again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { store, sent } = await recordedStore();
  for (const start of [0, 3, 6]) {
    const file = await store.open('video', 'a.mp4');
    const buffer = Buffer.alloc(3);
    await file?.read(buffer, start, start + 3);
    await file?.close();
    expect(buffer.toString()).toBe(CONTENT.toString('latin1', start, start + 3));
    // A new signature would contain another time.
    vi.setSystemTime(Date.now() + 60_000);
  }
  expect(sent('GET').map(({ headers }) => headers.range)).toEqual(['bytes=0-2', 'bytes=3-5', 'bytes=6-8']);
  const [url, ...others] = new Set(sent('GET').map(({ url }) => url));
  expect(url).toMatch(/^\/bucket\/product\/videos\/a\.mp4\?.*X-Amz-Signature=/);
  expect(others).toEqual([]);
});

test('browsers get the same signed address within two and a half minutes, so that caches recognize it', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T10:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const { store } = await recordedStore();
  const sign = () => store.signedUrl('video', 'a.mp4', { contentType: 'video/mp4', contentDisposition: 'inline' });
  const first = await sign();
  vi.setSystemTime(new Date('2026-11-23T10:02:29Z'));
  expect(await sign()).toBe(first);
  vi.setSystemTime(new Date('2026-11-23T10:02:30Z'));
  expect(await sign()).not.toBe(first);
});

test.runIf(isTinyproxyInstalled())('a bucket is written and read through the outgoing proxy', async () => {
  const tinyproxy = await startTinyproxy(['BasicAuth ann s3cret', 'AddHeader "x-proxied" "yes"']);
  const proxy = { url: tinyproxy.url.replace('//', '//ann:s3cret@'), except: [] };
  const { store, requests } = await recordedStore({ proxy });
  await store.remove('video', ['a.mp4']);
  const opened = await store.open('video', 'a.mp4');
  await opened?.read(new Uint8Array(4), 0);
  await opened?.close();
  expect(requests.map(({ method }) => method)).toEqual(['DELETE', 'HEAD', 'GET']);
  expect(await tinyproxy.tunnels()).toHaveLength(1);
  expect(requests.filter(({ headers }) => headers['x-proxied'] === 'yes')).toHaveLength(2);

  const excepted = await recordedStore({ proxy: { url: tinyproxy.url, except: ['127.0.0.1'] } });
  await excepted.store.remove('video', ['a.mp4']);
  expect(excepted.requests.map(({ headers }) => headers['x-proxied'])).toEqual([undefined]);
});

test.runIf(isTinyproxyInstalled())('an outgoing proxy that rejects the bucket is reported', async () => {
  const { url } = await startTinyproxy(['BasicAuth ann s3cret']);
  const [dead = 0] = await freePorts(1);
  const https = 'https://127.0.0.1:1';
  const problems = [
    [{ url }, undefined, 'rejected our username and password (407)'],
    [{ url }, https, 'rejected our username and password (407)'],
    [{ url: url.replace('//', '//ann:s3cret@') }, https, "can't reach it (500)"],
    [{ url: `http://127.0.0.1:${dead}` }, https, "doesn't answer (ECONNREFUSED)"],
  ] as const;
  for (const [proxy, endpoint, problem] of problems) {
    const { store } = await recordedStore({ proxy: { ...proxy, except: [] }, ...(endpoint && { endpoint }) });
    await expect(store.probe()).rejects.toThrow(`can't be reached: the outgoing proxy ${problem}`);
  }
});
