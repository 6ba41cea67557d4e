import { expect, test } from 'vitest';
import { deleteFunnel } from '#contracts/funnels.ts';
import { listLogs } from '#contracts/logs.ts';
import { cancelSync, dismissSyncError, getSyncStatus, startSync, startSyncOfAll } from '#contracts/sync.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { type Person, refusal } from '#support/call.ts';
import { FUNNEL, setUpRefresh } from '#support/refreshing.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';

/** A product with the active job Warehouse, and then Nurse and Support. */
async function setUpJobs() {
  const refreshing = await setUpRefresh();
  const { product, recruiter, sandbox } = refreshing;
  const addJob = (name: string, funnelId: string) =>
    product.build.funnel(recruiter, { ...sandbox.funnels.find((one) => one.funnelId === funnelId), name });
  const support = await addJob('Support', 'customer-support');
  const nurse = await addJob('Nurse', 'nursing');
  await product.build.funnel(recruiter, { name: 'Walk-ins', source: 'upload', funnelId: 'walk-ins' });
  return { ...refreshing, ids: { support, nurse, warehouse: refreshing.funnelId } };
}

/** The names of the funnels whose refreshes have ended, in their order. */
async function endedJobs(recruiter: Person): Promise<string[]> {
  const { logs } = await recruiter.call(listLogs, { query: { limit: 100 } });
  const ends = logs.filter(({ action }) => action === 'sync-interviews').reverse();
  return ends.map(({ details }) => (details as { funnelName: string }).funnelName);
}

const isAt = (recruiter: Person, position: number) =>
  until(`refresh ${position} runs`, async () => {
    const { queue } = await recruiter.call(getSyncStatus, {});
    return queue?.position === position;
  });

test('all jobs are refreshed one after another, the active one first, and one message sums them up', async () => {
  const { product, recruiter, sandbox, funnel } = await setUpJobs();
  const { message, status } = await recruiter.call(startSyncOfAll, {});
  expect(message).toBe('Refreshing 3 jobs. New interviews appear as they arrive.');
  expect(status).toMatchObject({ inProgress: true, queue: { position: 1, total: 3 } });
  const end = await product.refreshEnded(recruiter);
  const count = [FUNNEL, 'nursing', 'customer-support'].flatMap((id) => sandbox.control.interviews(id)).length;
  expect(end).toMatchObject({
    error: null,
    message: `3 jobs, ${count} interviews checked: ${count} new, 0 updated.`,
    queue: { position: 3, total: 3 },
  });
  expect(await endedJobs(recruiter)).toEqual([funnel.name, 'Nurse', 'Support']);
});

test('only one of several concurrent refreshes of all jobs starts', async () => {
  const { product, recruiter } = await setUpJobs();
  const starts = await Promise.all(
    Array.from({ length: 4 }, () => recruiter.request({ method: 'POST', url: startSyncOfAll.path })),
  );
  expect(starts.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409]);
  await product.refreshEnded(recruiter);
});

test('a job that fails does not stop the others, and is reported at the end', async () => {
  const { product, recruiter, sandbox, funnel } = await setUpJobs();
  sandbox.control.fail({ kind: 'status', status: 401, funnelId: 'nursing' });
  await recruiter.call(startSyncOfAll, {});
  const end = await product.refreshEnded(recruiter);
  expect(end.error).toMatch(/^1 of 3 jobs failed\. Nurse: .+/);
  expect(await endedJobs(recruiter)).toEqual([funnel.name, 'Nurse', 'Support']);
  expect((await recruiter.call(dismissSyncError, {})).error).toBeNull();
});

test('Cancel stops the running and the waiting refreshes, and other starts are rejected until then', async () => {
  const { product, recruiter, sandbox, funnel } = await setUpJobs();
  sandbox.control.fail({ kind: 'latency', ms: 300 });
  await recruiter.call(startSyncOfAll, {});
  for (const start of [() => recruiter.call(startSync, { query: {} }), () => recruiter.call(startSyncOfAll, {})]) {
    const { status, body } = await refusal(start());
    expect([status, body.code]).toEqual([409, 'sync_running']);
  }
  await recruiter.call(cancelSync, {});
  expect(await product.refreshEnded(recruiter)).toMatchObject({ cancelRequested: true, queue: { position: 1 } });
  expect(await endedJobs(recruiter)).toEqual([funnel.name]);
});

test('a restart continues with the refreshes that wait', async () => {
  const { product, recruiter, sandbox } = await setUpJobs();
  const slow = sandbox.control.fail({ kind: 'latency', ms: 300 });
  await recruiter.call(startSyncOfAll, {});
  await product.stop();
  slow.stop();
  const next = await startApp({ env: productVariables(sandbox), database: product.database, dataDir: product.dataDir });
  const again = await next.signedIn();
  expect(await next.refreshEnded(again)).toMatchObject({ error: null, queue: { position: 3, total: 3 } });
  expect(await endedJobs(again)).toHaveLength(3);
});

test('a job that is deleted while it waits or runs leaves the others in the queue', async () => {
  const { product, recruiter, sandbox, ids } = await setUpJobs();
  sandbox.control.fail({ kind: 'latency', ms: 200 });
  await recruiter.call(startSyncOfAll, {});
  await recruiter.call(deleteFunnel, { params: { id: ids.nurse } });
  await recruiter.call(deleteFunnel, { params: { id: ids.warehouse } });
  await isAt(recruiter, 3);
  await product.refreshEnded(recruiter);
  expect((await endedJobs(recruiter)).at(-1)).toBe('Support');
});

test('a refresh of all jobs is rejected if no job has a configured service', async () => {
  const product = await startApp();
  const recruiter = await product.signedIn();
  await product.build.activeFunnel(recruiter);
  const { status, body } = await refusal(recruiter.call(startSyncOfAll, {}));
  expect([status, body.message]).toEqual([409, 'You have no jobs to refresh. Add a funnel first.']);
});
