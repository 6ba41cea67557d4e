import { expect, test } from 'vitest';
import { startBulkRun } from '#contracts/bulk.ts';
import { createFunnel } from '#contracts/funnels.ts';
import { getInterview } from '#contracts/interviews.ts';
import { transcribeInterview } from '#contracts/processing.ts';
import { createUpload, listUploads } from '#contracts/uploads.ts';
import { startClamd } from '#support/clamd.ts';
import { sample } from '#support/make-recording.ts';
import type { ProductProcess } from '#support/start-process.ts';
import { until } from '#support/until.ts';
import { activateFunnelOf, refresh, type Stage, setStage } from './support/stage.ts';

const FUNNEL = 'warehouse';
const ENDED = /server ended three times/;

/** Kills the product whenever an attempt has called the service, as if its response did that. */
async function killDuringWork(stage: Stage, first: ProductProcess, calls: () => number): Promise<ProductProcess> {
  let running = first;
  for (const attempt of [1, 2, 3]) {
    await until(`attempt ${attempt} has begun`, () => calls() >= attempt, 30_000);
    await running.kill();
    running = await stage.start();
  }
  return running;
}

test('a step whose work ends the process fails with the fourth process', { timeout: 240_000 }, async () => {
  const stage = await setStage();
  const product = await stage.start();
  await activateFunnelOf(product, stage.sandbox, FUNNEL);
  await refresh(product);
  const [{ id }] = stage.sandbox.control.interviews(FUNNEL) as [{ id: string }];
  const hanging = stage.sandbox.control.fail({ kind: 'hang', on: 'transcription' });
  await product.call(transcribeInterview, { params: { id } });
  const last = await killDuringWork(stage, product, hanging.hits);
  await stage.settled(20_000);
  const interview = await last.call(getInterview, { params: { id } });
  expect([interview.transcriptionStatus, interview.processingStatus.transcription?.error]).toEqual([
    'failed',
    expect.stringMatching(ENDED),
  ]);
});

test('a bulk run whose work ends the process fails with the fourth process', async () => {
  const stage = await setStage({ TRANSCRIPTION_URL: '' });
  const product = await stage.start();
  await activateFunnelOf(product, stage.sandbox, FUNNEL);
  await refresh(product);
  const [{ id }] = stage.sandbox.control.interviews(FUNNEL) as [{ id: string }];
  const hanging = stage.sandbox.control.fail({ kind: 'hang' });
  await product.call(startBulkRun, { body: { action: 'transcribe', target: { ids: [id] } } });
  await killDuringWork(stage, product, hanging.hits);
  await stage.settled(20_000);
  expect(await stage.ask('SELECT status, error FROM bulk_run')).toEqual([
    { status: 'failed', error: expect.stringMatching(ENDED) },
  ]);
});

test('an upload whose check ends the process is rejected by the fourth process', async () => {
  const clamd = await startClamd();
  clamd.mood = 'hangs';
  const stage = await setStage({ CLAMD_ADDRESS: clamd.address });
  const product = await stage.start();
  const form = { name: 'Nurses', apiKey: 'none', funnelId: 'nurses', source: 'upload' as const };
  const { id: funnelId } = await product.call(createFunnel, { body: form });
  const content = await sample('eng-microphone-off.mp4');
  const { id } = await product.call(createUpload, {
    body: {
      funnelId,
      fileName: 'dana.mp4',
      size: content.length,
      modifiedAt: '2026-11-20T08:00:00Z',
      candidateName: 'D',
    },
  });
  await send(product, id, content);
  const last = await killDuringWork(stage, product, () => clamd.streams);
  await stage.settled(20_000);
  const [upload] = await last.call(listUploads, {});
  expect([upload?.state, upload?.problem]).toEqual(['failed', expect.stringMatching(ENDED)]);
});

async function send({ origin, cookie }: ProductProcess, id: string, content: Buffer): Promise<void> {
  const { status } = await fetch(`${origin}/api/uploads/${id}/content`, {
    method: 'PATCH',
    headers: {
      cookie,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: content,
  });
  expect(status).toBe(204);
}
