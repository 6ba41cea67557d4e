import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { getVideo } from '#contracts/interviews.ts';
import { createUpload, listUploads } from '#contracts/uploads.ts';
import { sample, silentMp3, writeLoopedSound } from '#support/make-recording.ts';
import { setUpProcessing, stepsOf } from '#support/processing.ts';
import { until } from '#support/until.ts';

/** Recorders write one in front of the sound. */
const EMPTY_TAG = Buffer.from('ID3\x04\x00\x00\x00\x00\x00\x00', 'latin1');
const NO_PICTURE = 'Audio only. YouTube needs video; you can still transcribe and summarize.';

const cleanup = new AsyncDisposableStack();
let setUp: Awaited<ReturnType<typeof setUpProcessing>>;
/** Sound of an interview, as phones record it. */
let aac: Buffer;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'uploaded-sound-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  setUp = await setUpProcessing({ onFinished: (stop) => cleanup.defer(stop) });
  const { product, funnelId } = setUp;
  await product.db.updateTable('funnel').set({ source: 'upload' }).where('id', '=', funnelId).execute();
  await writeLoopedSound(join(folder, 'sound.mp4'), await sample('eng-career-change.mp4'), 18);
  aac = await readFile(join(folder, 'sound.mp4'));
  return () => cleanup.disposeAsync();
});

/** Uploads a recording and returns the steps of its interview. */
async function upload(fileName: string, content: Buffer) {
  const { product, recruiter, funnelId } = setUp;
  const { id } = await recruiter.call(createUpload, {
    body: { funnelId, fileName, size: content.length, modifiedAt: '2026-11-20T08:00:00Z', candidateName: 'Dana Moore' },
  });
  const { statusCode } = await product.app.inject({
    method: 'PATCH',
    url: `/api/uploads/${id}/content`,
    headers: {
      cookie: recruiter.cookie ?? '',
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    payload: content,
  });
  expect(statusCode).toBe(204);
  await until('it is an interview', async () =>
    (await recruiter.call(listUploads, {})).some((one) => one.id === id && one.state === 'done'),
  );
  return stepsOf(recruiter, id);
}

const withBrand = (brand: string) => {
  const content = Buffer.from(aac);
  content.write(brand, 8, 'latin1');
  return content;
};

describe('an uploaded recording of sound only', () => {
  test.each([
    ['dana.m4a', () => withBrand('M4A '), 'm4a'],
    ['phone.m4a with the brand of a video', () => withBrand('mp42'), 'mp4'],
  ])('%s is transcribed and summarized, and not converted', async (name, content, extension) => {
    const { sandbox, recruiter } = setUp;
    const { id, done } = await upload(name, content());
    expect(await recruiter.call(getVideo, { params: { id } })).toMatchObject({ videoFile: `${id}.${extension}` });
    const { transcriptionText } = await done('transcribe');
    expect(transcriptionText).toMatch(/\w+ \w+/);
    expect(await done('summarize')).toMatchObject({ summaryStatus: 'completed' });
    const { youtubeStatus, processingStatus } = await done('convert');
    expect([youtubeStatus, processingStatus.youtube?.error]).toEqual(['failed', NO_PICTURE]);
    expect(sandbox.control.published()).toEqual([]);
  });

  test('dana.mp3 is sent to the transcription service as mp3, and not converted', async () => {
    const { id, done } = await upload('dana.mp3', Buffer.concat([EMPTY_TAG, silentMp3(10)]));
    const { recruiter } = setUp;
    expect(await recruiter.call(getVideo, { params: { id } })).toMatchObject({ videoFile: `${id}.mp3` });
    expect((await recruiter.request({ method: 'GET', url: `/api/files/video/${id}.mp3` })).headers).toMatchObject({
      'content-type': 'audio/mpeg',
    });
    const { duration, processingStatus } = await done('transcribe');
    expect(duration).toBe(10);
    // The service received a file that it can read.
    expect(processingStatus.transcription?.error).toContain('only recognizes the sound of');
    expect((await done('convert')).processingStatus.youtube?.error).toBe(NO_PICTURE);
  });
});
