import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deleteFunnel, listFunnels } from '#contracts/funnels.ts';
import { archiveInterview, getInterview, getVideo, listInterviews } from '#contracts/interviews.ts';
import { listLogs, type RefreshLogDetails, type RefreshLogMetadata } from '#contracts/logs.ts';
import { cancelSync, dismissSyncError, startSync, syncStatus, type Timeframe } from '#contracts/sync.ts';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import { type Person, refusal } from '#support/call.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';

const FUNNEL = 'warehouse';

/** A product on a sandbox, its active funnel the sandbox's smallest, its adapters quick to give up. */
async function setUp(env: Record<string, string> = {}) {
  const sandbox = await startSandbox();
  const product = await startApp({ env: { ...sandboxEnv(sandbox), ...env } });
  const recruiter = await product.signedIn();
  const funnel = sandbox.funnels.find(({ funnelId }) => funnelId === FUNNEL) ?? sandbox.funnels.at(-1);
  if (!funnel) throw new Error('The sandbox has no funnels');
  const funnelId = await product.build.activeFunnel(recruiter, funnel);
  return { sandbox, product, recruiter, funnel, funnelId };
}

const sandboxEnv = (sandbox: Sandbox) => ({
  INTERVIEW_SERVICE_URL: sandbox.interviewServiceUrl,
  ALLOW_PRIVATE_HOSTS: '127.0.0.1',
  UPSTREAM_BACKOFF_MS: '1',
});

async function refresh(product: TestApp, recruiter: Person, timeframe: Timeframe = 'all') {
  await recruiter.call(startSync, { query: { timeframe } });
  return product.refreshEnded(recruiter);
}

async function lastEntry(recruiter: Person) {
  const { logs } = await recruiter.call(listLogs, { query: {} });
  const entry = logs.find(({ action }) => action === 'sync-interviews');
  if (!entry) throw new Error('No refresh was logged');
  return {
    entry,
    details: entry.details as unknown as RefreshLogDetails,
    metadata: entry.metadata as unknown as RefreshLogMetadata,
  };
}

const filesIn = (product: TestApp, folder: string) =>
  readdir(join(product.dataDir, 'files', folder), { recursive: true }).catch(() => []);
const listings = (sandbox: Sandbox) => sandbox.requests.list('/interviews');
const downloads = (sandbox: Sandbox) => sandbox.requests.list('/media/');

describe('a first refresh', () => {
  test('brings every interview of the active funnel, its files and its questions', async () => {
    const { sandbox, product, recruiter, funnel } = await setUp();
    const source = sandbox.control.interviews(funnel.funnelId);
    const status = await refresh(product, recruiter);
    expect(status).toMatchObject({ inProgress: false, error: null, processed: source.length, total: source.length });
    expect(status.downloadedFiles).toBe(status.totalFiles);

    const { interviews, total } = await recruiter.call(listInterviews, { query: { limit: 100 } });
    expect(total).toBe(source.length);
    const withVideo = interviews.filter(({ videoUrl }) => videoUrl);
    expect(withVideo.length).toBeGreaterThan(0);
    expect(withVideo.every(({ hasLocalCopy, videoFile }) => hasLocalCopy && videoFile)).toBe(true);
    expect(interviews.some(({ processingStatus }) => processingStatus.questions.length > 0)).toBe(true);
    const stored = await filesIn(product, 'videos');
    expect(stored.sort()).toEqual(withVideo.map(({ videoFile }) => videoFile).sort());

    const { entry, metadata } = await lastEntry(recruiter);
    expect(entry).toMatchObject({ type: 'refresh', status: 'success' });
    expect(metadata).toMatchObject({
      count: source.length,
      newCount: source.length,
      updatedCount: 0,
      archivedCount: 0,
    });
  });

  test('reads a missing duration from the downloaded file', async () => {
    const { sandbox, product, recruiter } = await setUp();
    const [one] = sandbox.control.interviews(FUNNEL).filter(({ videoUrl }) => videoUrl);
    if (!one?.id) throw new Error('The sandbox has no video');
    sandbox.control.change(FUNNEL, one.id, { durationSeconds: 0 });
    await refresh(product, recruiter);
    expect((await recruiter.call(getInterview, { params: { id: one.id } })).duration).toBeGreaterThan(5);
  });

  test('needs an active funnel', async () => {
    const sandbox = await startSandbox();
    const product = await startApp({ env: sandboxEnv(sandbox) });
    const recruiter = await product.signedIn();
    await product.build.funnel(recruiter);
    const { status, body } = await refusal(recruiter.call(startSync, { query: {} }));
    expect([status, body.message]).toEqual([409, 'Configure an active funnel first']);
  });

  test('is one at a time: a second start says that one is already in progress', async () => {
    const { sandbox, product, recruiter } = await setUp();
    sandbox.control.fail({ kind: 'latency', ms: 100 });
    const both = await Promise.allSettled([
      recruiter.call(startSync, { query: {} }),
      recruiter.call(startSync, { query: {} }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { status, body } = await refusal(recruiter.call(startSync, { query: {} }));
    expect([status, body.code]).toEqual([409, 'sync_running']);
    expect(body.message).toContain('already in progress');
    await product.refreshEnded(recruiter);
  });
});

describe('the timeframes', () => {
  test('a funnel that was never refreshed treats all three as all', async () => {
    for (const timeframe of ['future', 'past', 'all'] as const) {
      const { sandbox, product, recruiter } = await setUp();
      await refresh(product, recruiter, timeframe);
      expect(listings(sandbox)[0]?.query).not.toHaveProperty('createdAfter');
      expect(listings(sandbox)[0]?.query).not.toHaveProperty('createdBefore');
    }
  });

  test('future asks for interviews created after the start of the last refresh, past for those before it', async () => {
    const { sandbox, product, recruiter } = await setUp();
    await refresh(product, recruiter);
    const { started_at: startedAt } = await product.db
      .selectFrom('sync_run')
      .select('started_at')
      .executeTakeFirstOrThrow();
    sandbox.requests.clear();

    sandbox.control.grow(FUNNEL, 1, { newestAt: new Date(Date.now() + 1_000) });
    expect((await refresh(product, recruiter, 'future')).processed).toBe(1);
    expect(listings(sandbox)[0]?.query).toMatchObject({ createdAfter: startedAt.toISOString() });

    const lastFuture = await product.db
      .selectFrom('sync_run')
      .select('started_at')
      .orderBy('started_at', 'desc')
      .executeTakeFirstOrThrow();
    sandbox.requests.clear();
    await refresh(product, recruiter, 'past');
    expect(listings(sandbox)[0]?.query).toMatchObject({ createdBefore: lastFuture.started_at.toISOString() });
    // A past refresh is no "last refresh" for the next one.
    sandbox.requests.clear();
    await refresh(product, recruiter, 'past');
    expect(listings(sandbox)[0]?.query).toMatchObject({ createdBefore: lastFuture.started_at.toISOString() });
  });
});

describe('a second refresh', () => {
  test('writes no row and fetches no file when nothing changed', async () => {
    const { sandbox, product, recruiter } = await setUp();
    sandbox.control.fail({ kind: 'signed-urls' });
    await refresh(product, recruiter);
    const rows = () =>
      product.db
        .selectFrom('interview')
        .select(['id', (q) => q.ref('xmin' as 'id').as('xmin')])
        .orderBy('id')
        .execute();
    const before = await rows();
    sandbox.requests.clear();

    const status = await refresh(product, recruiter);
    expect(await rows()).toEqual(before);
    expect(downloads(sandbox)).toEqual([]);
    expect(status.totalFiles).toBe(0);
    expect((await lastEntry(recruiter)).metadata).toMatchObject({
      newCount: 0,
      updatedCount: 0,
      detailedSummary: { totalFieldChanges: 0 },
    });
  });

  test('counts and logs new interviews and each changed field, and keeps one that vanished at the source', async () => {
    const { sandbox, product, recruiter, funnel } = await setUp();
    await refresh(product, recruiter);
    const [changed, vanished] = sandbox.control.interviews(funnel.funnelId);
    if (!changed?.id || !vanished?.id) throw new Error('The sandbox has too few interviews');
    sandbox.control.change(funnel.funnelId, changed.id, {
      title: 'Another title',
      candidate: { name: 'Ada', email: null, phone: null },
    });
    sandbox.control.remove(funnel.funnelId, vanished.id);
    sandbox.control.grow(funnel.funnelId, 2);
    await refresh(product, recruiter);

    const { details, metadata } = await lastEntry(recruiter);
    expect(metadata).toMatchObject({
      newCount: 2,
      updatedCount: 1,
      detailedSummary: { updatedInterviewIds: [changed.id] },
    });
    expect(details.detailedChanges[changed.id]?.fields).toMatchObject({
      title: { oldValue: changed.title, newValue: 'Another title' },
      candidateName: { newValue: 'Ada' },
    });
    expect((await recruiter.call(getInterview, { params: { id: changed.id } })).title).toBe('Another title');
    expect((await recruiter.call(getInterview, { params: { id: vanished.id } })).id).toBe(vanished.id);
  });

  test('counts an archived interview, lists it as skipped and never writes it', async () => {
    const { sandbox, product, recruiter, funnel } = await setUp();
    await refresh(product, recruiter);
    const [one] = sandbox.control.interviews(funnel.funnelId);
    if (!one?.id) throw new Error('The sandbox has no interviews');
    await recruiter.call(archiveInterview, { params: { id: one.id } });
    sandbox.control.change(funnel.funnelId, one.id, { title: 'Another title' });
    await refresh(product, recruiter);
    const { details, metadata } = await lastEntry(recruiter);
    expect(metadata).toMatchObject({
      archivedCount: 1,
      updatedCount: 0,
      detailedSummary: { skippedInterviewCount: 1 },
    });
    expect(details.skippedInterviews).toMatchObject([
      { interviewId: one.id, reason: expect.stringContaining('archived') },
    ]);
    expect((await recruiter.call(getInterview, { params: { id: one.id } })).title).toBe(one.title);
  });

  test('fetches a video again when its address changed, and forgets the old file', async () => {
    const { sandbox, product, recruiter, funnel } = await setUp();
    await refresh(product, recruiter);
    const [one, other] = sandbox.control.interviews(funnel.funnelId).filter(({ videoUrl }) => videoUrl);
    if (!one?.id || !other?.videoUrl) throw new Error('The sandbox has too few videos');
    const before = await recruiter.call(getVideo, { params: { id: one.id } });
    sandbox.control.change(funnel.funnelId, one.id, { videoUrl: `${other.videoUrl}?version=2` });
    await refresh(product, recruiter);
    const after = await recruiter.call(getVideo, { params: { id: one.id } });
    expect(after.videoFile).not.toBe(before.videoFile);
    const stored = await filesIn(product, 'videos');
    expect(stored).toContain(after.videoFile);
    expect(stored).not.toContain(before.videoFile);
  });
});

describe('what is skipped', () => {
  test('an item that cannot be read, and an interview of another funnel, each with its reason', async () => {
    const { sandbox, product, recruiter, funnel, funnelId } = await setUp();
    const [stolen] = sandbox.control.interviews(funnel.funnelId);
    await refresh(product, recruiter);
    const other = sandbox.funnels.find((one) => one.funnelId !== funnel.funnelId);
    if (!other || !stolen) throw new Error('The sandbox has too little');
    sandbox.control.add(other.funnelId, stolen, { id: 'iv_bad', durationSeconds: 'long' as never }, {
      title: 'No id',
    } as never);
    await product.build.activeFunnel(recruiter, other);
    const status = await refresh(product, recruiter);
    expect(status.error).toBeNull();

    const { details, metadata } = await lastEntry(recruiter);
    const reasons = Object.fromEntries(
      details.skippedInterviews.map(({ interviewId, reason }) => [interviewId, reason]),
    );
    expect(reasons[stolen.id ?? '']).toBe('This interview already belongs to another funnel.');
    expect(reasons.iv_bad).toMatch(/durationSeconds/);
    expect(metadata.detailedSummary.skippedInterviewCount).toBe(3);
    expect((await recruiter.call(getInterview, { params: { id: stolen.id ?? '' } })).funnelIdNum).toBe(funnelId);
  });

  test('an interview that comes on two pages is counted once', async () => {
    const { sandbox, product, recruiter } = await setUp();
    sandbox.control.grow(FUNNEL, 250);
    sandbox.control.fail({ kind: 'duplicate-ids', count: 3 });
    const status = await refresh(product, recruiter);
    const count = sandbox.control.interviews(FUNNEL).length;
    expect(status.processed).toBe(count);
    expect((await lastEntry(recruiter)).metadata).toMatchObject({ newCount: count, updatedCount: 0 });
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(count);
  });
});

describe('the files of a refresh', () => {
  test('a download that fails does not fail the refresh; the remote address serves until a later one gets it', async () => {
    const { sandbox, product, recruiter } = await setUp();
    const fault = sandbox.control.fail({ kind: 'status', status: 404, on: 'media', path: '/media/videos/*' });
    const status = await refresh(product, recruiter);
    expect(status.error).toBeNull();
    expect(status.downloadedFiles).toBeLessThan(status.totalFiles);
    const { entry, metadata } = await lastEntry(recruiter);
    expect([entry.status, metadata.failedFiles]).toEqual(['warning', status.totalFiles - status.downloadedFiles]);
    const [one] = (await recruiter.call(listInterviews, { query: { limit: 100 } })).interviews.filter(
      ({ videoUrl }) => videoUrl,
    );
    expect(one).toMatchObject({ hasLocalCopy: false, videoFile: null });

    fault.stop();
    const again = await refresh(product, recruiter);
    expect(again.downloadedFiles).toBe(metadata.failedFiles);
    expect(await recruiter.call(getVideo, { params: { id: one?.id ?? '' } })).toMatchObject({ hasLocalCopy: true });
  });

  test('a broken connection is resumed with Range, and a truncated file never gets its final name', async () => {
    const { sandbox, product, recruiter } = await setUp();
    sandbox.control.fail({ kind: 'broken', afterBytes: 20_000, path: '/media/videos/*', times: 3 });
    const status = await refresh(product, recruiter);
    expect(status.downloadedFiles).toBe(status.totalFiles);
    expect(downloads(sandbox).some(({ range }) => range !== null)).toBe(true);
    const { interviews } = await recruiter.call(listInterviews, { query: { limit: 100 } });
    for (const { videoFile } of interviews) {
      if (!videoFile) continue;
      const whole = await recruiter.request({ method: 'GET', url: `/api/files/video/${videoFile}` });
      expect([whole.statusCode, whole.rawPayload.length]).toEqual([200, Number(whole.headers['content-length'])]);
    }
  });

  test('an address whose signature expired is read anew', async () => {
    const { sandbox, product, recruiter } = await setUp({ DOWNLOAD_CONCURRENCY: '1' });
    sandbox.control.fail({ kind: 'signed-urls' });
    sandbox.control.fail({ kind: 'latency', ms: 20, on: 'media' });
    await recruiter.call(startSync, { query: {} });
    await until('a download was asked for', () => downloads(sandbox).length > 0);
    sandbox.control.expireSignatures();
    const status = await product.refreshEnded(recruiter);
    expect(status.downloadedFiles).toBe(status.totalFiles);
  });
});

describe('cancelling', () => {
  test('stops after the current batch, keeps what was saved and says how far it got', async () => {
    const { sandbox, product, recruiter } = await setUp();
    sandbox.control.grow(FUNNEL, 500);
    sandbox.control.fail({ kind: 'latency', ms: 150, skip: 1 });
    await recruiter.call(startSync, { query: {} });
    await until('a page was written', async () => (await recruiter.call(syncStatus, {})).processed > 0);
    expect((await recruiter.call(cancelSync, {})).message).toBe(
      'The refresh operation will stop after the current batch completes.',
    );
    const status = await product.refreshEnded(recruiter);
    expect(status.processed).toBeGreaterThan(0);
    expect(status.processed).toBeLessThan(status.total);
    expect(status.error).toBeNull();
    expect(status.message).toContain(`Refresh cancelled after ${status.processed} of ${status.total} interviews`);
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(status.processed);

    // What was left out is not lost to a later "future" refresh.
    sandbox.control.clearFaults();
    await refresh(product, recruiter, 'future');
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(sandbox.control.interviews(FUNNEL).length);
  });

  test('stops downloads too, and leaves no half file', async () => {
    const { sandbox, product, recruiter } = await setUp();
    sandbox.control.fail({ kind: 'slow', bytesPerSecond: 2_000, path: '/media/videos/*' });
    await recruiter.call(startSync, { query: {} });
    await until('a download runs', () => downloads(sandbox).length > 0);
    await recruiter.call(cancelSync, {});
    const status = await product.refreshEnded(recruiter);
    expect(status.message).toContain('Refresh cancelled');
    const named = (await recruiter.call(listInterviews, { query: { limit: 100 } })).interviews.flatMap(
      ({ videoFile }) => videoFile ?? [],
    );
    expect((await filesIn(product, 'videos')).sort()).toEqual(named.sort());
  });

  test('with no refresh in progress is refused', async () => {
    const { recruiter } = await setUp();
    expect((await refusal(recruiter.call(cancelSync, {}))).body.message).toBe('No refresh is in progress.');
  });

  test('deleting the funnel stops its refresh and takes its interviews and files along', async () => {
    const { sandbox, product, recruiter, funnelId } = await setUp();
    sandbox.control.fail({ kind: 'slow', bytesPerSecond: 2_000, path: '/media/videos/*' });
    await recruiter.call(startSync, { query: {} });
    await until('a download runs', () => downloads(sandbox).length > 0);
    await recruiter.call(deleteFunnel, { params: { id: funnelId } });
    expect((await recruiter.call(syncStatus, {})).inProgress).toBe(false);
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(0);
    expect(await recruiter.call(listFunnels, {})).toEqual([]);
    await until(
      'the files are gone',
      async () =>
        (await filesIn(product, 'videos')).length === 0 && (await filesIn(product, 'thumbnails')).length === 0,
    );
    expect((await recruiter.call(listLogs, { query: {} })).total).toBeGreaterThan(0);
  });
});

const FAILURES: [string, FaultInput, RegExp][] = [
  ['refuses the API key', { kind: 'status', status: 401 }, /API key/],
  ['does not allow it', { kind: 'status', status: 403 }, /does not let this API key/],
  ['does not know the funnel', { kind: 'status', status: 404 }, /funnel/i],
  ['is overloaded', { kind: 'status', status: 429, retryAfterSeconds: 0 }, /too many|busy|later/i],
  ['has an error of its own', { kind: 'status', status: 500 }, /interview service/i],
  [
    'answers with a page instead of JSON',
    { kind: 'status', status: 502, body: '<html>Bad gateway</html>' },
    /interview service/i,
  ],
  ['answers something that is no JSON', { kind: 'bad-json' }, /interview service/i],
  ['answers another shape', { kind: 'wrong-shape' }, /interview service/i],
  ['breaks the connection', { kind: 'reset', when: 'before-headers' }, /interview service/i],
];

describe('a refresh ends as error, and says why, when the service', () => {
  test.for(FAILURES)('%s', async ([, fault, text]) => {
    const { sandbox, product, recruiter, funnel } = await setUp();
    sandbox.control.fail(fault);
    const status = await refresh(product, recruiter);
    expect(status.inProgress).toBe(false);
    expect(status.error).toMatch(text);
    expect(status.error).not.toContain(funnel.apiKey);
    const { entry } = await lastEntry(recruiter);
    expect([entry.type, entry.status]).toEqual(['error', 'error']);
    expect(JSON.stringify(entry)).not.toContain(funnel.apiKey);

    // The text stays until somebody dismisses it, or until the next start.
    expect((await recruiter.call(dismissSyncError, {})).error).toBeNull();
    sandbox.control.clearFaults();
    expect(await refresh(product, recruiter)).toMatchObject({
      error: null,
      processed: sandbox.control.interviews(funnel.funnelId).length,
    });
  });

  test('an error in the middle keeps what was saved', async () => {
    const { sandbox, product, recruiter } = await setUp();
    sandbox.control.grow(FUNNEL, 250);
    sandbox.control.fail({ kind: 'status', status: 401, onPage: 3 });
    const status = await refresh(product, recruiter);
    expect([status.processed, status.error !== null]).toEqual([200, true]);
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(200);
  });
});

test('a refresh goes on in the next process from its last finished page', async () => {
  const { sandbox, product, recruiter } = await setUp();
  sandbox.control.grow(FUNNEL, 450);
  const fault = sandbox.control.fail({ kind: 'latency', ms: 300, skip: 2 });
  await recruiter.call(startSync, { query: {} });
  await until('two pages were written', async () => (await recruiter.call(syncStatus, {})).processed >= 200);
  await product.stop();
  fault.stop();
  sandbox.requests.clear();

  const next = await startApp({ env: sandboxEnv(sandbox), database: product.database, dataDir: product.dataDir });
  const again = await next.signedIn();
  const status = await next.refreshEnded(again);
  const count = sandbox.control.interviews(FUNNEL).length;
  expect(status).toMatchObject({ processed: count, total: count, error: null });
  expect((await again.call(listInterviews, { query: {} })).total).toBe(count);
  expect(listings(sandbox).map(({ query }) => query.page)).not.toContain('1');
});
