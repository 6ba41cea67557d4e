import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DOWNLOADERS, type DownloaderSettings, digest, never, setUpDownloader } from '#support/downloads.ts';

describe.each(Object.entries(DOWNLOADERS))('downloader: %s', (_, adapter) => {
  const setUp = (settings?: DownloaderSettings) => setUpDownloader(adapter, '', settings);

  describe('an unusual server', () => {
    const body = '\0\0\0\x18ftypmp42 The whole content';
    /** Responds to each request with the next listener, and repeats the last one. */
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

    test('a redirect into a private network is rejected', async () => {
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
    ])('%s is rejected as a video', async (_, headers, reason) => {
      const { download } = await setUp();
      const { url } = await serve((_, response) => response.writeHead(200, headers).end(body));
      expect(await download(url)).toEqual({
        status: 'failed',
        reason: expect.stringContaining(reason),
        isRetryable: false,
      });
    });

    test('an empty file is rejected', async () => {
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
    ])('a partial response with %s is discarded and the download starts over', async (_, response) => {
      const { download, stored } = await setUp();
      const { url, count } = await serve(breaks({ etag: '"1"' }), response, good);
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
