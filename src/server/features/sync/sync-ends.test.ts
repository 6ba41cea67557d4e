import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteFunnel, listFunnels } from '#contracts/funnels.ts';
import { getVideo, listInterviews } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { cancelSync, dismissSyncError, getSyncStatus, startSync } from '#contracts/sync.ts';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { announce } from '#server/live/announce.ts';
import { refusal } from '#support/call.ts';
import {
  downloads,
  FUNNEL,
  filesIn,
  lastEntry,
  listings,
  peakDownloads,
  refresh,
  setUpRefresh,
} from '#support/refreshing.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { waitingSessions } from '#support/waiting-sessions.ts';

describe('the files of a refresh', () => {
  test('a failed download does not fail the refresh, and the next refresh retries it', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh();
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

  test('a broken download resumes with Range, and a truncated file never gets its final name', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh();
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

  test('a thumbnail that could not be stored is loaded by us for signed-in users', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh();
    const fault = sandbox.control.fail({ kind: 'status', status: 404, on: 'media', path: '/media/thumbnails/*' });
    await refresh(product, recruiter);
    const { interviews } = await recruiter.call(listInterviews, { query: { limit: 100 } });
    const [one] = interviews.filter(({ thumbnailUrl }) => thumbnailUrl);
    expect(one).toMatchObject({ thumbnailFile: null, thumbnailUrl: `/api/interviews/${one?.id}/thumbnail` });
    const request = { method: 'GET', url: one?.thumbnailUrl ?? '' } as const;
    expect((await recruiter.request(request)).statusCode).toBe(404);
    fault.stop();
    const response = await recruiter.request(request);
    expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(response.headers['content-type']).toMatch(/^image\/(jpeg|png|webp)$/);
    expect((await product.anonymous().request(request)).statusCode).toBe(401);
  });

  test('at most DOWNLOAD_CONCURRENCY files are downloaded at once', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh({ DOWNLOAD_CONCURRENCY: '3' });
    sandbox.control.grow(FUNNEL, 20, { videoBytes: 100_000 });
    sandbox.control.fail({ kind: 'latency', ms: 60, on: 'media' });
    const status = await refresh(product, recruiter);
    expect(status.downloadedFiles).toBe(status.totalFiles);
    expect(peakDownloads(sandbox)).toBe(3);
  });

  test('an expired URL is read again from the service', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh({ DOWNLOAD_CONCURRENCY: '1' });
    sandbox.control.fail({ kind: 'signed-urls' });
    sandbox.control.fail({ kind: 'latency', ms: 20, on: 'media' });
    await recruiter.call(startSync, { query: {} });
    await until('a download was requested', () => downloads(sandbox).length > 0);
    sandbox.control.expireSignatures();
    const status = await product.refreshEnded(recruiter);
    expect(status.downloadedFiles).toBe(status.totalFiles);
  });
});

test('a refresh cannot start while its funnel is being deleted', async () => {
  const { product, recruiter, funnelId } = await setUpRefresh();
  const { promise: deleted, resolve: isDeleted } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const deleting = product.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('funnel').where('id', '=', funnelId).execute();
    isDeleted();
    await released;
  });
  await deleted;
  const starting = refusal(recruiter.call(startSync, { query: {} }));
  await until('the start waits for the deletion', async () => (await waitingSessions(product.db)) > 0);
  release();
  await deleting;
  expect((await starting).body.code).toBe('no_active_funnel');
});

describe('canceling a refresh', () => {
  test('canceling another run does not affect the running refresh', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh();
    sandbox.control.fail({ kind: 'latency', ms: 100 });
    await recruiter.call(startSync, { query: {} });
    await until('a page was requested', () => listings(sandbox).length > 0);
    await announce(product.db, 'sync-cancel', randomUUID());
    const status = await product.refreshEnded(recruiter);
    expect(status).toMatchObject({ error: null, processed: sandbox.control.interviews(FUNNEL).length });
  });

  test('canceling a refresh stops it after the current batch, keeps what was saved and reports the progress', async () => {
    const { sandbox, product, recruiter, funnelId } = await setUpRefresh();
    sandbox.control.grow(FUNNEL, 500);
    sandbox.control.fail({ kind: 'latency', ms: 150, skip: 1 });
    await recruiter.call(startSync, { query: {} });
    await until('a page was written', async () => (await recruiter.call(getSyncStatus, {})).processed > 0);
    expect((await recruiter.call(cancelSync, {})).message).toBe(
      'The refresh operation will stop after the current batch completes.',
    );
    const status = await product.refreshEnded(recruiter);
    expect(status.processed).toBeGreaterThan(0);
    expect(status.processed).toBeLessThan(status.total);
    expect(status).toMatchObject({ error: null, cancelRequested: true, funnelId, timeframe: 'all' });
    expect(status.message).toContain(`Canceled after ${status.processed} of ${status.total} interviews`);
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(status.processed);
    // Its place in the source may be the id of an interview that is erased later.
    const runs = await product.db.selectFrom('sync_run').select(['status', 'cursor']).execute();
    expect(runs).toEqual([{ status: 'completed', cursor: null }]);

    // A later `future` refresh reads the rest.
    sandbox.control.clearFaults();
    await refresh(product, recruiter, 'future');
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(sandbox.control.interviews(FUNNEL).length);
  });

  test('canceling a refresh before its first page reports that no interview was read', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh();
    sandbox.control.fail({ kind: 'latency', ms: 2_000 });
    await recruiter.call(startSync, { query: {} });
    await recruiter.call(cancelSync, {});
    const { message } = await product.refreshEnded(recruiter);
    expect(message).toBe('Canceled before any interview was read.');
  });

  test('canceling a refresh aborts downloads and leaves no partial file', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh();
    sandbox.control.fail({ kind: 'slow', bytesPerSecond: 2_000, path: '/media/videos/*' });
    await recruiter.call(startSync, { query: {} });
    await until('a download runs', () => downloads(sandbox).length > 0);
    await recruiter.call(cancelSync, {});
    const status = await product.refreshEnded(recruiter);
    expect(status.message).toContain('Canceled after');
    const named = (await recruiter.call(listInterviews, { query: { limit: 100 } })).interviews.flatMap(
      ({ videoFile }) => videoFile ?? [],
    );
    expect((await filesIn(product, 'videos')).sort()).toEqual(named.sort());
  });

  test('a cancellation is rejected when no refresh is in progress', async () => {
    const { recruiter } = await setUpRefresh();
    expect((await refusal(recruiter.call(cancelSync, {}))).body.message).toBe('No refresh is in progress.');
  });

  test('deleting a funnel stops its refresh and deletes its interviews and files', async () => {
    const { sandbox, product, recruiter, funnelId } = await setUpRefresh();
    sandbox.control.fail({ kind: 'slow', bytesPerSecond: 2_000, path: '/media/videos/*' });
    await recruiter.call(startSync, { query: {} });
    await until('a download runs', () => downloads(sandbox).length > 0);
    await recruiter.call(deleteFunnel, { params: { id: funnelId } });
    expect((await recruiter.call(getSyncStatus, {})).inProgress).toBe(false);
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(0);
    expect(await recruiter.call(listFunnels, {})).toEqual([]);
    await until(
      'the files are removed',
      async () =>
        (await filesIn(product, 'videos')).length === 0 && (await filesIn(product, 'thumbnails')).length === 0,
    );
    expect((await recruiter.call(listLogs, { query: {} })).total).toBeGreaterThan(0);
  });

  test('files of a deleted funnel are removed after a restart', async () => {
    const { product, recruiter, funnelId } = await setUpRefresh();
    await refresh(product, recruiter);
    await product.stop();
    const same = { database: product.database, dataDir: product.dataDir };
    const idle = await startApp({ ...same, jobs: false });
    await (await idle.signedIn()).call(deleteFunnel, { params: { id: funnelId } });
    await idle.stop();
    expect((await filesIn(product, 'videos')).length).toBeGreaterThan(0);
    await startApp(same);
    await until('the files are removed', async () => (await filesIn(product, 'videos')).length === 0);
  });

  test('a funnel that is deleted, created again and refreshed keeps its new files', async () => {
    const { product, recruiter, funnel, funnelId } = await setUpRefresh();
    await refresh(product, recruiter);
    let id = funnelId;
    for (let round = 0; round < 3; round += 1) {
      await recruiter.call(deleteFunnel, { params: { id } });
      id = await product.build.activeFunnel(recruiter, funnel);
      await refresh(product, recruiter);
    }
    const { interviews } = await recruiter.call(listInterviews, { query: {} });
    const named = interviews.flatMap(({ videoFile }) => videoFile ?? []).sort();
    expect(named.length).toBeGreaterThan(0);
    expect((await filesIn(product, 'videos')).sort()).toEqual(named);
  });
});

const UNREACHABLE =
  "The interview service can't be reached. If this keeps happening, ask an admin to check INTERVIEW_SERVICE_URL.";
const UNREADABLE = "The interview service's response can't be read. Ask an admin to check INTERVIEW_SERVICE_URL.";

const FAILURES: [string, FaultInput, string][] = [
  [
    'rejects the API key',
    { kind: 'status', status: 401 },
    "The interview service rejected this funnel's API key. Update it in Funnels.",
  ],
  [
    'does not allow it',
    { kind: 'status', status: 403 },
    'This API key has no access to funnel "warehouse". Check the key and the Funnel ID.',
  ],
  [
    'has no funnel',
    { kind: 'status', status: 404 },
    'The interview service has no funnel "warehouse". Check the Funnel ID.',
  ],
  [
    'is overloaded',
    { kind: 'status', status: 429, retryAfterSeconds: 0 },
    'The interview service is rate-limiting us. Try again in a minute.',
  ],
  [
    'is overloaded for longer than the retries last',
    { kind: 'status', status: 429, retryAfterSeconds: 600 },
    'The interview service is rate-limiting us. Try again in 10 minutes.',
  ],
  [
    'has an internal error',
    { kind: 'status', status: 500 },
    'The interview service returned an error (500). Try again later.',
  ],
  [
    'returns a page instead of JSON',
    { kind: 'status', status: 502, body: '<html>Bad gateway</html>' },
    'The interview service returned an error (502). Try again later.',
  ],
  [
    'rejects the request with a reason',
    { kind: 'status', status: 400, body: { error: 'bad_request', message: 'The page must be a number.' } },
    'The interview service rejected the request (400). Its response: The page must be a number.',
  ],
  [
    'rejects the request without a reason',
    { kind: 'status', status: 422, body: '<html>No</html>' },
    'The interview service rejected the request (422).',
  ],
  [
    'has moved',
    { kind: 'status', status: 308, body: '<html>Elsewhere</html>' },
    'The interview service has moved (308). Ask an admin to check INTERVIEW_SERVICE_URL.',
  ],
  ['returns something that is not JSON', { kind: 'bad-json' }, UNREADABLE],
  ['returns another shape', { kind: 'wrong-shape' }, UNREADABLE],
  [
    'returns more than a page can contain',
    { kind: 'wrong-shape', body: { interviews: [], more: 'a'.repeat(8 * 2 ** 20) } },
    'The interview service sent more than 8 MB at once.',
  ],
  ['closes the connection in the middle of a list', { kind: 'truncated-list' }, UNREACHABLE],
  ['breaks the connection', { kind: 'reset', when: 'before-headers' }, UNREACHABLE],
];

describe('a refresh fails with a message when the service', () => {
  const cleanup = new AsyncDisposableStack();
  let shared: Awaited<ReturnType<typeof setUpRefresh>>;
  beforeAll(async () => {
    shared = await setUpRefresh({}, { onFinished: (clear) => cleanup.defer(clear) });
  });
  afterAll(() => cleanup.disposeAsync());

  test.for(FAILURES)('%s', async ([, fault, text]) => {
    const { sandbox, product, recruiter, funnel } = shared;
    sandbox.control.fail(fault);
    const status = await refresh(product, recruiter);
    expect(status.inProgress).toBe(false);
    expect(status.error).toBe(text);
    expect(status.error).not.toContain(funnel.apiKey);
    const { entry } = await lastEntry(recruiter);
    expect([entry.type, entry.status]).toEqual(['error', 'error']);
    expect(JSON.stringify(entry)).not.toContain(funnel.apiKey);

    // The message stays until it is dismissed or the next refresh starts.
    expect((await recruiter.call(dismissSyncError, {})).error).toBeNull();
    sandbox.control.clearFaults();
    expect(await refresh(product, recruiter)).toMatchObject({
      error: null,
      processed: sandbox.control.interviews(funnel.funnelId).length,
    });
  });

  test('a refresh fails with a message when the service fails after some pages, and keeps what was saved', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh();
    sandbox.control.grow(FUNNEL, 250);
    sandbox.control.fail({ kind: 'status', status: 401, onPage: 3 });
    const status = await refresh(product, recruiter);
    expect([status.processed, status.error !== null]).toEqual([200, true]);
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(200);
  });
});

test('a refresh continues in the next process after its last written page', async () => {
  const { sandbox, product, recruiter } = await setUpRefresh();
  sandbox.control.grow(FUNNEL, 450);
  const fault = sandbox.control.fail({ kind: 'latency', ms: 300, skip: 2 });
  await recruiter.call(startSync, { query: {} });
  await until('two pages were written', async () => (await recruiter.call(getSyncStatus, {})).processed >= 200);
  await product.stop();
  fault.stop();
  sandbox.requests.clear();

  const next = await startApp({ env: productVariables(sandbox), database: product.database, dataDir: product.dataDir });
  const again = await next.signedIn();
  const status = await next.refreshEnded(again);
  const count = sandbox.control.interviews(FUNNEL).length;
  expect(status).toMatchObject({ processed: count, total: count, error: null });
  expect((await again.call(listInterviews, { query: {} })).total).toBe(count);
  expect(listings(sandbox).map(({ query }) => query.page)).not.toContain('1');
});

test('a refresh that has crashed two processes fails although each has read a page, and keeps saved interviews', async () => {
  const { sandbox, product, recruiter } = await setUpRefresh();
  sandbox.control.grow(FUNNEL, 250);
  const hanging = sandbox.control.fail({ kind: 'hang', onPage: 2 });
  const slow = sandbox.control.fail({ kind: 'slow', bytesPerSecond: 2_000, path: '/media/videos/*' });
  await recruiter.call(startSync, { query: {} });
  await until('a page was written', async () => (await recruiter.call(getSyncStatus, {})).processed > 0);
  const thirdPages = () => listings(sandbox).filter(({ query }) => query.page === '3').length;
  const findRun = () =>
    product.db
      .selectFrom('sync_run')
      .select(['lost_attempts', 'downloaded_files', 'processed'])
      .executeTakeFirstOrThrow();
  const startAfterKill = async () => {
    // A process that is killed does not release its run.
    await product.db.updateTable('sync_run').set({ worker: randomUUID() }).execute();
    return startApp({ env: productVariables(sandbox), database: product.database, dataDir: product.dataDir });
  };
  await product.stop();
  for (const fault of [slow, hanging]) fault.stop();
  sandbox.control.fail({ kind: 'hang', onPage: 3 });
  const before = (await findRun()).downloaded_files;
  const second = await startAfterKill();
  await until('the second page was written', async () => (await findRun()).processed === 200);
  // Downloads proceed although the page never arrives.
  await until('the second process has downloaded a file', async () => (await findRun()).downloaded_files > before);
  expect((await findRun()).lost_attempts).toBe(1);
  await second.stop();
  const requested = thirdPages();
  const next = await startAfterKill();
  const again = await next.signedIn();
  const ended = async () => {
    const status = await again.call(getSyncStatus, {});
    return !status.inProgress && status;
  };
  const status = await until('the refresh ends', ended);
  expect(status.error).toBe(
    "The refresh was stopped because the server ended twice while it ran. What it synced was saved. Ask an admin to check the server's log.",
  );
  expect([status.processed, thirdPages()]).toEqual([200, requested]);
});

test('a refresh whose process is stopped and started several times does not fail', async () => {
  const { sandbox, product, recruiter } = await setUpRefresh();
  const fault = sandbox.control.fail({ kind: 'hang' });
  await recruiter.call(startSync, { query: {} });
  let next = product;
  for (const requests of [1, 2, 3]) {
    await until('the page was requested', () => listings(sandbox).length === requests);
    await next.stop();
    if (requests === 3) fault.stop();
    next = await startApp({ env: productVariables(sandbox), database: product.database, dataDir: product.dataDir });
  }
  expect((await next.refreshEnded(await next.signedIn())).error).toBeNull();
});
