import { expect, test } from 'vitest';
import { getBulkRun, startBulkRun } from '#contracts/bulk.ts';
import { listLogs } from '#contracts/logs.ts';
import { startSync } from '#contracts/sync.ts';
import { activeFunnel, allInterviews, FUNNEL, surroundings } from './support/process-surroundings.ts';
import { startProcess } from './support/start-process.ts';
import { startSandbox } from './support/start-sandbox.ts';
import { until } from './support/until.ts';

const AMOUNT = 2_000;

test('after a kill during a bulk run, every interview is archived exactly once', { timeout: 90_000 }, async () => {
  const sandbox = await startSandbox();
  for (const { id } of sandbox.control.interviews(FUNNEL)) sandbox.control.remove(FUNNEL, id);
  const grown = sandbox.control.grow(FUNNEL, AMOUNT);
  sandbox.control.add(FUNNEL, ...grown.map((interview) => ({ ...interview, videoUrl: null, thumbnailUrl: null })));
  const env = await surroundings(sandbox);
  const first = await startProcess(env);
  await activeFunnel(first, sandbox);
  await first.call(startSync, { query: {} });
  await until('everything is there', async () => (await allInterviews(first)).total === AMOUNT, 60_000);

  const target = { filter: {}, expected: AMOUNT };
  const { id } = await first.call(startBulkRun, { body: { action: 'archive', target } });
  const read = (product: typeof first) => product.call(getBulkRun, { params: { id } });
  await until('a part is done', async () => (await read(first)).done > 0);
  await first.kill();

  const second = await startProcess(env);
  const run = await until(
    'the run ends',
    async () => {
      const report = await read(second);
      return report.status === 'running' ? null : report;
    },
    30_000,
  );
  expect(run).toMatchObject({ status: 'completed', total: AMOUNT, done: AMOUNT, skipped: 0, failed: 0 });
  const { logs } = await second.call(listLogs, { query: { limit: '100' } as never });
  const ids = logs
    .filter(({ metadata, status }) => metadata?.bulkRunId === id && status === 'info')
    .flatMap(({ details }) => details?.interviews as { interviewId: string }[])
    .map(({ interviewId }) => interviewId);
  expect([ids.length, new Set(ids).size]).toEqual([AMOUNT, AMOUNT]);
});
