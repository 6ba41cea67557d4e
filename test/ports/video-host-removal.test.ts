import { describe, expect, test } from 'vitest';
import { sandboxOfFile } from '#support/start-sandbox.ts';
import {
  BYTES,
  never,
  refusalOf,
  setUpHost,
  uploadContext,
  VIDEO_HOSTS,
  videoToPublish,
} from '#support/video-hosts.ts';

const sandbox = await sandboxOfFile();

describe.each(Object.entries(VIDEO_HOSTS))('removing a video from the host: %s', (_, adapter) => {
  const published = async () => {
    const { host } = await setUpHost((files, more) => adapter(sandbox, files, more), BYTES);
    return { host, video: await host.upload(videoToPublish(), uploadContext()) };
  };

  test('a removed video can no longer be watched, and is not listed', async () => {
    const { host, video } = await published();
    await host.remove(video.id, never);
    expect(sandbox.control.published()).toEqual([]);
    expect((await fetch(video.url)).status).toBe(404);
    expect(await host.state(video.id, never)).toEqual({ status: 'gone' });
  });

  test('removing a missing video succeeds', async () => {
    const { host, video } = await published();
    for (const id of [video.id, video.id, 'never/there?']) await host.remove(id, never);
  });

  test('a transient error is retried', async () => {
    const { host, video } = await published();
    sandbox.control.fail({ kind: 'status', status: 503, on: 'google', times: 2 });
    await host.remove(video.id, never);
    expect(sandbox.control.published()).toEqual([]);
  });

  test('a missing permission is rejected with a message that names the next step', async () => {
    const { host, video } = await published();
    sandbox.control.fail({ kind: 'google-refuses', reason: 'insufficientPermissions' });
    const error = await refusalOf(host.remove(video.id, never));
    expect(error).toMatchObject({ kind: 'unauthorised', isRetryable: false });
    expect(error.message).toContain('npm run youtube:connect');
    expect(sandbox.control.published()).toHaveLength(1);
  });
});
