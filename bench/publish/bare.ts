import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { timed } from '../keep-alive-client.ts';
import type { UploadTask } from './uploader.ts';

/** The minimum work of an upload: the whole file in one PUT. Only the PUT is measured. */
async function upload({ folder, name, variables }: UploadTask): Promise<number> {
  const path = join(folder, 'videos', name);
  const { size } = await stat(path);
  const { authorization, address } = await startSession(variables, size);
  const headers = {
    authorization,
    'content-length': String(size),
    'content-range': `bytes 0-${size - 1}/${size}`,
  };
  return timed(async () => {
    const { statusCode, body } = await request(address, { method: 'PUT', headers, body: createReadStream(path) });
    const answer = await body.text();
    if (statusCode !== 200) throw new Error(`The PUT was answered with ${statusCode}: ${answer}`);
  });
}

async function startSession({ YOUTUBE_API_URL: url, ...variables }: Record<string, string>, size: number) {
  const form = new URLSearchParams({
    client_id: variables.YOUTUBE_CLIENT_ID ?? '',
    client_secret: variables.YOUTUBE_CLIENT_SECRET ?? '',
    refresh_token: variables.YOUTUBE_REFRESH_TOKEN ?? '',
    grant_type: 'refresh_token',
  });
  const granted = await fetch(`${url}/token`, { method: 'POST', body: form });
  const { access_token: token } = (await granted.json()) as { access_token: string };
  const authorization = `Bearer ${token}`;
  const started = await fetch(`${url}/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status`, {
    method: 'POST',
    headers: { authorization, 'x-upload-content-length': String(size), 'x-upload-content-type': 'video/mp4' },
    body: JSON.stringify({ snippet: { title: 'Made to measure with' }, status: { privacyStatus: 'unlisted' } }),
  });
  const address = started.headers.get('location');
  if (!address) throw new Error(`No session was started: ${started.status} ${await started.text()}`);
  return { authorization, address };
}

process.on('message', async (task: UploadTask) => process.send?.({ ms: await upload(task) }));
process.once('disconnect', () => process.exit());
process.send?.({ pid: process.pid });
