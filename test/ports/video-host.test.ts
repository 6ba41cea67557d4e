import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import type { YoutubeOptions } from '#server/adapters/video-host-youtube/youtube-video-host.ts';
import { FileStoreError } from '#server/ports/file-store.ts';
import type { UploadSession, VideoHost, VideoToPublish } from '#server/ports/video-host.ts';
import { sandboxOfFile } from '#support/start-sandbox.ts';
import {
  BYTES,
  bytesOf,
  CHUNK,
  digest,
  RETRY,
  refusalOf,
  setUpHost,
  startStranger,
  storeVideo,
  uploadContext,
  VIDEO_HOSTS,
  videoToPublish,
} from '#support/video-hosts.ts';

/**
 * Tests of uploads; video-host-responses.test.ts tests the other responses. The file is long
 * because the protocol has many ways to resume.
 */

const sandbox = await sandboxOfFile();

describe.each(Object.entries(VIDEO_HOSTS))('video host: %s', (_, adapter) => {
  const setUp = ({ bytes = BYTES, settings }: { bytes?: number; settings?: Partial<YoutubeOptions> } = {}) =>
    setUpHost((files, more) => adapter(sandbox, files, more), bytes, settings);
  const fail = (fault: FaultInput) => sandbox.control.fail(fault);
  const published = () => sandbox.control.published();
  const calls = (path: string) => sandbox.requests.list(path).length;
  const tokenCalls = () => calls('/google/token');
  /** Checks that the host stored every byte once, in order, and returns the number of bytes. */
  const storedOnce = () => {
    let next = 0;
    for (const { start, keptUntil } of published()[0]?.ranges ?? []) {
      expect(start).toBe(next);
      next = keptUntil;
    }
    return next;
  };
  /**
   * Starts an upload of which the host has stored 1.5 chunks when its process ends. Resolves with
   * the saved session.
   */
  const interrupted = async (host: VideoHost) => {
    const first = uploadContext();
    fail({ kind: 'upload-breaks', afterBytes: CHUNK / 2, skip: 1, times: 1, how: 'reset' });
    fail({ kind: 'upload-breaks', afterBytes: 0, skip: 1, how: 'reset' });
    await expect(host.upload(videoToPublish(), first)).rejects.toThrow();
    sandbox.control.clearFaults();
    return first.reported.sessions[0] as UploadSession;
  };

  describe('an upload', () => {
    test('an upload sends every byte in chunks, with title and description', async () => {
      const { host, sha256 } = await setUp();
      const asked = uploadContext();
      const hosted = await host.upload(videoToPublish(), asked);

      expect(published()).toMatchObject([
        { id: hosted.id, title: 'Nurse – Ana', description: 'Nights', privacy: 'unlisted', sizeBytes: BYTES, sha256 },
      ]);
      expect(published()[0]).toMatchObject({ contentType: 'video/mp4', selfDeclaredMadeForKids: false });
      expect(published()[0]?.ranges.map(({ end }) => end)).toEqual([CHUNK, 2 * CHUNK, 3 * CHUNK, BYTES]);
      expect(hosted).toMatchObject({ privacy: 'unlisted', url: `${sandbox.google.url}/watch?v=${hosted.id}` });
      expect(asked.reported.progress.at(-1)).toEqual([BYTES, BYTES]);
    });

    test('an upload results in a video that can be watched', async () => {
      const { host, sha256 } = await setUp();
      const { url, id } = await host.upload(videoToPublish({ title: '"Ana" & co' }), uploadContext());
      expect(await (await fetch(url)).text()).toContain('&#34;Ana&#34; &#38; co');
      const bytes = await (await fetch(`${sandbox.google.url}/media/${id}`)).arrayBuffer();
      expect(digest(new Uint8Array(bytes))).toBe(sha256);
    });

    test.each([1, CHUNK - 1, CHUNK, CHUNK + 1])('an upload of %i bytes arrives complete', async (bytes) => {
      const { host, sha256 } = await setUp({ bytes });
      await host.upload(videoToPublish(), uploadContext());
      expect(published()).toMatchObject([{ sizeBytes: bytes, sha256 }]);
    });

    test('an upload in chunks of many blocks arrives complete', async () => {
      const { host, sha256 } = await setUp({ bytes: 9_000_001, settings: { chunkBytes: 16 * CHUNK } });
      fail({ kind: 'upload-breaks', afterBytes: 1_000_000, skip: 1, times: 2, how: 'reset' });
      await host.upload(videoToPublish(), uploadContext());
      expect(published()).toMatchObject([{ sha256 }]);
    });

    test('an upload saves its session before the first byte is sent', async () => {
      const { host } = await setUp();
      const asked = uploadContext();
      const storedWhenSaved: number[] = [];
      const saveSession = async (session: UploadSession | null) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        storedWhenSaved.push(sandbox.control.uploads()[0]?.ranges.length ?? -1);
        await asked.saveSession(session);
      };
      await host.upload(videoToPublish(), { ...asked, saveSession });
      expect(storedWhenSaved).toEqual([0]);
      expect(asked.reported.sessions).toMatchObject([{ sizeBytes: BYTES, etag: expect.any(String) }]);
      expect(JSON.parse(JSON.stringify(asked.reported.sessions))).toEqual(asked.reported.sessions);
    });

    test('an upload sends no byte if the session cannot be saved', async () => {
      const { host } = await setUp();
      const saveSession = () => Promise.reject(new Error('no database'));
      await expect(host.upload(videoToPublish(), { ...uploadContext(), saveSession })).rejects.toThrow('no database');
      expect(sandbox.control.uploads()).toMatchObject([{ ranges: [] }]);
    });

    test('an upload resolves with the actual privacy if the host is stricter', async () => {
      const { host } = await setUp({ settings: { privacy: 'public' } });
      fail({ kind: 'forced-private' });
      expect(await host.upload(videoToPublish(), uploadContext())).toMatchObject({ privacy: 'private' });
    });

    test('an upload rejects for a missing or empty file', async () => {
      const { host, files } = await setUp();
      await expect(host.upload(videoToPublish({ name: 'b.mp4' }), uploadContext())).rejects.toThrow(FileStoreError);
      await storeVideo(files, 'empty.mp4', Buffer.alloc(0));
      expect(await refusalOf(host.upload(videoToPublish({ name: 'empty.mp4' }), uploadContext()))).toMatchObject({
        kind: 'rejected',
      });
      expect(sandbox.control.uploads()).toEqual([]);
    });

    test('an upload stops when its signal aborts, and can be resumed', async () => {
      const { host, sha256 } = await setUp();
      const cancel = new AbortController();
      const first = uploadContext(null, cancel.signal);
      const onProgress = () => cancel.abort(new Error('enough'));
      await expect(host.upload(videoToPublish(), { ...first, onProgress })).rejects.toThrow('enough');
      expect(published()).toEqual([]);

      await host.upload(videoToPublish(), uploadContext(first.reported.sessions[0]));
      expect(published()).toMatchObject([{ sha256 }]);
      expect(storedOnce()).toBe(BYTES);
    });

    test('an upload stops at once while it waits for a response', async () => {
      const { host } = await setUp({ settings: { timeoutMs: 60_000 } });
      fail({ kind: 'hang', on: 'google', path: '/google/upload/*' });
      const cancel = new AbortController();
      const upload = host.upload(videoToPublish(), uploadContext(null, cancel.signal));
      await expect.poll(() => calls('/upload/')).toBe(1);
      cancel.abort(new Error('enough'));
      await expect(upload).rejects.toThrow('enough');
    });

    test('an upload of 100 MB uses two small buffers', async () => {
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

      await host.upload(videoToPublish(), uploadContext());
      expect(published()).toMatchObject([{ sizeBytes: 100 * 2 ** 20 }]);
      expect(published()[0]?.ranges).toHaveLength(13);
      expect(seen.size).toBeLessThanOrEqual(2);
      expect(largest).toBeLessThanOrEqual(2 ** 20);
    });

    test('an upload rejects and closes the file if it ends early', async () => {
      const { host, files } = await setUp();
      const opened = await files.open('video', 'a.mp4');
      if (!opened) throw new Error('The file is not there.');
      const read = opened.read.bind(opened);
      vi.spyOn(opened, 'read').mockImplementation((buffer, position) =>
        position >= CHUNK ? Promise.resolve(0) : read(buffer, position),
      );
      vi.spyOn(files, 'open').mockResolvedValue(opened);
      const close = vi.spyOn(opened, 'close');
      await expect(host.upload(videoToPublish(), uploadContext())).rejects.toThrow('The video file ended early');
      expect(close).toHaveBeenCalled();
    });
  });

  describe('title and description', () => {
    const textsOf = async (fields: Partial<VideoToPublish>) => {
      const { host } = await setUp({ bytes: 10 });
      await host.upload(videoToPublish(fields), uploadContext());
      return published()[0] as { title: string; description: string };
    };

    test('lose < and > and control characters', async () => {
      expect(
        await textsOf({ title: ' <b>Ana</b>\n\u0007\0nurse ', description: 'a < b\r\n\tand\0 c > d\ud800' }),
      ).toMatchObject({
        title: 'b Ana /b nurse',
        description: 'a   b\n\tand  c   d\ufffd',
      });
    });

    test('title and description of exactly the allowed length are unchanged', async () => {
      const title = 'x'.repeat(100);
      const description = 'ü'.repeat(2_500);
      expect(await textsOf({ title, description })).toMatchObject({ title, description });
    });

    test('title and description that are too long end in an ellipsis', async () => {
      const texts = await textsOf({ title: 'x'.repeat(101), description: 'x'.repeat(5_001) });
      expect(texts).toMatchObject({ title: `${'x'.repeat(99)}…`, description: `${'x'.repeat(4_997)}…` });
    });

    test('title and description are cut between characters, a title at 100 characters and a description at 5,000 bytes', async () => {
      const family = '👩‍👩‍👧';
      const texts = await textsOf({ title: family.repeat(40), description: `${family.repeat(400)}end` });
      expect(texts.title).toBe(`${family.repeat(12)}…`);
      expect(Buffer.byteLength(texts.description)).toBeLessThanOrEqual(5_000);
      expect(texts.description).toBe(`${family.repeat(277)}…`);
    });

    test.each(['', '  ', '<>'])('title and description with the title %j get a default title', async (title) => {
      expect(await textsOf({ title, description: '' })).toMatchObject({ title: 'Video interview', description: '' });
    });
  });

  describe('an upload continues where the host stopped', () => {
    test('if fewer bytes were stored than sent', async () => {
      const { host, sha256 } = await setUp();
      fail({ kind: 'upload-keeps-less', bytes: 100_000, times: 1 });
      fail({ kind: 'upload-keeps-less', bytes: 1, times: 1 });
      await host.upload(videoToPublish(), uploadContext());
      expect(published()).toMatchObject([{ sha256 }]);
      expect(storedOnce()).toBe(BYTES);
    });

    test('if nothing was stored', async () => {
      const { host, sha256 } = await setUp();
      fail({ kind: 'upload-keeps-nothing', skip: 1, times: 1 });
      await host.upload(videoToPublish(), uploadContext());
      expect(published()).toMatchObject([{ sha256 }]);
      expect(published()[0]?.ranges.map(({ start }) => start)).toEqual([0, CHUNK, 0, CHUNK, 2 * CHUNK, 3 * CHUNK]);
    });

    test.each([
      ['returns 503', '503'],
      ['cuts the connection', 'reset'],
    ] as const)('if it %s during a chunk', async (_, how) => {
      const { host, sha256 } = await setUp();
      fail({ kind: 'upload-breaks', afterBytes: CHUNK / 2, skip: 1, times: 1, how });
      const asked = uploadContext();
      await host.upload(videoToPublish(), asked);
      expect(published()).toMatchObject([{ sha256 }]);
      expect(storedOnce()).toBe(BYTES);
      expect(asked.reported.sessions).toHaveLength(1);
    });

    test('if it stops responding', async () => {
      const { host, sha256 } = await setUp({ settings: { timeoutMs: 200 } });
      fail({ kind: 'hang', on: 'google', path: '/google/upload/*', skip: 2, times: 1 });
      await host.upload(videoToPublish(), uploadContext());
      expect(published()).toMatchObject([{ sha256 }]);
      expect(storedOnce()).toBe(BYTES);
    });

    test('however often the connection breaks, as long as there is progress', async () => {
      const { host, sha256 } = await setUp();
      fail({ kind: 'upload-breaks', afterBytes: 60_000, how: 'reset', times: 11 });
      await host.upload(videoToPublish(), uploadContext());
      expect(published()).toMatchObject([{ sha256 }]);
      expect(storedOnce()).toBe(BYTES);
    });

    test('but fails without progress', async () => {
      const { host } = await setUp();
      fail({ kind: 'upload-breaks', afterBytes: 0 });
      expect(await refusalOf(host.upload(videoToPublish(), uploadContext()))).toMatchObject({
        kind: 'unavailable',
        message: 'YouTube returned an error (503).',
      });
      expect(sandbox.control.uploads()[0]?.ranges).toHaveLength(RETRY.tries);
    });

    test('but fails if the host stores nothing', async () => {
      const { host } = await setUp();
      fail({ kind: 'upload-keeps-less', bytes: 0, skip: 1 });
      expect(await refusalOf(host.upload(videoToPublish(), uploadContext()))).toMatchObject({
        kind: 'unavailable',
        message: "YouTube didn't accept the uploaded data.",
      });
    });

    test('if the token expires during a chunk', async () => {
      const { host, sha256 } = await setUp();
      fail({ kind: 'upload-token-ends', afterBytes: CHUNK / 2, skip: 1, times: 1 });
      await host.upload(videoToPublish(), uploadContext());
      expect(published()).toMatchObject([{ sha256 }]);
      expect(storedOnce()).toBe(BYTES);
      expect(tokenCalls()).toBe(2);
    });

    test('but fails if a second token is rejected', async () => {
      const { host } = await setUp();
      fail({ kind: 'upload-token-ends', afterBytes: 1_000 });
      expect(await refusalOf(host.upload(videoToPublish(), uploadContext()))).toMatchObject({
        kind: 'unauthorised',
        message: expect.stringContaining('npm run youtube:connect'),
      });
    });

    test('after a restart, in the same session', async () => {
      const { host, sha256, files } = await setUp();
      const session = await interrupted(host);
      const restarted = uploadContext(session);
      await adapter(sandbox, files).upload(videoToPublish(), restarted);
      expect(published()).toMatchObject([{ sha256 }]);
      expect(storedOnce()).toBe(BYTES);
      expect(sandbox.control.uploads()).toHaveLength(1);
      expect(restarted.reported.sessions).toEqual([]);
      expect(restarted.reported.progress[0]).toEqual([1.5 * CHUNK, BYTES]);
    });
  });

  describe('a video is published once', () => {
    test('if the response to its last byte is lost', async () => {
      const { host, sha256 } = await setUp();
      fail({ kind: 'response-lost' });
      const { id } = await host.upload(videoToPublish(), uploadContext());
      expect(published()).toMatchObject([{ id, sha256 }]);
    });

    test('if the process ended before the response arrived', async () => {
      const { host } = await setUp();
      const first = uploadContext();
      const { id } = await host.upload(videoToPublish(), first);
      const again = uploadContext(first.reported.sessions[0]);
      expect(await host.upload(videoToPublish(), again)).toMatchObject({ id });
      expect(published()).toHaveLength(1);
      expect(storedOnce()).toBe(BYTES);
      expect(again.reported).toEqual({ sessions: [], progress: [[BYTES, BYTES]] });
    });
  });

  describe('an unusable session is replaced', () => {
    test.each([404, 410] as const)('if the host returns %i', async (status) => {
      const { host, sha256 } = await setUp();
      fail({ kind: 'upload-forgotten', status, skip: 2, times: 1 });
      const asked = uploadContext();
      await host.upload(videoToPublish(), asked);
      expect(published()).toMatchObject([{ sha256 }]);
      expect(asked.reported.sessions).toEqual([expect.anything(), null, expect.anything()]);
    });

    test('if it is gone after a restart', async () => {
      const { host, sha256 } = await setUp();
      const session = await interrupted(host);
      fail({ kind: 'upload-forgotten', times: 1 });
      const restarted = uploadContext(session);
      await host.upload(videoToPublish(), restarted);
      expect(published()).toMatchObject([{ sha256 }]);
      expect(restarted.reported.sessions).toEqual([null, expect.anything()]);
    });

    test('if the stored file has changed', async () => {
      const { host, files } = await setUp();
      const session = await interrupted(host);
      const other = bytesOf(BYTES).reverse();
      await storeVideo(files, 'a.mp4', other);
      const restarted = uploadContext(session);
      await host.upload(videoToPublish(), restarted);
      expect(published()).toMatchObject([{ sizeBytes: BYTES, sha256: digest(other) }]);
      expect(restarted.reported.sessions).toEqual([null, expect.anything()]);
    });

    test('if its address belongs to another host, which does not receive our permission', async () => {
      const { host } = await setUp();
      const session = await interrupted(host);
      const stranger = await startStranger();
      const restarted = uploadContext({ ...session, address: `${stranger.url}/upload?upload_id=1` });
      await host.upload(videoToPublish(), restarted);
      expect(published()).toHaveLength(1);
      expect(stranger.requests()).toBe(0);
    });

    test('but not endlessly', async () => {
      const { host } = await setUp();
      fail({ kind: 'upload-forgotten' });
      const asked = uploadContext();
      expect(await refusalOf(host.upload(videoToPublish(), asked))).toMatchObject({
        kind: 'unavailable',
        message: 'YouTube kept losing this upload.',
      });
      expect(asked.reported.sessions.at(-1)).toBeNull();
    });
  });
});
