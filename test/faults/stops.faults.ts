import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { getInterview } from '#contracts/interviews.ts';
import { convertInterview, summarizeInterview, transcribeInterview } from '#contracts/processing.ts';
import { startSync } from '#contracts/sync.ts';
import type { ProductProcess } from '#support/start-process.ts';
import { activateFunnelOf, chance, onTestEnd, rawClient, refresh, type Stage, setStage } from './support/stage.ts';

const FUNNEL = 'warehouse';
const LIMIT_MS = 15_000;

/**
 * Starts a product and makes it busy with a refresh that downloads files and one step of each kind.
 */
async function startBusy(stage: Stage): Promise<{ product: ProductProcess; ids: string[] }> {
  const { control } = stage.sandbox;
  const product = await stage.start();
  await activateFunnelOf(product, stage.sandbox, FUNNEL);
  await refresh(product);
  const ids = control.interviews(FUNNEL).map(({ id }) => id);
  control.grow(FUNNEL, 500);
  control.grow(FUNNEL, 30, { videoBytes: 600_000 });
  for (const on of ['interviews', 'media', 'google', 'transcription', 'chat'])
    control.fail({ kind: 'latency', ms: 250, on });
  await product.call(startSync, { query: {} });
  await product.call(convertInterview, { params: { id: ids[0] ?? '' } });
  await product.call(transcribeInterview, { params: { id: ids[1] ?? '' } });
  await product.call(summarizeInterview, { params: { id: ids[2] ?? '' } });
  return { product, ids };
}

async function endsInTime(product: ProductProcess): Promise<void> {
  const startedAt = performance.now();
  expect(await product.terminate()).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
}

async function expectFinished(stage: Stage, ids: readonly string[]): Promise<void> {
  stage.sandbox.control.clearFaults();
  stage.sandbox.control.fail({ kind: 'processing-takes', polls: 0 });
  const next = await stage.start();
  await stage.settled();
  const [published, transcribed, summarized] = await Promise.all(
    ids.slice(0, 3).map((id) => next.call(getInterview, { params: { id } })),
  );
  expect([published?.youtubeStatus, transcribed?.transcriptionStatus, summarized?.summaryStatus]).toEqual(
    Array(3).fill('completed'),
  );
  await stage.expectConsistent();
  await endsInTime(next);
}

const moment = chance('SIGTERM');
for (let turn = 1; turn <= 5; turn += 1) {
  test(`SIGTERM at random moment ${turn} of busy work ends the process in order, and the next process completes the work`, async () => {
    const stage = await setStage();
    const { product, ids } = await startBusy(stage);
    await pause(moment() * 2_000);
    await endsInTime(product);
    await expectFinished(stage, ids);
  });
}

test('SIGTERM while every service hangs ends the process in order, and the next process completes the work', async () => {
  const stage = await setStage();
  const { product, ids } = await startBusy(stage);
  stage.sandbox.control.clearFaults();
  for (const on of ['interviews', 'media', 'google', 'transcription', 'chat'])
    stage.sandbox.control.fail({ kind: 'hang', on });
  await pause(500);
  await endsInTime(product);
  await expectFinished(stage, ids);
});

test('SIGTERM closes open sockets with 1001 and ends in order despite slow readers and an incomplete request', async () => {
  const stage = await setStage();
  const { product, ids } = await startBusy(stage);
  const socket = new WebSocket(`${product.origin.replace('http', 'ws')}/ws`, {
    headers: { origin: product.origin, cookie: product.cookie },
  });
  onTestEnd(() => socket.terminate());
  await once(socket, 'open');
  const half = await rawClient(product.origin);
  half.write(
    'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  );
  const [row] = await stage.ask<{ video_file: string }>(
    'SELECT video_file FROM interview WHERE video_file IS NOT NULL LIMIT 1',
  );
  const slow = await rawClient(product.origin);
  slow.pause();
  slow.write(
    `GET /api/files/video/${row?.video_file} HTTP/1.1\r\nHost: localhost\r\nCookie: ${product.cookie}\r\n\r\n`,
  );
  const closed = once(socket, 'close');
  await endsInTime(product);
  expect((await closed)[0]).toBe(1001);
  await expectFinished(stage, ids);
});

test('a second SIGTERM is ignored', async () => {
  const stage = await setStage();
  const { product, ids } = await startBusy(stage);
  process.kill(product.pid, 'SIGTERM');
  await endsInTime(product);
  await expectFinished(stage, ids);
});
