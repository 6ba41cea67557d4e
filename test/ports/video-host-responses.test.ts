import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import type { YoutubeOptions } from '#server/adapters/video-host-youtube/youtube-video-host.ts';
import { sandboxOfFile } from '#support/start-sandbox.ts';
import {
  BYTES,
  never,
  refusalOf,
  setUpHost,
  startStub,
  uploadContext,
  VIDEO_HOSTS,
  videoToPublish,
} from '#support/video-hosts.ts';

const sandbox = await sandboxOfFile();

describe.each(Object.entries(VIDEO_HOSTS))('video host: %s', (_, adapter) => {
  const setUp = ({ bytes = BYTES, settings }: { bytes?: number; settings?: Partial<YoutubeOptions> } = {}) =>
    setUpHost((files, more) => adapter(sandbox, files, more), bytes, settings);
  const fail = (fault: FaultInput) => sandbox.control.fail(fault);
  const calls = (path: string) => sandbox.requests.list(path).length;
  const tokenCalls = () => calls('/google/token');
  describe('access tokens', () => {
    test('concurrent callers share one token until it expires', async () => {
      const { host } = await setUp();
      await Promise.all(Array.from({ length: 20 }, () => host.state('none', never)));
      await host.state('none', never);
      expect(tokenCalls()).toBe(1);
    });

    test('a token is renewed shortly before it expires', async () => {
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

    test('a rejected token is replaced once, and a second rejection asks to connect again', async () => {
      const { host } = await setUp();
      fail({ kind: 'google-refuses', reason: 'authError', times: 1 });
      expect(await host.state('none', never)).toEqual({ status: 'gone' });
      expect(tokenCalls()).toBe(2);
      fail({ kind: 'google-refuses', reason: 'authError' });
      expect(await refusalOf(host.state('none', never))).toMatchObject({
        kind: 'unauthorised',
        message: expect.stringContaining('npm run youtube:connect'),
      });
      expect(tokenCalls()).toBe(3);
    });

    test('an aborted caller does not abort the exchange for the others', async () => {
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

    test('a broken exchange is retried', async () => {
      const { host } = await setUp();
      fail({ kind: 'reset', when: 'before-headers', on: 'google', path: '/google/token', times: 2 });
      expect(await host.state('none', never)).toEqual({ status: 'gone' });
    });

    test.each([
      ['invalid_grant', 'YouTube access has expired. Ask an admin to run `npm run youtube:connect`.'],
      [
        'invalid_client',
        'Google rejected our client. Ask an admin to check YOUTUBE_CLIENT_ID and YOUTUBE_CLIENT_SECRET.',
      ],
    ])('%s has its own message and is not retried', async (error, message) => {
      const { host } = await setUp();
      fail({ kind: 'token-refused', error });
      expect(await refusalOf(host.upload(videoToPublish(), uploadContext()))).toMatchObject({
        kind: 'unauthorised',
        message,
      });
      expect(tokenCalls()).toBe(1);
      expect(calls('/upload/')).toBe(0);
    });
  });

  describe('the state of a video', () => {
    const uploaded = async () => {
      const { host } = await setUp({ bytes: 10 });
      const { id } = await host.upload(videoToPublish(), uploadContext());
      return { host, state: () => host.state(id, never) };
    };

    test('the state of a video is processing with a fraction, and then ready', async () => {
      const { state } = await uploaded();
      fail({ kind: 'processing-takes', polls: 4 });
      const states = [];
      for (let polls = 0; polls < 5; polls += 1) states.push(await state());
      expect(states).toEqual([
        ...[0, 0.25, 0.5, 0.75].map((fraction) => ({ status: 'processing', fraction })),
        { status: 'ready', privacy: 'unlisted', note: null },
      ]);
    });

    test('a video that is ready with another privacy than requested has a note', async () => {
      const { host } = await setUp({ bytes: 10, settings: { privacy: 'public' } });
      fail({ kind: 'forced-private' });
      const { id } = await host.upload(videoToPublish(), uploadContext());
      await host.state(id, never);
      const note = expect.stringContaining('private instead of public');
      await expect.poll(() => host.state(id, never)).toEqual({ status: 'ready', privacy: 'private', note });
    });

    test('the state of a video is gone if the video is not listed', async () => {
      const { state } = await uploaded();
      fail({ kind: 'not-listed', times: 1 });
      expect(await state()).toEqual({ status: 'gone' });
      expect(await state()).toMatchObject({ status: 'processing' });
    });

    test.each([
      ['codec', "YouTube doesn't support its codec"],
      ['emptyFile', 'the file is empty'],
      ['brandNew', 'no reason given'],
    ])('the state of a video has failed because of %s', async (reason, words) => {
      const { state } = await uploaded();
      fail({ kind: 'processing-fails', reason });
      expect(await state()).toEqual({ status: 'failed', reason: `YouTube couldn't process the video: ${words}.` });
    });

    test.each([
      ['copyright', 'of a copyright infringement'],
      ['duplicate', 'the channel already has the same video'],
      ['toString', 'no reason given'],
    ])('the state of a video was rejected because of %s', async (reason, words) => {
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
        { status: 'failed', reason: "YouTube couldn't process the video: no reason given." },
      ],
      [
        'with impossible numbers',
        { status: {}, processingDetails: { processingProgress: { partsTotal: '0', partsProcessed: 'x' } } },
        { status: 'processing', fraction: null },
      ],
    ])('the state of a video is read for a video %s', async (_, item, state) => {
      const stub = await startStub({ items: [{ id: 'v', ...item }] });
      const { host } = await setUp({ settings: { apiUrl: stub } });
      expect(await host.state('v', never)).toEqual(state);
    });
  });

  describe('a refusal has a message with the next step', () => {
    const refused = async (fault: Omit<Extract<FaultInput, { kind: 'google-refuses' }>, 'kind'>) => {
      const { host } = await setUp();
      fail({ kind: 'google-refuses', ...fault });
      return refusalOf(host.upload(videoToPublish(), uploadContext()));
    };

    test.each(['quotaExceeded', 'dailyLimitExceeded'])(
      '%s is retried when the quota resets in Los Angeles',
      async (reason) => {
        vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T20:00:00Z') });
        onTestFinished(() => void vi.useRealTimers());
        expect(await refused({ reason })).toMatchObject({
          kind: 'rate_limited',
          retryAfterMs: 12 * 3_600_000 + 60_000,
          message: "Today's YouTube quota is used up. It resets on 21 November at 08:00 UTC (midnight in Los Angeles).",
        });
        expect(calls('/upload/')).toBe(1);
      },
    );

    test('a daily limit with the reason of a short one waits for the reset', async () => {
      const message = "Quota exceeded for quota metric 'Video Uploads' and limit 'Video Uploads per day'";
      expect(await refused({ reason: 'rateLimitExceeded', message })).toMatchObject({
        kind: 'rate_limited',
        message: expect.stringContaining('quota is used up'),
      });
    });

    test.each(['rateLimitExceeded', 'userRateLimitExceeded'])('%s is retried', async (reason) => {
      const { host } = await setUp();
      const fault = fail({ kind: 'google-refuses', reason, times: 2 });
      await host.upload(videoToPublish(), uploadContext());
      expect(fault.hits()).toBe(2);
      expect(await refused({ reason })).toMatchObject({
        kind: 'rate_limited',
        message: 'YouTube is rate-limiting us.',
      });
    });

    test('uploadLimitExceeded is retried a day later', async () => {
      expect(await refused({ reason: 'uploadLimitExceeded' })).toMatchObject({
        kind: 'rate_limited',
        retryAfterMs: 24 * 3_600_000,
        message: expect.stringContaining('The YouTube channel has reached its daily upload limit.'),
      });
    });

    test('an account without a channel is rejected', async () => {
      const { host } = await setUp();
      fail({ kind: 'no-channel' });
      expect(await refusalOf(host.upload(videoToPublish(), uploadContext()))).toMatchObject({
        kind: 'rejected',
        message: expect.stringContaining('The Google account has no YouTube channel.'),
      });
    });

    test.each([
      ['invalidTitle', 'rejected', 'YouTube rejected the title (invalidTitle).'],
      ['invalidDescription', 'rejected', 'YouTube rejected the description (invalidDescription).'],
      ['forbiddenPrivacySetting', 'rejected', 'YOUTUBE_PRIVACY'],
      ['accessNotConfigured', 'rejected', 'The YouTube Data API v3 is not enabled'],
      ['authenticatedUserAccountSuspended', 'rejected', 'closed or suspended'],
      ['forbidden', 'unauthorised', 'npm run youtube:connect'],
      ['insufficientPermissions', 'unauthorised', 'npm run youtube:connect'],
      ['backendError', 'unavailable', 'YouTube returned an error (503).'],
      [
        'somethingNew',
        'rejected',
        'YouTube rejected the request (400). It reported: The request failed: somethingNew.',
      ],
      ['constructor', 'rejected', 'YouTube rejected the request (400).'],
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

    test('a rejected session is deleted', async () => {
      const { host } = await setUp();
      fail({ kind: 'google-refuses', reason: 'invalidMetadata', skip: 2 });
      const asked = uploadContext();
      await refusalOf(host.upload(videoToPublish(), asked));
      expect(asked.reported.sessions).toEqual([expect.anything(), null]);
    });

    test('a session is kept while the quota is exhausted', async () => {
      const { host } = await setUp();
      fail({ kind: 'google-refuses', reason: 'quotaExceeded', skip: 2 });
      const asked = uploadContext();
      await refusalOf(host.upload(videoToPublish(), asked));
      expect(asked.reported.sessions).toEqual([expect.anything()]);
    });

    test('a message contains neither secrets nor session addresses', async () => {
      const secrets = Object.values(sandbox.google).slice(1);
      const sessionUrl = `${sandbox.google.url}/upload/youtube/v3/videos?upload_id=sandbox-upload-000000000000000000000001`;
      const message = `Bearer ya29.sandbox-access-token-000000000000000000000001 ${secrets.join(' ')} <a href="${sessionUrl}">here</a> ${sessionUrl}`;
      const error = await refused({ reason: 'somethingNew', message });
      expect(error.message).toMatch(/It reported: Bearer …( …)+ here …$/);
      for (const secret of [...secrets, 'ya29', 'upload_id']) expect(everythingIn(error)).not.toContain(secret);
    });
  });

  describe('an invalid response', () => {
    test.each<[string, unknown]>([
      ['a video without an id', { items: [{ status: {} }] }],
      ['items that are not a list', { items: 7 }],
      ['a text instead of JSON', 'hello'],
    ])('%s is a bad response', async (_, body) => {
      const { host } = await setUp({ settings: { apiUrl: await startStub(body) } });
      expect(await refusalOf(host.state('v', never))).toMatchObject({ kind: 'bad_response' });
    });

    test.each<[string, Record<string, string>]>([
      ['no session address', {}],
      ['a session at another host', { location: 'http://127.0.0.1:1/elsewhere' }],
    ])('%s is a bad response', async (_, headers) => {
      const { host } = await setUp({ settings: { apiUrl: await startStub({}, headers) } });
      expect(await refusalOf(host.upload(videoToPublish(), uploadContext()))).toMatchObject({ kind: 'bad_response' });
    });

    test('an unreachable host is unavailable', async () => {
      const { host } = await setUp({ settings: { apiUrl: 'http://127.0.0.1:1/google' } });
      expect(await refusalOf(host.state('v', never))).toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining("YouTube can't be reached"),
      });
    });
  });
});

const everythingIn = (error: Error): string =>
  `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
