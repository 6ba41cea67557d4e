import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getInterview, saveTranscript } from '#contracts/interviews.ts';
import { type LogEntry, listLogs } from '#contracts/logs.ts';
import { convertInterview } from '#contracts/processing.ts';
import type { ProductProcess } from '#support/start-process.ts';
import { until } from '#support/until.ts';
import { smallDisk } from './support/small-disk.ts';
import { activateFunnelOf, refresh, type Stage, setStage } from './support/stage.ts';

const FUNNEL = 'warehouse';
const MB = 2 ** 20;

/** Waits until the staff can read of it. */
const told = (product: ProductProcess, words: RegExp): Promise<LogEntry> =>
  until(
    `the log says ${words}`,
    async () =>
      (await product.call(listLogs, { query: { limit: 50 } })).logs.find(({ summary }) => words.test(summary)),
    30_000,
  );

const missing = async ({ ask }: Stage): Promise<number> => {
  const [row] = await ask<{ n: string }>(
    'SELECT count(*) AS n FROM interview WHERE video_url IS NOT NULL AND video_file IS NULL',
  );
  return Number(row?.n);
};

test('the disk of the files fills up during a refresh: the rest waits for the next one, once there is room', async () => {
  const stage = await setStage();
  const disk = await smallDisk(join(stage.env.DATA_DIR, 'files'), 200);
  const product = await stage.start();
  await activateFunnelOf(product, stage.sandbox, FUNNEL);
  await refresh(product);
  await disk.fill(84 * MB);
  stage.sandbox.control.grow(FUNNEL, 8, { videoBytes: 8 * MB });

  const status = await refresh(product);
  expect(status).toMatchObject({
    error: null,
    message: expect.stringMatching(/files? could not be downloaded: The disk is full/),
  });
  expect(await missing(stage)).toBeGreaterThan(2);
  expect(await told(product, /could not be downloaded/)).toMatchObject({ status: 'warning' });

  await disk.empty();
  expect((await refresh(product)).message).not.toContain('could not');
  expect(await missing(stage)).toBe(0);
  await stage.settled();
  await stage.expectWhole();
});

test('the disk of the files is full: staff are told, what needs no disk works, and all goes on once there is room', async () => {
  const stage = await setStage();
  const disk = await smallDisk(join(stage.env.DATA_DIR, 'files'), 120);
  const product = await stage.start();
  await activateFunnelOf(product, stage.sandbox, FUNNEL);
  await refresh(product);
  const id = stage.sandbox.control.interviews(FUNNEL)[0]?.id ?? '';
  await disk.fill(0);
  expect(await told(product, /^Videos and thumbnails cannot be stored\. The disk is full/)).toMatchObject({
    type: 'error',
  });
  await product.call(saveTranscript, { params: { id }, body: { transcriptionText: 'Still saved' } });
  await product.call(convertInterview, { params: { id } });
  await stage.settled();
  expect((await product.call(getInterview, { params: { id } })).youtubeStatus).toBe('completed');
  await disk.empty();
  await told(product, /can be stored again/);
});

test('the file store is read-only: staff are told what to allow, and the next refresh fetches what is missing', async () => {
  const stage = await setStage();
  const disk = await smallDisk(join(stage.env.DATA_DIR, 'files'), 120);
  const product = await stage.start();
  await activateFunnelOf(product, stage.sandbox, FUNNEL);
  await disk.readOnly(true);
  const status = await refresh(product);
  expect(status).toMatchObject({ error: null, message: expect.stringContaining('The file store may not be written') });
  expect(await told(product, /^Videos and thumbnails cannot be stored\. .*may not be written/)).toMatchObject({
    type: 'error',
  });
  await disk.readOnly(false);
  await told(product, /can be stored again/);
  await refresh(product);
  expect(await missing(stage)).toBe(0);
  await stage.settled();
  await stage.expectWhole();
});

test('one disk for everything fills up with videos: the database keeps enough to work', async () => {
  const stage = await setStage();
  await smallDisk(stage.env.DATA_DIR, 400);
  const product = await stage.start();
  await activateFunnelOf(product, stage.sandbox, FUNNEL);
  stage.sandbox.control.grow(FUNNEL, 60, { videoBytes: 8 * MB });
  const status = await refresh(product);
  expect(status).toMatchObject({ error: null, message: expect.stringContaining('The disk is full') });
  const id = stage.sandbox.control.interviews(FUNNEL)[0]?.id ?? '';
  await product.call(saveTranscript, { params: { id }, body: { transcriptionText: 'Still saved' } });
  expect(await missing(stage)).toBeGreaterThan(5);
});

test('the disk of the database fills up: whoever saves is told why, nothing that was saved is lost, and it goes on once there is room', async () => {
  const stage = await setStage();
  const disk = await smallDisk(stage.env.DATA_DIR, 400);
  const product = await stage.start();
  await activateFunnelOf(product, stage.sandbox, FUNNEL);
  await refresh(product);
  const ids = stage.sandbox.control.interviews(FUNNEL).map(({ id }) => id);
  await disk.fill(0);

  const saved = new Map<string, string>();
  const refusal = await until(
    'saving is refused',
    async () => {
      const id = ids[saved.size % ids.length] ?? '';
      const transcriptionText = randomBytes(70_000).toString('hex');
      try {
        await product.call(saveTranscript, { params: { id }, body: { transcriptionText } });
        saved.set(id, transcriptionText);
        return null;
      } catch (error) {
        return String(error);
      }
    },
    60_000,
  );
  expect(refusal).toMatch(/503: .*(the disk of the database is full|The database cannot be reached)/);
  expect(refusal).toContain('"code":"unavailable"');

  await disk.empty();
  await until(
    'it saves again',
    async () => {
      const body = { transcriptionText: 'Saved again' };
      return product.call(saveTranscript, { params: { id: ids.at(-1) ?? '' }, body }).then(
        () => true,
        () => false,
      );
    },
    60_000,
  );
  for (const [id, text] of saved) {
    if (id === ids.at(-1)) continue;
    expect((await product.call(getInterview, { params: { id } })).transcriptionText === text).toBe(true);
  }
  await told(product, /^The database could not (store anything|be reached) for/);
  await refresh(product);
  await stage.settled();
  await stage.expectWhole();
  expect(await product.terminate()).toBe(0);
});
