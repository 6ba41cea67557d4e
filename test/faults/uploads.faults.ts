import { createHash } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Upload } from 'tus-js-client';
import { expect, onTestFinished, test } from 'vitest';
import { createFunnel } from '#contracts/funnels.ts';
import { createUpload, listUploads } from '#contracts/uploads.ts';
import { sample } from '#support/make-recording.ts';
import { type ProductProcess, startProcess } from '#support/start-process.ts';
import { createTestDatabase } from '#support/test-database.ts';
import { until } from '#support/until.ts';

const checksum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function surroundings() {
  const folder = await mkdtemp(join(tmpdir(), 'interviews-uploads-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  return { DATA_DIR: folder, DATABASE_URL: database.applicationUrl, DATABASE_OWNER_URL: database.url };
}

/** Sends the beginning of an upload and leaves the connection open. */
function sendStart({ origin, cookie }: ProductProcess, id: string, bytes: Uint8Array, length: number): void {
  const call = request(`${origin}/api/uploads/${id}/content`, {
    method: 'PATCH',
    headers: {
      cookie,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': String(length),
    },
  });
  call.on('error', () => {});
  call.write(bytes);
}

/** Continues at the offset that the server returns, as the browser does. */
const resume = ({ origin, cookie }: ProductProcess, id: string, content: Buffer) =>
  new Promise<number>((resolve, reject) => {
    let resumedAt = -1;
    new Upload(content, {
      uploadUrl: `${origin}/api/uploads/${id}/content`,
      headers: { cookie },
      onProgress: (sent) => {
        if (resumedAt < 0) resumedAt = sent;
      },
      onSuccess: () => resolve(resumedAt),
      onError: reject,
    }).start();
  });

test('after a kill during an upload from a browser, it resumes where it stopped and the file is the same', {
  timeout: 60_000,
}, async () => {
  const env = await surroundings();
  const content = await sample('eng-microphone-off.mp4');
  const half = Math.floor(content.length / 2);
  const first = await startProcess(env);
  const form = { name: 'Nurses', apiKey: 'none', funnelId: 'nurses', source: 'upload' as const };
  const { id: funnelId } = await first.call(createFunnel, { body: form });
  const { id } = await first.call(createUpload, {
    body: {
      funnelId,
      fileName: 'dana.mp4',
      size: content.length,
      modifiedAt: '2026-11-20T08:00:00Z',
      candidateName: 'Dana Moore',
    },
  });
  sendStart(first, id, content.subarray(0, half), content.length);
  const partial = join(env.DATA_DIR, 'files/partial/videos', id);
  await until('half of it has arrived', async () => (await stat(partial).catch(() => null))?.size === half);
  await first.kill();

  const second = await startProcess(env);
  await second.call(listUploads, {});
  expect(await resume(second, id, content)).toBe(half);
  await until('it is an interview', async () => (await second.call(listUploads, {}))[0]?.state === 'done', 30_000);
  const stored = await fetch(`${second.origin}/api/files/video/${id}.mp4`, { headers: { cookie: second.cookie } });
  expect(checksum(new Uint8Array(await stored.arrayBuffer()))).toBe(checksum(content));
});
