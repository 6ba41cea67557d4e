import { createHash } from 'node:crypto';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { type YoutubeOptions, youtubeVideoHost } from '#server/adapters/video-host-youtube/youtube-video-host.ts';
import { type FileStore, FileStoreError } from '#server/ports/file-store.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import type { UploadSession, VideoHost, VideoToPublish } from '#server/ports/video-host.ts';

const CHUNK = 256 * 1024;
/** Three whole chunks and a bit. */
const BYTES = 3 * CHUNK + 1_234;
const RETRY = { tries: 4, firstDelayMs: 1, longestDelayMs: 5 };
const never = new AbortController().signal;

type Settings = Partial<YoutubeOptions>;

/** Each adapter over the same sandbox, with waits and time limits that a test can afford. */
const ADAPTERS: Record<string, (sandbox: Sandbox, files: FileStore, settings?: Settings) => VideoHost> = {
  youtube: ({ google: { url: apiUrl, ...permission } }, files, settings) =>
    youtubeVideoHost({
      apiUrl,
      ...permission,
      files,
      privacy: 'unlisted',
      retry: RETRY,
      chunkBytes: CHUNK,
      timeoutMs: 1_000,
      ...settings,
    }),
};

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

describe.each(Object.entries(ADAPTERS))('video host: %s', (_, adapter) => {
  const setUp = async ({ bytes = BYTES, settings }: { bytes?: number; settings?: Settings } = {}) => {
    const folder = await mkdtemp(join(tmpdir(), 'video-host-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const files = localFileStore(folder);
    const content = bytesOf(bytes);
    await store(files, 'a.mp4', content);
    return { files, folder, host: adapter(sandbox, files, settings), sha256: digest(content) };
  };
  /** A caller that keeps what it is told, as the database does. */
  const context = (session: UploadSession | null = null, signal = never) => {
    const told: { sessions: (UploadSession | null)[]; reports: [number, number][] } = { sessions: [], reports: [] };
    return {
      told,
      session,
      signal,
      remember: async (next: UploadSession | null) => void told.sessions.push(next),
      report: (sent: number, total: number) => void told.reports.push([sent, total]),
    };
  };
  const video = (fields: Partial<VideoToPublish> = {}): VideoToPublish => ({
    name: 'a.mp4',
    title: 'Nurse – Ana',
    description: 'Nights',
    ...fields,
  });
  const fail = (fault: FaultInput) => sandbox.control.fail(fault);
  const published = () => sandbox.control.published();
  const calls = (path: string) => sandbox.requests.list(path).length;
  const tokenCalls = () => calls('/google/token');
  /** What the host kept of each call, in order: every byte once. */
  const keptOnce = () => {
    let next = 0;
    for (const { start, keptUntil } of published()[0]?.ranges ?? []) {
      expect(start).toBe(next);
      next = keptUntil;
    }
    return next;
  };
  const refusal = async (work: Promise<unknown>): Promise<UpstreamError> => {
    const error = await work.then(
      () => null,
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(UpstreamError);
    return error as UpstreamError;
  };
  /** An upload of which the host has the first chunk and a half when its process ends; answers what was remembered. */
  const interrupted = async (host: VideoHost) => {
    const first = context();
    fail({ kind: 'upload-breaks', afterBytes: CHUNK / 2, skip: 1, times: 1, how: 'reset' });
    fail({ kind: 'upload-breaks', afterBytes: 0, skip: 1, how: 'reset' });
    await expect(host.upload(video(), first)).rejects.toThrow();
    sandbox.control.clearFaults();
    return first.told.sessions[0] as UploadSession;
  };

  describe('an upload', () => {
    test('brings every byte in chunks, with what is said about the video', async () => {
      const { host, sha256 } = await setUp();
      const asked = context();
      const hosted = await host.upload(video(), asked);

      expect(published()).toMatchObject([
        { id: hosted.id, title: 'Nurse – Ana', description: 'Nights', privacy: 'unlisted', sizeBytes: BYTES, sha256 },
      ]);
      expect(published()[0]).toMatchObject({ contentType: 'video/mp4', selfDeclaredMadeForKids: false });
      expect(published()[0]?.ranges.map(({ end }) => end)).toEqual([CHUNK, 2 * CHUNK, 3 * CHUNK, BYTES]);
      expect(hosted).toMatchObject({ privacy: 'unlisted', url: `${sandbox.google.url}/watch?v=${hosted.id}` });
      expect(asked.told.reports.at(-1)).toEqual([BYTES, BYTES]);
    });

    test('can be watched', async () => {
      const { host, sha256 } = await setUp();
      const { url, id } = await host.upload(video({ title: '"Ana" & co' }), context());
      expect(await (await fetch(url)).text()).toContain('&#34;Ana&#34; &#38; co');
      const bytes = await (await fetch(`${sandbox.google.url}/media/${id}`)).arrayBuffer();
      expect(digest(new Uint8Array(bytes))).toBe(sha256);
    });

    test.each([1, CHUNK - 1, CHUNK, CHUNK + 1])('of %i bytes arrives whole', async (bytes) => {
      const { host, sha256 } = await setUp({ bytes });
      await host.upload(video(), context());
      expect(published()).toMatchObject([{ sizeBytes: bytes, sha256 }]);
    });

    test('is remembered before its first byte is sent', async () => {
      const { host } = await setUp();
      const asked = context();
      const keptWhenRemembered: number[] = [];
      const remember = async (session: UploadSession | null) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        keptWhenRemembered.push(sandbox.control.uploads()[0]?.ranges.length ?? -1);
        await asked.remember(session);
      };
      await host.upload(video(), { ...asked, remember });
      expect(keptWhenRemembered).toEqual([0]);
      expect(asked.told.sessions).toMatchObject([{ sizeBytes: BYTES, etag: expect.any(String) }]);
      expect(JSON.parse(JSON.stringify(asked.told.sessions))).toEqual(asked.told.sessions);
    });

    test('sends no byte when the session cannot be remembered', async () => {
      const { host } = await setUp();
      const remember = () => Promise.reject(new Error('no database'));
      await expect(host.upload(video(), { ...context(), remember })).rejects.toThrow('no database');
      expect(sandbox.control.uploads()).toMatchObject([{ ranges: [] }]);
    });

    test('says which privacy came of it when the host is stricter', async () => {
      const { host } = await setUp({ settings: { privacy: 'public' } });
      fail({ kind: 'forced-private' });
      expect(host.privacy).toBe('public');
      expect(await host.upload(video(), context())).toMatchObject({ privacy: 'private' });
    });

    test('of a file that is not there, or empty, says so', async () => {
      const { host, files } = await setUp();
      await expect(host.upload(video({ name: 'b.mp4' }), context())).rejects.toThrow(FileStoreError);
      await store(files, 'empty.mp4', Buffer.alloc(0));
      expect(await refusal(host.upload(video({ name: 'empty.mp4' }), context()))).toMatchObject({ kind: 'rejected' });
      expect(sandbox.control.uploads()).toEqual([]);
    });

    test('ends when its signal does, and goes on later', async () => {
      const { host, sha256 } = await setUp();
      const cancel = new AbortController();
      const first = context(null, cancel.signal);
      const report = () => cancel.abort(new Error('enough'));
      await expect(host.upload(video(), { ...first, report })).rejects.toThrow('enough');
      expect(published()).toEqual([]);

      await host.upload(video(), context(first.told.sessions[0]));
      expect(published()).toMatchObject([{ sha256 }]);
      expect(keptOnce()).toBe(BYTES);
    });

    test('ends at once while it waits for an answer', async () => {
      const { host } = await setUp({ settings: { timeoutMs: 60_000 } });
      fail({ kind: 'hang', on: 'google', path: '/google/upload/*' });
      const cancel = new AbortController();
      const upload = host.upload(video(), context(null, cancel.signal));
      await expect.poll(() => calls('/upload/')).toBe(1);
      cancel.abort(new Error('enough'));
      await expect(upload).rejects.toThrow('enough');
    });

    test('of 100 MB holds two small blocks and no more', async () => {
      const { host, files, folder } = await setUp({ settings: { chunkBytes: 8 * 2 ** 20, timeoutMs: 30_000 } });
      await truncate(join(folder, 'videos', 'a.mp4'), 100 * 2 ** 20);
      const seen = new Set<ArrayBufferLike>();
      let largest = 0;
      const opened = await files.open('video', 'a.mp4');
      if (!opened) throw new Error('The file is not there.');
      const read = opened.read.bind(opened);
      vi.spyOn(opened, 'read').mockImplementation((buffer, position) => {
        seen.add(buffer.buffer);
        largest = Math.max(largest, buffer.length);
        return read(buffer, position);
      });
      vi.spyOn(files, 'open').mockResolvedValue(opened);

      await host.upload(video(), context());
      expect(published()).toMatchObject([{ sizeBytes: 100 * 2 ** 20 }]);
      expect(published()[0]?.ranges).toHaveLength(13);
      expect(seen.size).toBeLessThanOrEqual(2);
      expect(largest).toBeLessThanOrEqual(2 ** 20);
    });

    test('of a file that ends early says so', async () => {
      const { host, files } = await setUp();
      const opened = await files.open('video', 'a.mp4');
      if (!opened) throw new Error('The file is not there.');
      const read = opened.read.bind(opened);
      vi.spyOn(opened, 'read').mockImplementation((buffer, position) =>
        position >= CHUNK ? Promise.resolve(0) : read(buffer, position),
      );
      vi.spyOn(files, 'open').mockResolvedValue(opened);
      await expect(host.upload(video(), context())).rejects.toThrow('The video file ended early');
    });
  });

  describe('title and description', () => {
    const textsOf = async (fields: Partial<VideoToPublish>) => {
      const { host } = await setUp({ bytes: 10 });
      await host.upload(video(fields), context());
      return published()[0] as { title: string; description: string };
    };

    test('lose < and >, and control characters', async () => {
      expect(
        await textsOf({ title: ' <b>Ana</b>\n\u0007\0nurse ', description: 'a < b\r\n\tand\0 c > d\ud800' }),
      ).toMatchObject({
        title: 'b Ana /b nurse',
        description: 'a b\n\tand c d\ufffd',
      });
    });

    test('of just the allowed length stay', async () => {
      const title = 'x'.repeat(100);
      const description = 'ü'.repeat(2_500);
      expect(await textsOf({ title, description })).toMatchObject({ title, description });
    });

    test('are cut between characters, a title at 100 characters and a description at 5,000 bytes', async () => {
      const family = '👩‍👩‍👧';
      const texts = await textsOf({ title: family.repeat(40), description: `${family.repeat(400)}end` });
      expect(texts.title).toBe(`${family.repeat(12)}…`);
      expect(Buffer.byteLength(texts.description)).toBeLessThanOrEqual(5_000);
      expect(texts.description).toBe(`${family.repeat(277)}…`);
    });

    test.each(['', '  ', '<>'])('a title of %j becomes one that says what it is', async (title) => {
      expect(await textsOf({ title, description: '' })).toMatchObject({ title: 'Video interview', description: '' });
    });
  });

  describe('an upload goes on where the host stopped', () => {
    test('when fewer bytes were kept than sent', async () => {
      const { host, sha256 } = await setUp();
      fail({ kind: 'upload-keeps-less', bytes: 100_000, times: 1 });
      fail({ kind: 'upload-keeps-less', bytes: 1, times: 1 });
      await host.upload(video(), context());
      expect(published()).toMatchObject([{ sha256 }]);
      expect(keptOnce()).toBe(BYTES);
    });

    test('when nothing was kept', async () => {
      const { host, sha256 } = await setUp();
      fail({ kind: 'upload-keeps-nothing', skip: 1, times: 1 });
      await host.upload(video(), context());
      expect(published()).toMatchObject([{ sha256 }]);
      expect(published()[0]?.ranges.map(({ start }) => start)).toEqual([0, CHUNK, 0, CHUNK, 2 * CHUNK, 3 * CHUNK]);
    });

    test.each([
      ['answers 503', '503'],
      ['cuts the connection', 'reset'],
    ] as const)('when it %s in the middle of a chunk', async (_, how) => {
      const { host, sha256 } = await setUp();
      fail({ kind: 'upload-breaks', afterBytes: CHUNK / 2, skip: 1, times: 1, how });
      const asked = context();
      await host.upload(video(), asked);
      expect(published()).toMatchObject([{ sha256 }]);
      expect(keptOnce()).toBe(BYTES);
      expect(asked.told.sessions).toHaveLength(1);
    });

    test('when it stops answering', async () => {
      const { host, sha256 } = await setUp({ settings: { timeoutMs: 200 } });
      fail({ kind: 'hang', on: 'google', path: '/google/upload/*', skip: 2, times: 1 });
      await host.upload(video(), context());
      expect(published()).toMatchObject([{ sha256 }]);
      expect(keptOnce()).toBe(BYTES);
    });

    test('however often the line breaks, as long as it gets further', async () => {
      const { host, sha256 } = await setUp();
      fail({ kind: 'upload-breaks', afterBytes: 60_000, how: 'reset', times: 11 });
      await host.upload(video(), context());
      expect(published()).toMatchObject([{ sha256 }]);
      expect(keptOnce()).toBe(BYTES);
    });

    test('but not for ever, when it gets no further', async () => {
      const { host } = await setUp();
      fail({ kind: 'upload-breaks', afterBytes: 0 });
      expect(await refusal(host.upload(video(), context()))).toMatchObject({
        kind: 'unavailable',
        message: 'YouTube has a problem (status 503).',
      });
      expect(sandbox.control.uploads()[0]?.ranges).toHaveLength(RETRY.tries);
    });

    test('when the token ends in the middle of a chunk', async () => {
      const { host, sha256 } = await setUp();
      fail({ kind: 'upload-token-ends', afterBytes: CHUNK / 2, skip: 1, times: 1 });
      await host.upload(video(), context());
      expect(published()).toMatchObject([{ sha256 }]);
      expect(keptOnce()).toBe(BYTES);
      expect(tokenCalls()).toBe(2);
    });

    test('but a second token that is refused ends it', async () => {
      const { host } = await setUp();
      fail({ kind: 'upload-token-ends', afterBytes: 1_000 });
      expect(await refusal(host.upload(video(), context()))).toMatchObject({
        kind: 'unauthorised',
        message: expect.stringContaining('npm run youtube:connect'),
      });
    });

    test('after a restart, in the same session', async () => {
      const { host, sha256, files } = await setUp();
      const session = await interrupted(host);
      const restarted = context(session);
      await adapter(sandbox, files).upload(video(), restarted);
      expect(published()).toMatchObject([{ sha256 }]);
      expect(keptOnce()).toBe(BYTES);
      expect(sandbox.control.uploads()).toHaveLength(1);
      expect(restarted.told.sessions).toEqual([]);
      expect(restarted.told.reports[0]).toEqual([1.5 * CHUNK, BYTES]);
    });
  });

  describe('a video is published once', () => {
    test('when the answer to its last byte is lost', async () => {
      const { host, sha256 } = await setUp();
      fail({ kind: 'answer-lost' });
      const { id } = await host.upload(video(), context());
      expect(published()).toMatchObject([{ id, sha256 }]);
    });

    test('when the process ended before it heard the answer', async () => {
      const { host } = await setUp();
      const first = context();
      const { id } = await host.upload(video(), first);
      const again = context(first.told.sessions[0]);
      expect(await host.upload(video(), again)).toMatchObject({ id });
      expect(published()).toHaveLength(1);
      expect(keptOnce()).toBe(BYTES);
      expect(again.told).toEqual({ sessions: [], reports: [[BYTES, BYTES]] });
    });
  });

  describe('a session that is of no use is forgotten, and another one started', () => {
    test.each([404, 410] as const)('when the host answers %i', async (status) => {
      const { host, sha256 } = await setUp();
      fail({ kind: 'upload-forgotten', status, skip: 2, times: 1 });
      const asked = context();
      await host.upload(video(), asked);
      expect(published()).toMatchObject([{ sha256 }]);
      expect(asked.told.sessions).toEqual([expect.anything(), null, expect.anything()]);
    });

    test('when it is gone after a restart', async () => {
      const { host, sha256 } = await setUp();
      const session = await interrupted(host);
      fail({ kind: 'upload-forgotten', times: 1 });
      const restarted = context(session);
      await host.upload(video(), restarted);
      expect(published()).toMatchObject([{ sha256 }]);
      expect(restarted.told.sessions).toEqual([null, expect.anything()]);
    });

    test('when the stored file is another one by now', async () => {
      const { host, files } = await setUp();
      const session = await interrupted(host);
      const other = bytesOf(BYTES - 1);
      await store(files, 'a.mp4', other);
      const restarted = context(session);
      await host.upload(video(), restarted);
      expect(published()).toMatchObject([{ sizeBytes: BYTES - 1, sha256: digest(other) }]);
      expect(restarted.told.sessions).toEqual([null, expect.anything()]);
    });

    test('when its address belongs to another host: our permission is not sent there', async () => {
      const { host } = await setUp();
      const session = await interrupted(host);
      const stranger = await startStranger();
      const restarted = context({ ...session, address: `${stranger.url}/upload?upload_id=1` });
      await host.upload(video(), restarted);
      expect(published()).toHaveLength(1);
      expect(stranger.requests()).toBe(0);
    });

    test('but not for ever', async () => {
      const { host } = await setUp();
      fail({ kind: 'upload-forgotten' });
      const asked = context();
      expect(await refusal(host.upload(video(), asked))).toMatchObject({
        kind: 'unavailable',
        message: 'YouTube forgot this upload again and again.',
      });
      expect(asked.told.sessions.at(-1)).toBeNull();
    });
  });

  describe('access tokens', () => {
    test('one is exchanged for many callers at once, and used until it ends', async () => {
      const { host } = await setUp();
      await Promise.all(Array.from({ length: 20 }, () => host.state('none', never)));
      await host.state('none', never);
      expect(tokenCalls()).toBe(1);
    });

    test('one is renewed shortly before it ends', async () => {
      vi.useFakeTimers({ toFake: ['Date'] });
      onTestFinished(() => void vi.useRealTimers());
      const { host } = await setUp();
      await host.state('none', never);
      vi.setSystemTime(Date.now() + 3_500_000);
      await host.state('none', never);
      expect(tokenCalls()).toBe(1);
      vi.setSystemTime(Date.now() + 50_000);
      await host.state('none', never);
      expect(tokenCalls()).toBe(2);
    });

    test('one that is refused is replaced once; a second refusal asks for a new connection', async () => {
      const { host } = await setUp();
      fail({ kind: 'google-refuses', reason: 'authError', times: 1 });
      expect(await host.state('none', never)).toEqual({ status: 'gone' });
      expect(tokenCalls()).toBe(2);
      fail({ kind: 'google-refuses', reason: 'authError' });
      expect(await refusal(host.state('none', never))).toMatchObject({
        kind: 'unauthorised',
        message: expect.stringContaining('npm run youtube:connect'),
      });
      expect(tokenCalls()).toBe(3);
    });

    test('a caller who gives up leaves the exchange to the others', async () => {
      const { host } = await setUp();
      fail({ kind: 'latency', on: 'google', path: '/google/token', ms: 50 });
      const cancel = new AbortController();
      const one = host.state('none', cancel.signal);
      const other = host.state('none', never);
      cancel.abort(new Error('enough'));
      await expect(one).rejects.toThrow('enough');
      expect(await other).toEqual({ status: 'gone' });
      expect(tokenCalls()).toBe(1);
    });

    test('an exchange that breaks is tried again', async () => {
      const { host } = await setUp();
      fail({ kind: 'reset', when: 'before-headers', on: 'google', path: '/google/token', times: 2 });
      expect(await host.state('none', never)).toEqual({ status: 'gone' });
    });

    test.each([
      [
        'invalid_grant',
        'YouTube no longer accepts our permission. An administrator should connect again with: npm run youtube:connect',
      ],
      [
        'invalid_client',
        'Google does not accept our client. An administrator should check YOUTUBE_CLIENT_ID and YOUTUBE_CLIENT_SECRET.',
      ],
    ])('%s is said in words, and asked for once', async (error, message) => {
      const { host } = await setUp();
      fail({ kind: 'token-refused', error });
      expect(await refusal(host.upload(video(), context()))).toMatchObject({ kind: 'unauthorised', message });
      expect(tokenCalls()).toBe(1);
      expect(calls('/upload/')).toBe(0);
    });
  });

  describe('the state of a video', () => {
    const uploaded = async () => {
      const { host } = await setUp({ bytes: 10 });
      const { id } = await host.upload(video(), context());
      return { host, state: () => host.state(id, never) };
    };

    test('is being processed, with how far it is, and then ready', async () => {
      const { state } = await uploaded();
      fail({ kind: 'processing-takes', polls: 4 });
      const states = [];
      for (let polls = 0; polls < 5; polls += 1) states.push(await state());
      expect(states).toEqual([
        ...[0, 0.25, 0.5, 0.75].map((fraction) => ({ status: 'processing', fraction })),
        { status: 'ready', privacy: 'unlisted' },
      ]);
    });

    test('is gone when it is not listed', async () => {
      const { state } = await uploaded();
      fail({ kind: 'not-listed', times: 1 });
      expect(await state()).toEqual({ status: 'gone' });
      expect(await state()).toMatchObject({ status: 'processing' });
    });

    test.each([
      ['codec', 'the video uses a codec that YouTube does not support'],
      ['emptyFile', 'the file is empty'],
      ['brandNew', 'it gives no reason'],
    ])('has failed because of %s', async (reason, words) => {
      const { state } = await uploaded();
      fail({ kind: 'processing-fails', reason });
      expect(await state()).toEqual({ status: 'failed', reason: `YouTube could not process the video: ${words}.` });
    });

    test.each([
      ['copyright', 'of a copyright infringement'],
      ['duplicate', 'the channel already has the same video'],
      ['toString', 'it gives no reason'],
    ])('was rejected because of %s', async (reason, words) => {
      const { state } = await uploaded();
      fail({ kind: 'processing-rejected', reason });
      expect(await state()).toEqual({ status: 'rejected', reason: `YouTube rejected the video: ${words}.` });
    });

    test.each<[string, object, object]>([
      ['deleted', { status: { uploadStatus: 'deleted' } }, { status: 'gone' }],
      ['without details', { status: { uploadStatus: 'uploaded' } }, { status: 'processing', fraction: null }],
      ['of another id', { id: 'other', status: { uploadStatus: 'processed' } }, { status: 'gone' }],
      [
        'whose processing failed after the upload',
        { status: { uploadStatus: 'uploaded' }, processingDetails: { processingStatus: 'failed' } },
        { status: 'failed', reason: 'YouTube could not process the video: it gives no reason.' },
      ],
      [
        'with impossible numbers',
        { status: {}, processingDetails: { processingProgress: { partsTotal: '0', partsProcessed: 'x' } } },
        { status: 'processing', fraction: null },
      ],
    ])('is known for a video %s', async (_, item, state) => {
      const stub = await startStub({ items: [{ id: 'v', ...item }] });
      const { host } = await setUp({ settings: { apiUrl: stub } });
      expect(await host.state('v', never)).toEqual(state);
    });
  });

  describe('a refusal says what to do', () => {
    const refused = async (fault: Omit<Extract<FaultInput, { kind: 'google-refuses' }>, 'kind'>) => {
      const { host } = await setUp();
      fail({ kind: 'google-refuses', ...fault });
      return refusal(host.upload(video(), context()));
    };

    test.each(['quotaExceeded', 'dailyLimitExceeded'])('%s: until the quota resets, in Los Angeles', async (reason) => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T20:00:00Z') });
      onTestFinished(() => void vi.useRealTimers());
      expect(await refused({ reason })).toMatchObject({
        kind: 'rate_limited',
        retryAfterMs: 12 * 3_600_000 + 60_000,
        message:
          "YouTube's quota for today is used up. It goes on after the quota resets, 21 November at 08:00 UTC (midnight in Los Angeles).",
      });
      expect(calls('/upload/')).toBe(1);
    });

    test('a daily limit that comes under the name of a short one', async () => {
      const message = "Quota exceeded for quota metric 'Video Uploads' and limit 'Video Uploads per day'";
      expect(await refused({ reason: 'rateLimitExceeded', message })).toMatchObject({
        kind: 'rate_limited',
        message: expect.stringContaining('quota for today is used up'),
      });
    });

    test.each(['rateLimitExceeded', 'userRateLimitExceeded'])('%s is tried again', async (reason) => {
      const { host } = await setUp();
      const fault = fail({ kind: 'google-refuses', reason, times: 2 });
      await host.upload(video(), context());
      expect(fault.hits()).toBe(2);
      expect(await refused({ reason })).toMatchObject({
        kind: 'rate_limited',
        message: 'YouTube is receiving too many requests from us.',
      });
    });

    test('uploadLimitExceeded: a day later', async () => {
      expect(await refused({ reason: 'uploadLimitExceeded' })).toMatchObject({
        kind: 'rate_limited',
        retryAfterMs: 24 * 3_600_000,
        message: expect.stringContaining('The YouTube channel has reached its upload limit.'),
      });
    });

    test('no channel', async () => {
      const { host } = await setUp();
      fail({ kind: 'no-channel' });
      expect(await refusal(host.upload(video(), context()))).toMatchObject({
        kind: 'rejected',
        message: expect.stringContaining('The Google account has no YouTube channel.'),
      });
    });

    test.each([
      ['invalidTitle', 'rejected', 'YouTube does not accept the title or the description'],
      ['invalidDescription', 'rejected', 'YouTube does not accept the title or the description'],
      ['forbiddenPrivacySetting', 'rejected', 'YOUTUBE_PRIVACY'],
      ['accessNotConfigured', 'rejected', 'The YouTube Data API v3 is not enabled'],
      ['authenticatedUserAccountSuspended', 'rejected', 'closed or suspended'],
      ['forbidden', 'unauthorised', 'npm run youtube:connect'],
      ['insufficientPermissions', 'unauthorised', 'npm run youtube:connect'],
      ['backendError', 'unavailable', 'YouTube has a problem (status 503).'],
      [
        'somethingNew',
        'rejected',
        'YouTube refuses the request (status 400). It says: The request failed: somethingNew.',
      ],
      ['constructor', 'rejected', 'YouTube refuses the request (status 400).'],
    ])('%s', async (reason, kind, words) => {
      expect(await refused({ reason })).toMatchObject({ kind, message: expect.stringContaining(words) });
    });

    test.each<[string, number, unknown, string]>([
      [
        'an exhausted resource in the newer form',
        429,
        { error: { status: 'RESOURCE_EXHAUSTED', message: 'Slow' } },
        'rate_limited',
      ],
      [
        'a missing scope in the newer form',
        403,
        { error: { details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] } },
        'unauthorised',
      ],
      ['a page instead of JSON', 502, '<html>', 'unavailable'],
      ['a redirect', 302, {}, 'rejected'],
      ['an error without anything', 400, { error: null }, 'rejected'],
    ])('%s', async (_, status, body, kind) => {
      expect(await refused({ status, body })).toMatchObject({ kind });
    });

    test('a session that was refused is not kept', async () => {
      const { host } = await setUp();
      fail({ kind: 'google-refuses', reason: 'invalidMetadata', skip: 2 });
      const asked = context();
      await refusal(host.upload(video(), asked));
      expect(asked.told.sessions).toEqual([expect.anything(), null]);
    });

    test('a session is kept while a quota is used up', async () => {
      const { host } = await setUp();
      fail({ kind: 'google-refuses', reason: 'quotaExceeded', skip: 2 });
      const asked = context();
      await refusal(host.upload(video(), asked));
      expect(asked.told.sessions).toEqual([expect.anything()]);
    });

    test('and neither a secret nor a session address', async () => {
      const secrets = Object.values(sandbox.google).slice(1);
      const address = `${sandbox.google.url}/upload/youtube/v3/videos?upload_id=sandbox-upload-000000000000000000000001`;
      const message = `Bearer ya29.sandbox-access-token-000000000000000000000001 ${secrets.join(' ')} <a href="${address}">here</a> ${address}`;
      const error = await refused({ reason: 'invalidTitle', message });
      expect(error.message).toMatch(/It says: Bearer …( …)+ here …$/);
      for (const secret of [...secrets, 'ya29', 'upload_id']) expect(everythingIn(error)).not.toContain(secret);
    });
  });

  describe('an answer that cannot be', () => {
    test.each<[string, unknown]>([
      ['a video without an id', { items: [{ status: {} }] }],
      ['items that are no list', { items: 7 }],
      ['no JSON', 'hello'],
    ])('%s is a bad answer', async (_, body) => {
      const { host } = await setUp({ settings: { apiUrl: await startStub(body) } });
      expect(await refusal(host.state('v', never))).toMatchObject({ kind: 'bad_answer' });
    });

    test.each<[string, Record<string, string>]>([
      ['no session address', {}],
      ['a session at another host', { location: 'http://127.0.0.1:1/elsewhere' }],
    ])('%s is a bad answer', async (_, headers) => {
      const { host } = await setUp({ settings: { apiUrl: await startStub({}, headers) } });
      expect(await refusal(host.upload(video(), context()))).toMatchObject({ kind: 'bad_answer' });
    });

    test('a host that cannot be reached is unavailable, and the error names no address', async () => {
      const { host } = await setUp({ settings: { apiUrl: 'http://127.0.0.1:1/google' } });
      expect(await refusal(host.state('v', never))).toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining('YouTube cannot be reached'),
      });
    });
  });
});

/** Bytes of which no two parts are alike. */
function bytesOf(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at + 4 <= count; at += 4) bytes.writeUInt32LE(Math.imul(at + count, 2_654_435_761) >>> 0, at);
  return bytes;
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function store(files: FileStore, name: string, content: Buffer): Promise<void> {
  const partial = await files.resume('video', name);
  await partial.append(content);
  await partial.commit();
}

const everythingIn = (error: Error): string =>
  `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;

/** Answers every call the same, but grants tokens. Resolves with its address. */
async function startStub(body: unknown, headers: Record<string, string> = {}): Promise<string> {
  const { url } = await listening(
    (path) => (path === '/token' ? { access_token: 'token', expires_in: 3_600 } : body),
    headers,
  );
  return url;
}

async function startStranger() {
  let requests = 0;
  const { url } = await listening(() => {
    requests += 1;
    return {};
  });
  return { url, requests: () => requests };
}

async function listening(answer: (path: string) => unknown, headers: Record<string, string> = {}) {
  const server = createServer((request, response) => {
    request.resume();
    const body = answer(request.url ?? '');
    response.writeHead(200, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
