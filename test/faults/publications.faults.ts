import { expect, test } from 'vitest';
import { getInterview, type Interview } from '#contracts/interviews.ts';
import { convertInterview } from '#contracts/processing.ts';
import { getSyncStatus, startSync } from '#contracts/sync.ts';
import { activeFunnel, FUNNEL, surroundings } from '#support/process-surroundings.ts';
import { type ProductProcess, startProcess } from '#support/start-process.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';

const VIDEO_BYTES = 40 * 2 ** 20;
/** Bytes of one upload request. */
const CHUNK_BYTES = 8 * 2 ** 20;

async function refreshed(product: ProductProcess): Promise<void> {
  await product.call(startSync, { query: {} });
  await until(
    'the refresh ends',
    async () => {
      const { inProgress } = await product.call(getSyncStatus, {});
      return !inProgress;
    },
    30_000,
  );
}

const read = (product: ProductProcess, id: string) => product.call(getInterview, { params: { id } });

/** Waits for a state of the interview. The step of a killed process resumes within 30 seconds. */
const becomes = (product: ProductProcess, id: string, what: string, is: (interview: Interview) => boolean) =>
  until(
    what,
    async () => {
      const interview = await read(product, id);
      return is(interview) ? interview : null;
    },
    30_000,
  );

test('after a kill during a publication, its upload to YouTube resumes and one video exists', {
  timeout: 90_000,
}, async () => {
  const sandbox = await startSandbox();
  for (const { id } of sandbox.control.interviews(FUNNEL)) sandbox.control.remove(FUNNEL, id);
  const [{ id = '' } = {}] = sandbox.control.grow(FUNNEL, 1, { videoBytes: VIDEO_BYTES });
  const env = await surroundings(sandbox);
  const first = await startProcess(env);
  await activeFunnel(first, sandbox);
  await refreshed(first);
  sandbox.control.fail({ kind: 'latency', ms: 400, on: 'google' });
  await first.call(convertInterview, { params: { id } });
  await until('some chunks have arrived', () => (sandbox.control.uploads()[0]?.kept ?? 0) >= 2 * CHUNK_BYTES);
  await first.kill();
  sandbox.control.clearFaults();

  const second = await startProcess(env);
  await becomes(second, id, 'it is published', ({ youtubeStatus }) => youtubeStatus === 'completed');
  expect(sandbox.control.published()).toMatchObject([{ sizeBytes: VIDEO_BYTES }]);
  const [upload, ...others] = sandbox.control.uploads();
  expect(others).toEqual([]);
  const received = upload?.ranges.reduce((sum, { start, end }) => sum + end - start, 0) ?? 0;
  expect(received).toBeLessThanOrEqual(VIDEO_BYTES + CHUNK_BYTES);
});
