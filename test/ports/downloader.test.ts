import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { type DownloaderOptions, httpDownloader } from '#server/adapters/http-download/http-downloader.ts';
import type { Downloader } from '#server/ports/downloader.ts';
import type { FileStore, StoredFile } from '#server/ports/file-store.ts';

type Settings = Omit<DownloaderOptions, 'files'>;

const RETRY = { tries: 4, firstDelayMs: 1, maxDelayMs: 5 };
const ADAPTERS: Record<string, (files: FileStore, settings?: Settings) => Downloader> = {
  http: (files, settings) =>
    httpDownloader({ files, retry: RETRY, idleMs: 1_000, allowPrivateHosts: ['127.0.0.1'], ...settings }),
};

/** Larger than the buffers of a connection and a stream, so that faults hit in the middle. */
const BYTES = 3_000_000;
const PATH = `/media/generated/${BYTES}/iv_1.mp4`;
const never = new AbortController().signal;

let sandbox: Sandbox;
let whole: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  whole = digest(new Uint8Array(await (await fetch(sandbox.url + PATH)).arrayBuffer()));
  sandbox.control.reset();
});
afterEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

describe.each(Object.entries(ADAPTERS))('downloader: %s', (_, adapter) => {
  const setUp = async (settings?: Settings) => {
    const folder = await mkdtemp(join(tmpdir(), 'downloader-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const files = await localFileStore(folder);
    const downloader = adapter(files, settings);
    const download = (url = sandbox.url + PATH, signal = never) =>
      downloader.download({ url, kind: 'video', name: 'a' }, signal);
    return { files, download, stored: () => digestOf(files, 'a.mp4') };
  };
  /** The requested ranges in order; null for a request for the whole file. */
  const ranges = () => sandbox.requests.list('/media/').map(({ range }) => range);
  const served = () => sandbox.requests.list('/media/').reduce((sum, { bytes }) => sum + bytes, 0);

  test('a file is stored completely, with one request', async () => {
    const { download, stored } = await setUp();
    expect(await download()).toEqual({ status: 'stored', bytes: BYTES, name: 'a.mp4' });
    expect(await stored()).toBe(whole);
    expect(ranges()).toEqual([null]);
  });

  test('an existing file is not downloaded again', async () => {
    const { download } = await setUp();
    await download();
    expect(await download()).toEqual({ status: 'stored', bytes: BYTES, name: 'a.mp4' });
    expect(ranges()).toEqual([null]);
  });

  test.each<[string, FaultInput]>([
    ['broken', { kind: 'broken', afterBytes: 1_500_000, times: 1 }],
    ['ended early', { kind: 'truncated', afterBytes: 1_500_000, times: 1 }],
    ['stalled', { kind: 'stall', afterBytes: 1_500_000, times: 1 }],
  ])('a connection that is %s resumes with a range request', async (_, fault) => {
    sandbox.control.fail(fault);
    const { download, stored } = await setUp({ idleMs: 200 });
    expect(await download()).toEqual({ status: 'stored', bytes: BYTES, name: 'a.mp4' });
    expect(await stored()).toBe(whole);
    expect(ranges()).toEqual([null, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
    expect(served()).toBeLessThan(BYTES + 1_500_000);
  });

  test('a connection may break more often than the retry limit as long as each try transfers something', async () => {
    sandbox.control.fail({ kind: 'broken', afterBytes: 500_000, times: 7 });
    const { download, stored } = await setUp();
    expect(await download()).toEqual({ status: 'stored', bytes: BYTES, name: 'a.mp4' });
    expect(await stored()).toBe(whole);
    expect(ranges().length).toBeGreaterThan(RETRY.tries);
  });

  test.each<[string, FaultInput[]]>([
    ['does not support ranges', [{ kind: 'no-range' }]],
    ['has different content afterwards', [{ kind: 'changing-etag' }]],
    ['sends no length', [{ kind: 'no-content-length' }]],
    ['identifies the content only by its date', [{ kind: 'no-etag' }]],
    ['sends only the content', [{ kind: 'no-etag' }, { kind: 'no-range' }, { kind: 'no-content-length' }]],
  ])('after a broken connection the file is complete although the server %s', async (_, faults) => {
    for (const fault of faults) sandbox.control.fail(fault);
    sandbox.control.fail({ kind: 'broken', afterBytes: 1_500_000, times: 1 });
    const { download, stored } = await setUp();
    expect(await download()).toEqual({ status: 'stored', bytes: BYTES, name: 'a.mp4' });
    expect(await stored()).toBe(whole);
  });

  test('a chunked response without a length is complete at its end', async () => {
    sandbox.control.fail({ kind: 'no-content-length' });
    const { download, stored } = await setUp();
    expect(await download()).toEqual({ status: 'stored', bytes: BYTES, name: 'a.mp4' });
    expect(await stored()).toBe(whole);
  });

  test.each<[does: string, FaultInput, reason: string]>([
    ['always breaks the connection', { kind: 'broken', afterBytes: 0 }, 'failed or was too slow'],
    ['always ends early', { kind: 'truncated', afterBytes: 0 }, 'failed or was too slow'],
    ['sends nothing', { kind: 'stall', afterBytes: 0 }, 'failed or was too slow'],
    ['never answers', { kind: 'hang', on: 'media' }, 'failed or was too slow'],
    ['answers 503', { kind: 'status', status: 503, on: 'media' }, 'returned an error (503)'],
    ['answers 429', { kind: 'status', status: 429, on: 'media' }, 'rate-limiting'],
  ])('a server that %s leads to a failure with a reason and no file', async (_, fault, reason) => {
    const set = sandbox.control.fail(fault);
    const { download, files } = await setUp({ idleMs: 100 });
    expect(await download()).toEqual({ status: 'failed', reason: expect.stringContaining(reason), isRetryable: true });
    expect(set.hits()).toBe(RETRY.tries);
    expect(await files.stat('video', 'a.mp4')).toBeNull();
  });

  test.each<[string, FaultInput]>([
    ['503', { kind: 'status', status: 503, on: 'media', times: 3 }],
    ['429 with Retry-After', { kind: 'status', status: 429, retryAfterSeconds: 0, on: 'media', times: 1 }],
    ['408', { kind: 'status', status: 408, on: 'media', times: 1 }],
    ['a reset before the answer', { kind: 'reset', when: 'before-headers', on: 'media', times: 3 }],
    ['latency', { kind: 'latency', ms: 20, on: 'media' }],
  ])('%s passes', async (_, fault) => {
    sandbox.control.fail(fault);
    const { download, stored } = await setUp();
    expect(await download()).toEqual({ status: 'stored', bytes: BYTES, name: 'a.mp4' });
    expect(await stored()).toBe(whole);
  });

  test('a slow connection is not treated as broken', async () => {
    sandbox.control.fail({ kind: 'slow', bytesPerSecond: 200_000 });
    const { download } = await setUp({ idleMs: 500 });
    expect(await download(`${sandbox.url}/media/generated/20000/iv_1.mp4`)).toEqual({
      status: 'stored',
      bytes: 20_000,
      name: 'a.mp4',
    });
  });

  describe('a minimum pace', () => {
    const pace = { bytesPerSecond: 100_000, periodMs: 30, maxSlow: 1 };
    const SMALL = '/media/generated/200000/iv_1.mp4';
    const TOO_SLOW = { status: 'failed', reason: 'The file server sends this file too slowly.', isRetryable: true };

    test('ends a download that drips, although every connection sends something', async () => {
      sandbox.control.fail({ kind: 'slow', bytesPerSecond: 2_000 });
      const { download, files } = await setUp({ pace });
      expect(await download(sandbox.url + SMALL)).toEqual(TOO_SLOW);
      expect(await files.stat('video', 'a.mp4')).toBeNull();
    });

    test('ends one that breaks the connection again and again', async () => {
      sandbox.control.fail({ kind: 'broken', afterBytes: 100 });
      const { download } = await setUp({ pace, retry: { tries: 4, firstDelayMs: 0, maxDelayMs: 0 } });
      expect(await download(sandbox.url + SMALL)).toEqual(TOO_SLOW);
    });

    test('leaves room for faster files when several are slow', async () => {
      sandbox.control.fail({ kind: 'slow', bytesPerSecond: 2_000, path: '*slow*' });
      const { files } = await setUp();
      // The last slow download would end after six periods.
      const downloader = adapter(files, { pace: { ...pace, periodMs: 500 } });
      const stop = new AbortController();
      const ended: string[] = [];
      const slow = ['slow1', 'slow2', 'slow3'].map((name) =>
        downloader
          .download({ url: `${sandbox.url}${SMALL}?${name}`.replace('iv_1', name), kind: 'video', name }, stop.signal)
          .then(({ status }) => ended.push(status))
          .catch(() => {}),
      );
      await expect.poll(() => ended, { timeout: 10_000 }).toEqual(['failed', 'failed']);
      const fast = { url: sandbox.url + PATH, kind: 'video' as const, name: 'fast' };
      expect(await downloader.download(fast, never)).toMatchObject({ status: 'stored' });
      stop.abort();
      await Promise.all(slow);
    });
  });

  test.each([404, 400, 401, 451])('status %i fails without a retry', async (status) => {
    sandbox.control.fail({ kind: 'status', status, on: 'media' });
    const { download } = await setUp();
    expect((await download()).status).toBe('failed');
    expect(ranges()).toHaveLength(1);
  });

  test.each([403, 410] as const)('status %i means that the address has expired', async (status) => {
    sandbox.control.fail({ kind: 'signed-urls', status });
    const { download, files } = await setUp();
    expect(await download(`${sandbox.url}${PATH}?sig=old`)).toEqual({ status: 'expired' });
    expect(ranges()).toHaveLength(1);
    expect(await files.stat('video', 'a.mp4')).toBeNull();
  });

  test('a download whose address expires resumes at the new address', async () => {
    const { download, stored } = await setUp();
    sandbox.control.fail({ kind: 'broken', afterBytes: 1_500_000, times: 1 });
    sandbox.control.fail({ kind: 'status', status: 403, on: 'media', skip: 1, times: 1 });
    expect(await download()).toEqual({ status: 'expired' });
    expect(await download(`${sandbox.url}${PATH}?fresh=1`)).toEqual({ status: 'stored', bytes: BYTES, name: 'a.mp4' });
    expect(await stored()).toBe(whole);
    expect(ranges()[2]).toMatch(/^bytes=[1-9]/);
  });

  test('a partial file of an earlier process is downloaded from the start', async () => {
    const { download, files, stored } = await setUp();
    const partial = await files.resume('video', 'a');
    await partial.append(Buffer.from('something else'));
    await partial.close();
    expect(await download()).toEqual({ status: 'stored', bytes: BYTES, name: 'a.mp4' });
    expect(await stored()).toBe(whole);
    expect(ranges()).toEqual([null]);
  });

  test('an aborted download leaves no file under its name', async () => {
    sandbox.control.fail({ kind: 'stall', afterBytes: 100_000 });
    const { download, files } = await setUp();
    const stop = new AbortController();
    const under = download(undefined, stop.signal);
    await expect.poll(served).toBe(100_000);
    stop.abort();
    await expect(under).rejects.toMatchObject({ name: 'AbortError' });
    expect(await files.stat('video', 'a.mp4')).toBeNull();
    await expect(download(undefined, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('a file that is too large is refused, whether its length is known or not', async () => {
    const { download } = await setUp({ maxVideoBytes: BYTES - 1 });
    const refused = { status: 'failed', reason: expect.stringContaining('larger than'), isRetryable: false };
    expect(await download()).toEqual(refused);
    sandbox.control.fail({ kind: 'no-content-length' });
    expect(await download()).toEqual(refused);
  });

  test('`onReceived` is called once per stored file, and not for existing or infected files', async () => {
    const { files } = await setUp();
    let calls = 0;
    const request = { url: sandbox.url + PATH, kind: 'video' as const, name: 'a', onReceived: () => void calls++ };
    const scanner = { check: async () => {}, scan: async () => ({ status: 'infected' as const, virus: 'Eicar' }) };
    expect(await adapter(files, { scanner }).download(request, never)).toMatchObject({ status: 'infected' });
    expect(calls).toBe(0);
    sandbox.control.fail({ kind: 'broken', afterBytes: 1_500_000, times: 1 });
    expect(await adapter(files).download(request, never)).toMatchObject({ status: 'stored' });
    expect(calls).toBe(1);
    expect(await adapter(files).download(request, never)).toMatchObject({ status: 'stored' });
    expect(calls).toBe(1);
  });

  test('twenty concurrent downloads are all complete', async () => {
    const { files } = await setUp();
    const downloader = adapter(files);
    const names = Array.from({ length: 20 }, (_, index) => String(index));
    const url = sandbox.url + PATH;
    await Promise.all(names.map((name) => downloader.download({ url, kind: 'video', name }, never)));
    for (const name of names) expect(await digestOf(files, `${name}.mp4`)).toBe(whole);
  });

  describe('an address in a private network', () => {
    const REFUSED = { status: 'failed', reason: expect.stringContaining('ALLOW_PRIVATE_HOSTS'), isRetryable: false };
    const port = () => new URL(sandbox.url).port;

    test.each([
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '0.0.0.0',
      '10.0.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '[fe80::1]',
      '[fd00::1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
    ])('%s is refused without a request', async (host) => {
      const { download } = await setUp({ allowPrivateHosts: [] });
      expect(await download(`http://${host}:${port()}${PATH}`)).toEqual(REFUSED);
      expect(ranges()).toEqual([]);
    });

    test.each([['127.0.0.1'], ['127.0.0.0/8'], ['::1', '127.0.0.1']])(
      'is requested when %s is allowed',
      async (...hosts) => {
        const { download } = await setUp({ allowPrivateHosts: hosts });
        expect(await download()).toMatchObject({ status: 'stored' });
      },
    );

    test('is requested only under an allowed host name', async () => {
      const { download } = await setUp({ allowPrivateHosts: ['LocalHost'] });
      expect(await download()).toEqual(REFUSED);
      expect(await download(`http://localhost:${port()}${PATH}`)).toMatchObject({ status: 'stored' });
    });
  });

  describe('a list of allowed hosts', () => {
    const REFUSED = { status: 'failed', reason: expect.stringContaining('ALLOW_FILE_HOSTS'), isRetryable: false };
    const at = (host: string) => `http://${host}:${new URL(sandbox.url).port}${PATH}`;

    test.each([['files.example.com'], ['localhost'], ['localhost:1'], ['*.localhost']])(
      'refuses hosts and ports that are not listed (%s) without a request',
      async (host) => {
        const { download } = await setUp({ allowPrivateHosts: [], allowFileHosts: [host] });
        expect(await download(at('localhost'))).toEqual(REFUSED);
        expect(await download(at('[::1]'))).toEqual(REFUSED);
        expect(ranges()).toEqual([]);
      },
    );

    test('does not allow a private address', async () => {
      const { port } = new URL(sandbox.url);
      const { download } = await setUp({ allowPrivateHosts: [], allowFileHosts: [`localhost:${port}`] });
      expect(await download(at('localhost'))).toMatchObject({
        reason: expect.stringContaining('ALLOW_PRIVATE_HOSTS'),
      });
    });

    test('applies to redirects, and not to private hosts that are allowed', async () => {
      const { download } = await setUp({ allowPrivateHosts: ['127.0.0.1'], allowFileHosts: ['files.example.com'] });
      expect(await download()).toMatchObject({ status: 'stored' });
      const target = createServer((_, response) => void response.writeHead(302, { location: at('localhost') }).end());
      target.listen(0, '127.0.0.1');
      await once(target, 'listening');
      onTestFinished(() => void target.close());
      const other = await setUp({ allowPrivateHosts: ['127.0.0.1'], allowFileHosts: ['files.example.com'] });
      expect(await other.download(`http://127.0.0.1:${(target.address() as AddressInfo).port}/`)).toEqual(REFUSED);
    });
  });

  test('an address is admitted without a look-up of its name unless that would be refused anyway', async () => {
    const { files } = await setUp();
    const open = adapter(files, { allowPrivateHosts: ['10.1.0.0/16', 'nas.local'] });
    const listed = adapter(files, { allowFileHosts: ['*.example.com', 'a.example:8443'] });
    const admitted = (downloader: Downloader, urls: string[]) => urls.filter((url) => downloader.admits(url));
    const publicUrls = ['https://cdn.example.com/a', 'http://8.8.8.8:81/', 'http://[2606:4700::1]/'];
    const privateUrls = [
      'http://10.2.0.1/',
      'http://192.168.1.1/',
      'http://2130706433/',
      'http://[::1]/',
      'http://localhost./',
      'http://printer.local/',
      'http://db.internal/',
      'ftp://cdn.example.com/',
      'nonsense',
    ];
    expect(admitted(open, [...publicUrls, ...privateUrls])).toEqual(publicUrls);
    expect(admitted(open, ['http://10.1.2.3/', 'http://NAS.local/'])).toHaveLength(2);
    const urls = ['https://cdn.example.com/', 'https://example.com/', 'https://a.example:8443/', 'https://a.example/'];
    expect(admitted(listed, urls)).toEqual(['https://cdn.example.com/', 'https://a.example:8443/']);
    expect(admitted(listed, ['https://cdn.example.com:444/', 'https://notexample.com/'])).toEqual([]);
  });

  test('a failure of the file store is reported with its reason', async () => {
    const { files } = await setUp();
    const partial = await files.resume('video', 'a');
    onTestFinished(() => partial.close());
    const outcome = await adapter(files).download({ url: sandbox.url + PATH, kind: 'video', name: 'a' }, never);
    expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('already being written') });
  });

  describe('an unusual server', () => {
    const body = '\0\0\0\x18ftypmp42 The whole content';
    /** Answers each request with the next listener, and repeats the last one. */
    const serve = async (...listeners: RequestListener[]) => {
      let count = 0;
      const server = createServer((request, response) => {
        const listener = listeners[Math.min(count, listeners.length - 1)];
        count += 1;
        listener?.(request, response);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => {
        server.close();
        server.closeAllConnections();
      });
      return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.mp4`, count: () => count };
    };
    const good: RequestListener = (_, response) => response.end(body);
    const redirect =
      (location: string): RequestListener =>
      (_, response) =>
        response.writeHead(302, { location }).end();
    /** Announces the whole file, sends ten bytes and breaks the connection. */
    const breaks =
      (headers: Record<string, string>): RequestListener =>
      (_, response) => {
        response.writeHead(200, { 'content-length': body.length, ...headers });
        response.write(body.slice(0, 10));
        // A reset discards data in transit, so wait for the first bytes to arrive.
        setTimeout(() => response.destroy(), 20);
      };

    test('up to five redirects are followed', async () => {
      const hops = [1, 2, 3, 4, 5].map((hop) => redirect(`/hop/${hop}`));
      const { download, stored } = await setUp();
      expect(await download((await serve(...hops, good)).url)).toMatchObject({ status: 'stored' });
      expect(await stored()).toBe(digest(Buffer.from(body)));
    });

    test('a redirect into a private network is refused', async () => {
      const inside = await serve(good);
      const outside = await serve(redirect(inside.url.replace('127.0.0.1', '127.0.0.2')));
      const { download } = await setUp();
      expect(await download(outside.url)).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining('ALLOW_PRIVATE_HOSTS'),
      });
      expect(inside.count()).toBe(0);
    });

    test.each([
      ['a page', '<!doctype html><script>alert(1)</script>'],
      ['a picture', '\xff\xd8\xff\xe0 no video'],
      ['a text shorter than any video', 'x'],
    ])('%s instead of a video is not stored, whatever its content type', async (_, content) => {
      const server = await serve((_, response) =>
        response.writeHead(200, { 'content-type': 'video/mp4' }).end(content, 'latin1'),
      );
      const { download, files } = await setUp();
      expect(await download(server.url)).toEqual({
        status: 'failed',
        reason: "The file isn't a supported video.",
        isRetryable: false,
      });
      expect(await files.stat('video', 'a.mp4')).toBeNull();
    });

    test.each([
      ['\x1a\x45\xdf\xa3 webm at an mp4 address', 'a.webm'],
      ['\0\0\0\x14ftypqt   quicktime', 'a.mov'],
    ])('a file is named by its content, not by its address (%j)', async (content, name) => {
      const server = await serve((_, response) => void response.end(content, 'latin1'));
      const { download, files } = await setUp();
      expect(await download(server.url)).toMatchObject({ status: 'stored', name });
      expect(await files.stat('video', name)).not.toBeNull();
      expect(await download(server.url)).toMatchObject({ status: 'stored', name });
      expect(server.count()).toBe(1);
    });

    test.each([
      ['\xff\xd8\xff\xe0 a picture', 'jpg'],
      ['<svg onload=alert(1)>', null],
      ['\0\0\0\x18ftypmp42 a video', null],
    ])('an image is loaded without being stored only if it is one (%j)', async (content, extension) => {
      const server = await serve((_, response) => void response.end(content, 'latin1'));
      const { files } = await setUp();
      const image = await adapter(files).loadImage(server.url, never);
      expect(image?.extension ?? null).toBe(extension);
      if (image) expect(Buffer.from(image.bytes).toString('latin1')).toBe(content);
    });

    test('an image of a private network, a large one, or an unscanned one is not loaded', async () => {
      const server = await serve(
        (_, response) => void response.end(Buffer.alloc(6 * 2 ** 20, '\xff\xd8\xff', 'latin1')),
      );
      const small = await serve((_, response) => void response.end('\xff\xd8\xff\xe0', 'latin1'));
      const { files } = await setUp();
      expect(await adapter(files).loadImage(server.url, never)).toBeNull();
      expect(await adapter(files, { allowPrivateHosts: [] }).loadImage(small.url, never)).toBeNull();
      const scanner = { check: async () => {}, scan: async () => ({ status: 'clean' as const }) };
      expect(await adapter(files, { scanner }).loadImage(small.url, never)).toBeNull();
      expect(small.count()).toBe(0);
    });

    test('endless redirects and redirects to other protocols fail', async () => {
      const { download } = await setUp();
      const circle = await serve(redirect('/again'));
      expect(await download(circle.url)).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining('redirects'),
      });
      expect(circle.count()).toBe(6);
      for (const location of ['file:///etc/passwd', 'ftp://x/a.mp4', 'http://']) {
        const { url } = await serve(redirect(location));
        expect(await download(url)).toMatchObject({
          status: 'failed',
          reason: expect.stringContaining('http and https'),
        });
      }
    });

    test.each(['file:///etc/passwd', 'data:,x', 'nonsense', ''])(
      'the address %j fails without a request',
      async (url) => {
        const { download } = await setUp();
        expect(await download(url)).toMatchObject({
          status: 'failed',
          reason: expect.stringContaining('http and https'),
        });
      },
    );

    test.each<[string, Record<string, string>, string]>([
      ['a web page', { 'content-type': 'text/html; charset=utf-8' }, 'web page'],
      ['a compressed file', { 'content-encoding': 'gzip' }, 'compressed'],
    ])('%s is refused as a video', async (_, headers, reason) => {
      const { download } = await setUp();
      const { url } = await serve((_, response) => response.writeHead(200, headers).end(body));
      expect(await download(url)).toEqual({
        status: 'failed',
        reason: expect.stringContaining(reason),
        isRetryable: false,
      });
    });

    test('an empty file is refused', async () => {
      const { download, files } = await setUp();
      const { url } = await serve((_, response) => response.end());
      expect(await download(url)).toMatchObject({ status: 'failed', reason: expect.stringContaining('empty') });
      expect(await files.stat('video', 'a.mp4')).toBeNull();
    });

    const part =
      (contentRange: string, text: string): RequestListener =>
      (_, response) =>
        response
          .writeHead(206, { etag: '"1"', 'content-range': contentRange, 'content-length': text.length })
          .end(text);

    test.each<[string, RequestListener]>([
      ['another position', part('bytes 5-29/30', body.slice(5))],
      ['a file of another length', part('bytes 10-39/40', `${body.slice(10)}0123456789`)],
      ['no valid position', part('nonsense', body.slice(10))],
      ['a file that is shorter now', (_, response) => response.writeHead(416).end()],
    ])('a partial response with %s is discarded and the download starts over', async (_, answer) => {
      const { download, stored } = await setUp();
      const { url, count } = await serve(breaks({ etag: '"1"' }), answer, good);
      expect(await download(url)).toMatchObject({ status: 'stored' });
      expect(await stored()).toBe(digest(Buffer.from(body)));
      expect(count()).toBe(3);
    });

    test('a partial response that is shorter than requested is kept, and the download resumes after it', async () => {
      const { download, stored } = await setUp();
      const { url } = await serve(
        breaks({ etag: '"1"' }),
        part('bytes 10-19/30', body.slice(10, 20)),
        part('bytes 20-29/30', body.slice(20)),
      );
      expect(await download(url)).toEqual({ status: 'stored', bytes: body.length, name: 'a.mp4' });
      expect(await stored()).toBe(digest(Buffer.from(body)));
    });

    test.each([{ etag: 'W/"1"' }, {}])(
      'a download with only a weak ETag (%j) starts over after a broken connection',
      async (headers) => {
        const { download, stored } = await setUp();
        const received: (string | undefined)[] = [];
        const { url } = await serve(breaks(headers as Record<string, string>), (request, response) => {
          received.push(request.headers.range);
          response.end(body);
        });
        expect(await download(url)).toMatchObject({ status: 'stored' });
        expect(await stored()).toBe(digest(Buffer.from(body)));
        expect(received).toEqual([undefined]);
      },
    );
  });
});

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function digestOf(files: FileStore, name: string): Promise<string | null> {
  const opened = await files.open('video', name);
  if (!opened) return null;
  const bytes = new Uint8Array((opened.file as StoredFile).size);
  for (let at = 0; at < bytes.length; ) at += await opened.read(bytes.subarray(at), at);
  await opened.close();
  return digest(bytes);
}
