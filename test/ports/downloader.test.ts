import { describe, expect, onTestFinished, test } from 'vitest';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import {
  BYTES,
  DOWNLOADERS,
  type DownloaderSettings,
  digest,
  digestOf,
  never,
  PATH,
  RETRY,
  setUpDownloader,
} from '#support/downloads.ts';
import { sandboxOfFile } from '#support/start-sandbox.ts';

const sandbox = await sandboxOfFile();
const whole = digest(new Uint8Array(await (await fetch(sandbox.url + PATH)).arrayBuffer()));
sandbox.control.reset();

/**
 * Unusual responses are in downloader-responses.test.ts, rejected URLs in downloader-hosts.test.ts.
 */
describe.each(Object.entries(DOWNLOADERS))('downloader: %s', (_, adapter) => {
  const setUp = (settings?: DownloaderSettings) => setUpDownloader(adapter, sandbox.url + PATH, settings);
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
    const { download, stored } = await setUp({ idleMs: 600 });
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
    ['never responds', { kind: 'hang', on: 'media' }, 'failed or was too slow'],
    ['returns 503', { kind: 'status', status: 503, on: 'media' }, 'returned an error (503)'],
    ['returns 429', { kind: 'status', status: 429, on: 'media' }, 'rate-limiting'],
  ])('a server that %s causes a failure with a reason and no file', async (_, fault, reason) => {
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
    ['a reset before the response', { kind: 'reset', when: 'before-headers', on: 'media', times: 3 }],
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

    test('a minimum pace ends a download that drips, although every connection sends something', async () => {
      sandbox.control.fail({ kind: 'slow', bytesPerSecond: 2_000 });
      const { download, files } = await setUp({ pace });
      expect(await download(sandbox.url + SMALL)).toEqual(TOO_SLOW);
      expect(await files.stat('video', 'a.mp4')).toBeNull();
    });

    test('a minimum pace ends a download that breaks the connection again and again', async () => {
      sandbox.control.fail({ kind: 'broken', afterBytes: 100 });
      const { download } = await setUp({ pace, retry: { tries: 4, firstDelayMs: 0, maxDelayMs: 0 } });
      expect(await download(sandbox.url + SMALL)).toEqual(TOO_SLOW);
    });

    test('a minimum pace leaves room for faster files when several are slow', async () => {
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

  test('a file that is too large is rejected, whether its length is known or not', async () => {
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

  test('a failure of the file store is reported with its reason', async () => {
    const { files } = await setUp();
    const partial = await files.resume('video', 'a');
    onTestFinished(() => partial.close());
    const outcome = await adapter(files).download({ url: sandbox.url + PATH, kind: 'video', name: 'a' }, never);
    expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('already being written') });
  });
});
