import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type Automation, listAutomations, resumeAutomation } from '#contracts/automation.ts';
import { type FunnelForm, listFunnels, updateFunnel } from '#contracts/funnels.ts';
import { listInterviews } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { cancelSync, getSyncStatus, startSync } from '#contracts/sync.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { refusal } from '#support/call.ts';
import { FUNNEL, listings, refresh, setUpRefresh } from '#support/refreshing.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { waitingSessions } from '#support/waiting-sessions.ts';
import { lockAutomation, updateStarted } from './automation.repo.ts';

const OFTEN = { paces: { automationIntervalMs: 50 } };

async function setUp() {
  const world = await setUpRefresh({}, OFTEN);
  const { product, recruiter, funnel, funnelId } = world;
  const save = (form: Partial<FunnelForm>) =>
    recruiter.call(updateFunnel, { params: { id: funnelId }, body: { ...funnel, ...form } });
  const state = async (id = funnelId): Promise<Automation | undefined> =>
    (await recruiter.call(listAutomations, {})).find((one) => one.funnelId === id);
  const runs = (id = funnelId) =>
    product.db.selectFrom('sync_run').selectAll().where('funnel_id', '=', id).orderBy('started_at').execute();
  /** Makes the next refresh due now. */
  const passInterval = () =>
    product.db
      .updateTable('automation')
      .set({ started_at: new Date(Date.now() - 15 * 60_000) })
      .where('funnel_id', '=', funnelId)
      .execute();
  const entries = async (action: string) =>
    (await recruiter.call(listLogs, { query: { limit: 100 } })).logs.filter((entry) => entry.action === action);
  const ended = (count: number) =>
    until(`${count} refreshes ended`, async () => {
      const all = await runs();
      return all.length >= count && all.every(({ status }) => status !== 'automatic') ? all : null;
    });
  return { ...world, save, state, runs, passInterval, entries, ended };
}

describe('a funnel that is refreshed every 15 minutes', () => {
  test('a funnel with an interval is refreshed without a user, after each interval, and never by two workers', async () => {
    const {
      sandbox,
      product,
      recruiter,
      funnelId,
      save,
      state,
      runs: runsOf,
      passInterval,
      entries,
      ended,
    } = await setUp();
    // A second worker on the same database.
    await startApp({
      env: { ...productVariables(sandbox), ROLES: 'worker' },
      database: product.database,
      dataDir: product.dataDir,
      isAlone: false,
      ...OFTEN,
    });
    // Recordings are added to such a funnel by hand.
    const uploads = await product.build.funnel(recruiter, { source: 'upload', refreshMinutes: 15 });
    await save({ refreshMinutes: 15 });
    await ended(1);
    const count = sandbox.control.interviews(FUNNEL).length;
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(count);
    expect((await state())?.lastRefreshAt).not.toBeNull();

    sandbox.control.grow(FUNNEL, 1, { newestAt: new Date(Date.now() + 1_000) });
    await passInterval();
    const runs = await ended(2);
    // Both workers look for due funnels several more times.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await ended(2)).toHaveLength(2);
    expect(runs.map(({ timeframe, cause }) => [timeframe, cause])).toEqual([
      ['all', 'schedule'],
      ['future', 'schedule'],
    ]);
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(count + 1);
    // A worker that found the funnel due before this start does not start another refresh.
    expect(await updateStarted(product.db, funnelId)).toBe(false);
    expect([await runsOf(uploads), (await state(uploads))?.pausedReason ?? null]).toEqual([[], null]);
    const [entry] = await entries('sync-interviews');
    expect(entry).toMatchObject({ metadata: { newCount: 1 }, actor: { kind: 'automation', name: 'admin' } });

    // The clock was almost an hour ahead, and has been corrected.
    await product.db.updateTable('automation').set({ started_at: sql<Date>`now() + interval '50 minutes'` }).execute();
    await ended(3);
  });

  test('automatic refreshes do not affect the refresh status or buttons', async () => {
    const { sandbox, product, recruiter, save, runs } = await setUp();
    const other = sandbox.funnels.find(({ funnelId }) => funnelId !== FUNNEL);
    if (!other) throw new Error('The sandbox has one funnel');
    sandbox.control.fail({ kind: 'hang', funnelId: FUNNEL });
    await save({ refreshMinutes: 15 });
    await until('the automatic refresh waits for the service', () => listings(sandbox).length > 0);
    expect(await recruiter.call(getSyncStatus, {})).toMatchObject({ inProgress: false, message: null });

    // Another funnel becomes active and is refreshed in the meantime.
    const otherId = await product.build.activeFunnel(recruiter, other);
    expect(await refresh(product, recruiter)).toMatchObject({ error: null, funnelId: otherId });
    expect((await runs()).map(({ status }) => status)).toEqual(['automatic']);
    const { body } = await refusal(recruiter.call(cancelSync, {}));
    expect(body.message).toBe('No refresh is in progress.');
  });

  test('an automatic refresh is canceled when a user refreshes the same funnel', async () => {
    const { sandbox, product, recruiter, save, runs, ended } = await setUp();
    const hang = sandbox.control.fail({ kind: 'hang', times: 1 });
    await save({ refreshMinutes: 15 });
    await until('the automatic refresh waits for the service', () => listings(sandbox).length > 0);
    hang.stop();
    await recruiter.call(startSync, { query: { timeframe: 'all' } });
    expect(await product.refreshEnded(recruiter)).toMatchObject({ error: null, cancelRequested: false });
    const [automatic, manual] = await ended(2);
    expect([automatic?.cancel_requested_at !== null, manual?.cause]).toEqual([true, 'user']);
    expect((await runs()).length).toBe(2);
  });
});

test('refreshes of the former position end when a funnel gets another one, which is read completely at once', async () => {
  const { sandbox, product, recruiter, save, ended } = await setUp();
  const other = sandbox.funnels.find((one) => one.funnelId !== FUNNEL);
  if (!other) throw new Error('The sandbox has one funnel');
  await save({ refreshMinutes: 15 });
  await ended(1);
  const { total } = await recruiter.call(listInterviews, { query: {} });
  const hang = sandbox.control.fail({ kind: 'hang' });
  await recruiter.call(startSync, { query: { timeframe: 'future' } });
  await until('the refresh waits for the service', () => listings(sandbox).length > 1);
  const saving = save({ funnelId: other.funnelId, apiKey: other.apiKey });
  expect(await product.refreshEnded(recruiter)).toMatchObject({ error: null, cancelRequested: true });
  hang.stop();
  await saving;
  const runs = await ended(3);
  expect(runs.map(({ timeframe, cause }) => [timeframe, cause]).at(-1)).toEqual(['all', 'schedule']);
  expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(
    total + sandbox.control.interviews(other.funnelId).length,
  );
});

test('a funnel that becomes one for uploads shows no error of its former service, and has nothing to resume', async () => {
  const { sandbox, product, recruiter, funnelId, save, state } = await setUp();
  sandbox.control.fail({ kind: 'status', status: 401 });
  await refresh(product, recruiter);
  expect((await state())?.lastError).toContain('API key');
  await product.db.insertInto('announced_interview').values({ funnel_id: funnelId, interview_id: 'iv_1' }).execute();
  await until('the announced interview cannot be read', async () => (await state())?.pausedReason);
  await save({ source: 'upload', refreshMinutes: 15 });
  expect(await state()).toMatchObject({ lastError: null, pausedReason: null });
  expect(await product.db.selectFrom('announced_interview').selectAll().execute()).toEqual([]);
  const { status, body } = await refusal(recruiter.call(resumeAutomation, { params: { id: funnelId } }));
  expect([status, body.message]).toEqual([409, 'You upload recordings to this funnel. There is nothing to refresh.']);
});

describe('a failed automatic refresh', () => {
  test('a rejected API key pauses automatic refreshes at once, and Retry resumes them', async () => {
    const { sandbox, recruiter, funnelId, save, state, runs, passInterval, entries, ended } = await setUp();
    const fault = sandbox.control.fail({ kind: 'status', status: 401 });
    await save({ refreshMinutes: 15 });
    await ended(1);
    const reason = "The interview service rejected this funnel's API key. Update it in Funnels.";
    expect(await state()).toMatchObject({ lastError: reason, pausedReason: reason, lastRefreshAt: null });
    const [entry] = await entries('pause-automation');
    expect(entry?.summary).toBe(
      `Automatic refreshes of ${(await recruiter.call(listFunnels, {}))[0]?.name} are paused. ${reason}`,
    );

    await passInterval();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await runs()).toHaveLength(1);

    fault.stop();
    await recruiter.call(resumeAutomation, { params: { id: funnelId } });
    await ended(2);
    expect(await state()).toMatchObject({ lastError: null, pausedReason: null, lastRefreshAt: expect.any(String) });
    expect((await entries('resume-automation'))[0]?.actor?.name).toBe('admin');
  });

  test('a refresh with a key that is replaced while it runs does not pause the next one', async () => {
    const { sandbox, save, state, ended } = await setUp();
    sandbox.control.fail({ kind: 'hang', times: 1 });
    await save({ refreshMinutes: 15, apiKey: 'former key' });
    await until('the refresh waits for the service', () => listings(sandbox).length > 0);
    await save({});
    const [former, next] = await ended(2);
    expect([former?.cancel_requested_at !== null, next?.error]).toEqual([true, null]);
    expect(await state()).toMatchObject({ lastError: null, pausedReason: null });
  });

  test('a failed automatic refresh is retried after the next interval, and the fifth failure pauses the schedule', async () => {
    const { sandbox, save, state, passInterval, ended } = await setUp();
    sandbox.control.fail({ kind: 'wrong-shape' });
    await save({ refreshMinutes: 15 });
    for (let failures = 1; failures <= 4; failures += 1) {
      await ended(failures);
      expect(await state()).toMatchObject({ lastError: expect.any(String), pausedReason: null });
      await passInterval();
    }
    await ended(5);
    expect((await state())?.pausedReason).toMatch(/^5 refreshes in a row failed: /);
    // A changed funnel may have another key or another URL.
    await save({ refreshMinutes: 30 });
    expect((await state())?.pausedReason).toBeNull();
  });
});

test('a scheduled refresh that has crashed two processes pauses the schedule immediately', async () => {
  const { sandbox, product, save, runs } = await setUp();
  const hanging = sandbox.control.fail({ kind: 'hang' });
  await save({ refreshMinutes: 15 });
  await until('the list is requested', () => hanging.hits() > 0);
  await product.stop();
  // As two processes that were killed leave it.
  await product.db.updateTable('sync_run').set({ lost_attempts: 2 }).execute();
  await startApp({
    env: productVariables(sandbox),
    database: product.database,
    dataDir: product.dataDir,
    ...OFTEN,
  });
  const [run] = await until('the refresh ends', async () => {
    const all = await runs();
    return all.every(({ finished_at }) => finished_at !== null) ? all : null;
  });
  expect(run?.error).toContain('the server ended twice');
  const { paused_reason: reason } = await product.db
    .selectFrom('automation')
    .select('paused_reason')
    .executeTakeFirstOrThrow();
  expect(reason).toBe(run?.error);
});

test('new interviews are transcribed up to the daily limit, and the others on the next day', async () => {
  const { product, recruiter, sandbox, save, state, ended } = await setUp();
  const started = async () =>
    (await product.db.selectFrom('bulk_run').select(['action', 'total']).orderBy('id').execute()).map(
      ({ action, total }) => [action, total],
    );
  await save({ refreshMinutes: 15, newInterviews: 'transcribe', dailyLimit: 2 });
  await ended(1);
  const count = sandbox.control.interviews(FUNNEL).length;
  expect(await started()).toEqual([['transcribe', 2]]);
  expect((await state())?.awaitingInterviews).toBe(count - 2);
  expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(count);

  await product.db.updateTable('automation').set({ processed_on: '2026-01-01' }).execute();
  await until('the next two are started', async () => (await started()).length === 2);
  expect((await state())?.awaitingInterviews).toBe(count - 4);
  await save({ dailyLimit: null });
  await until('the rest is started', async () => (await state())?.awaitingInterviews === 0);
});

test('interviews that waited count once toward the daily limit when two workers start them', async () => {
  const { product, sandbox, funnelId, save, state, ended } = await setUp();
  const { db, database, dataDir } = product;
  await startApp({
    env: { ...productVariables(sandbox), ROLES: 'worker' },
    database,
    dataDir,
    isAlone: false,
    ...OFTEN,
  });
  await save({ refreshMinutes: 15, newInterviews: 'transcribe', dailyLimit: 100 });
  await ended(1);
  const waiting = sandbox.control.interviews(FUNNEL).map(({ id }) => ({ interview_id: id, funnel_id: funnelId }));
  const counted = () => db.selectFrom('automation').select('processed_count').executeTakeFirstOrThrow();
  const before = (await counted()).processed_count;
  const lock = await db.startTransaction().execute();
  await lockAutomation(lock, funnelId);
  await db.insertInto('awaited_processing').values(waiting).execute();
  await until('both workers wait', async () => (await waitingSessions(db)) >= 2);
  await lock.commit().execute();
  await until('all are started', async () => (await state())?.awaitingInterviews === 0);
  await until('no worker waits', async () => (await waitingSessions(db)) === 0);
  expect((await counted()).processed_count).toBe(before + waiting.length);
});
