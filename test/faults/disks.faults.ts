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

/** Resolves with the first log entry whose summary matches. */
const logged = (product: ProductProcess, pattern: RegExp): Promise<LogEntry> =>
  until(
    `the log contains ${pattern}`,
    async () =>
      (await product.call(listLogs, { query: { limit: 50 } })).logs.find(({ summary }) => pattern.test(summary)),
    30_000,
  );

async function readiness({ origin }: ProductProcess): Promise<[number, string, string]> {
  const response = await fetch(`${origin}/readyz`);
  const { status, checks } = (await response.json()) as { status: string; checks: { files: string } };
  return [response.status, status, checks.files];
}

const missing = async ({ ask }: Stage): Promise<number> => {
  const [row] = await ask<{ n: string }>(
    'SELECT count(*) AS n FROM interview WHERE video_url IS NOT NULL AND video_file IS NULL',
  );
  return Number(row?.n);
};

test('files that find the disk full during a refresh are downloaded by a later refresh', async () => {
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
  expect(await logged(product, /could not be downloaded/)).toMatchObject({ status: 'warning' });

  await disk.empty();
  expect((await refresh(product)).message).not.toContain('could not');
  expect(await missing(stage)).toBe(0);
  await stage.settled();
  await stage.expectConsistent();
});

test('a full file disk is logged, other work continues, and the recovery is logged', async () => {
  const stage = await setStage();
  const disk = await smallDisk(join(stage.env.DATA_DIR, 'files'), 120);
  const product = await stage.start();
  await activateFunnelOf(product, stage.sandbox, FUNNEL);
  await refresh(product);
  const id = stage.sandbox.control.interviews(FUNNEL)[0]?.id ?? '';
  await disk.fill(0);
  expect(await logged(product, /^Videos and thumbnails cannot be stored\. The disk is full/)).toMatchObject({
    type: 'error',
  });
  expect(await readiness(product)).toEqual([200, 'degraded', 'cannot be written (full)']);
  await product.call(saveTranscript, { params: { id }, body: { transcriptionText: 'Still saved' } });
  await product.call(convertInterview, { params: { id } });
  await stage.settled();
  expect((await product.call(getInterview, { params: { id } })).youtubeStatus).toBe('completed');
  await disk.empty();
  await logged(product, /can be stored again/);
});

test('a process that starts while the file disk is full gets requests', async () => {
  const stage = await setStage();
  const disk = await smallDisk(join(stage.env.DATA_DIR, 'files'), 120);
  await disk.fill(0);
  expect(await readiness(await stage.start())).toEqual([200, 'degraded', 'cannot be written (full)']);
});

test('a read-only file store is logged with advice, and a later refresh downloads the missing files', async () => {
  const stage = await setStage();
  const disk = await smallDisk(join(stage.env.DATA_DIR, 'files'), 120);
  const product = await stage.start();
  await activateFunnelOf(product, stage.sandbox, FUNNEL);
  await disk.readOnly(true);
  const status = await refresh(product);
  expect(status).toMatchObject({ error: null, message: expect.stringContaining('The file store is read-only') });
  expect(await logged(product, /^Videos and thumbnails cannot be stored\. .*Allow the server to write/)).toMatchObject({
    type: 'error',
  });
  expect(await readiness(product)).toEqual([200, 'degraded', 'cannot be written (read only)']);
  await disk.readOnly(false);
  await logged(product, /can be stored again/);
  await refresh(product);
  expect(await missing(stage)).toBe(0);
  await stage.settled();
  await stage.expectConsistent();
});

test('the database keeps enough space when videos fill the shared disk', async () => {
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

test('a full database disk is reported to the client, loses nothing that was saved, and recovers', async () => {
  const stage = await setStage();
  const disk = await smallDisk(stage.env.DATA_DIR, 400);
  const product = await stage.start();
  await activateFunnelOf(product, stage.sandbox, FUNNEL);
  await refresh(product);
  const ids = stage.sandbox.control.interviews(FUNNEL).map(({ id }) => id);
  await disk.fill(0);

  const saved = new Map<string, string>();
  const refusal = await until(
    'saving is rejected',
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
  expect(refusal).toMatch(/503: .*(the database disk is full|The database can't be reached)/);
  expect(refusal).toContain('"code":"unavailable"');

  await disk.empty();
  await until(
    'saving works again',
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
  await logged(product, /^The database (could not save anything|was unreachable) for/);
  await refresh(product);
  await stage.settled();
  await stage.expectConsistent();
  expect(await product.terminate()).toBe(0);
});
