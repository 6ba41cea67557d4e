import { describe, expect, test } from 'vitest';
import { getBulkRun, startBulkRun } from '#contracts/bulk.ts';
import { deleteFunnel } from '#contracts/funnels.ts';
import { saveSummary, setDestination } from '#contracts/interviews.ts';
import { candidateCommand } from '#support/candidate.ts';
import { connectBullhorn } from '#support/connect-bullhorn.ts';
import { AMARA, BULLHORN_CALLS, setUpSending } from '#support/sending.ts';
import { until } from '#support/until.ts';
import { waitingSessions } from '#support/waiting-sessions.ts';

const RETRY = { delaysMs: [100], parkMs: 200, repeatAfterMs: [8_000], giveUpMs: 60_000, checkTimeoutMs: 5_000 };

/** The reply of a creation is lost, and the sign-in is revoked before a search shows the note. */
async function setUpUnclear(isStored: boolean) {
  const world = await setUpSending({ paces: { pushRetry: RETRY } });
  const { sandbox, product, send, reaches, read } = world;
  const path = `${BULLHORN_CALLS}entity/Note*`;
  if (isStored) sandbox.control.fail({ kind: 'ats-response-lost', path, times: 1 });
  else sandbox.control.fail({ kind: 'reset', when: 'before-headers', on: 'bullhorn', path, times: 1 });
  sandbox.control.fail({ kind: 'ats-index-lags', ms: 600_000 });
  await send();
  await reaches('unclear');
  sandbox.control.fail({ kind: 'status', status: 401, on: 'bullhorn', path: `${BULLHORN_CALLS}search/Note*` });
  await until('no more attempts follow', async () => (await read())?.error?.includes('npm run ats:connect') || null);
  sandbox.control.clearFaults();
  await connectBullhorn(product);
  return world;
}

describe('a note that stayed unclear', () => {
  test.each([true, false])('is sent to a corrected destination once (stored before: %s)', async (isStored) => {
    const { sandbox, recruiter, send, reaches, notes } = await setUpUnclear(isStored);
    await recruiter.call(setDestination, { params: { id: 'iv_1' }, body: { destinationId: 'BUB-4711-93' } });
    await recruiter.call(saveSummary, { params: { id: 'iv_1' }, body: { summaryText: 'Overview\nNew.' } });
    const lag = sandbox.control.fail({ kind: 'ats-index-lags', ms: 60_000 });
    expect(await send()).toMatchObject({ state: 'pending', error: null });
    await reaches('unclear');
    expect(notes()).toHaveLength(isStored ? 1 : 0);
    lag.stop();
    await reaches('sent');
    expect(notes()).toMatchObject([{ jobOrder: { id: 93 }, comments: expect.stringContaining('New.') }]);
  });

  test('is continued by a bulk run', async () => {
    const { recruiter, reaches, notes } = await setUpUnclear(true);
    const { id } = await recruiter.call(startBulkRun, { body: { action: 'sendToAts', target: { ids: ['iv_1'] } } });
    const run = await until('the run ends', async () => {
      const report = await recruiter.call(getBulkRun, { params: { id } });
      return report.status === 'running' ? null : report;
    });
    expect(run).toMatchObject({ done: 1, skipped: 0 });
    await reaches('sent');
    expect(notes()).toHaveLength(1);
  });
});

test('deleting a funnel waits for a worker that records a note, so that an erasure removes it', async () => {
  const { product, recruiter, funnelId, send, reaches, notes } = await setUpSending();
  await send();
  await reaches('sent');
  const { parts } = await product.db.selectFrom('ats_push').select('parts').executeTakeFirstOrThrow();
  await product.db.updateTable('ats_push').set({ parts: null }).execute();
  const worker = await product.db.startTransaction().execute();
  await worker
    .updateTable('ats_push')
    .set({ parts: JSON.stringify(parts) })
    .execute();
  const deleted = recruiter.call(deleteFunnel, { params: { id: funnelId } });
  await until('the deletion waits', async () => (await waitingSessions(product.db)) > 0 || null);
  await worker.commit().execute();
  await deleted;
  await candidateCommand(product, ['erase', AMARA.email, '--yes']);
  expect(notes()).toEqual([]);
});
