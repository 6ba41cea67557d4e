import { mkdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { archiveInterview, getInterview, getVideo, listInterviews } from '#contracts/interviews.ts';
import { getSyncStatus, startSync } from '#contracts/sync.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { refusal } from '#support/call.ts';
import { fileRemovalEnded } from '#support/jobs-ended.ts';
import { downloads, FUNNEL, filesIn, lastEntry, listings, refresh, setUpRefresh } from '#support/refreshing.ts';
import { startApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';

describe('a first refresh', () => {
  test('a first refresh syncs every interview of the active funnel with its files and questions', async () => {
    const { sandbox, product, recruiter, funnel } = await setUpRefresh();
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

  test('a refresh measures a missing duration in the downloaded file', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh();
    const [one] = sandbox.control.interviews(FUNNEL).filter(({ videoUrl }) => videoUrl);
    if (!one?.id) throw new Error('The sandbox has no video');
    sandbox.control.change(FUNNEL, one.id, { durationSeconds: 0 });
    await refresh(product, recruiter);
    expect((await recruiter.call(getInterview, { params: { id: one.id } })).duration).toBeGreaterThan(5);
  });

  test('a refresh is rejected without an active funnel', async () => {
    const sandbox = await startSandbox();
    const product = await startApp({ env: productVariables(sandbox) });
    const recruiter = await product.signedIn();
    await product.build.funnel(recruiter);
    const { status, body } = await refusal(recruiter.call(startSync, { query: {} }));
    expect([status, body.message]).toEqual([409, 'Configure an active funnel first']);
  });

  test('a refresh without an interview service is rejected with the variable to set', async () => {
    const product = await startApp();
    const recruiter = await product.signedIn();
    await product.build.activeFunnel(recruiter);
    const { status, body } = await refusal(recruiter.call(startSync, { query: {} }));
    expect([status, body.code, body.message]).toEqual([
      409,
      'not_configured',
      "Syncing isn't set up yet. Ask an admin to set INTERVIEW_SERVICE_URL and restart the server.",
    ]);
    expect((await recruiter.call(getSyncStatus, {})).inProgress).toBe(false);
  });

  test('a refresh is rejected while another one is in progress', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh();
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

describe('timeframes of a refresh', () => {
  test('before the first refresh, future and past read all interviews', async () => {
    for (const timeframe of ['future', 'past', 'all'] as const) {
      const { sandbox, product, recruiter } = await setUpRefresh();
      await refresh(product, recruiter, timeframe);
      expect(listings(sandbox)[0]?.query).not.toHaveProperty('createdAfter');
      expect(listings(sandbox)[0]?.query).not.toHaveProperty('createdBefore');
    }
  });

  test('future reads interviews created after the start of the last refresh, past those before it', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh();
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
    // A `past` refresh does not count as the last refresh.
    sandbox.requests.clear();
    await refresh(product, recruiter, 'past');
    expect(listings(sandbox)[0]?.query).toMatchObject({ createdBefore: lastFuture.started_at.toISOString() });
  });
});

test('after the clock was an hour ahead, future reads interviews created in that hour, and the status is current', async () => {
  const { sandbox, product, recruiter } = await setUpRefresh();
  await refresh(product, recruiter);
  await product.db.updateTable('sync_run').set({ started_at: sql<Date>`now() + interval '1 hour'` }).execute();
  sandbox.control.grow(FUNNEL, 1, { newestAt: new Date() });
  const status = await refresh(product, recruiter, 'future');
  expect(status).toMatchObject({ timeframe: 'future', processed: sandbox.control.interviews(FUNNEL).length });
});

describe('a second refresh', () => {
  test('a refresh writes no row and downloads no file when nothing changed', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh();
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
    expect(status.message).toBe(`Up to date: ${before.length} interviews checked.`);
    expect((await lastEntry(recruiter)).metadata).toMatchObject({
      newCount: 0,
      updatedCount: 0,
      detailedSummary: { totalFieldChanges: 0 },
    });
  });

  test('a refresh counts and logs new interviews and changed fields, and keeps interviews deleted at the source', async () => {
    const { sandbox, product, recruiter, funnel } = await setUpRefresh();
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

  test('a refresh logs its funnel, its duration and its changes', async () => {
    const { sandbox, product, recruiter, funnel, funnelId } = await setUpRefresh();
    await refresh(product, recruiter);
    const [changed, archived] = sandbox.control.interviews(funnel.funnelId);
    if (!changed?.id || !archived?.id) throw new Error('The sandbox has too few interviews');
    sandbox.control.change(funnel.funnelId, changed.id, { title: 'Another title' });
    await recruiter.call(archiveInterview, { params: { id: archived.id } });
    await refresh(product, recruiter);
    const { entry, details, metadata } = await lastEntry(recruiter);
    expect(entry).toMatchObject({ type: 'refresh', action: 'sync-interviews', status: 'success' });
    expect(details).toMatchObject({
      funnelName: funnel.name,
      funnelId,
      funnelApiId: funnel.funnelId,
      processingTimeMs: expect.any(Number),
      skippedInterviews: [{ interviewId: archived.id, title: archived.title, reason: expect.any(String) }],
      detailedChanges: {
        [changed.id]: {
          title: 'Another title',
          fields: { title: { oldValue: changed.title, newValue: 'Another title' } },
        },
      },
    });
    expect(metadata).toMatchObject({
      count: sandbox.control.interviews(funnel.funnelId).length,
      newCount: 0,
      updatedCount: 1,
      archivedCount: 1,
      funnelDetails: { id: funnelId, name: funnel.name, funnelId: funnel.funnelId, clientName: funnel.clientName },
      detailedSummary: { totalFieldChanges: 1, updatedInterviewIds: [changed.id], skippedInterviewCount: 1 },
    });
  });

  test('a refresh counts and skips archived interviews, and does not change them', async () => {
    const { sandbox, product, recruiter, funnel } = await setUpRefresh();
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

  test('a refresh downloads a video again when its URL changed, and removes the old file', async () => {
    const { sandbox, product, recruiter, funnel } = await setUpRefresh();
    await refresh(product, recruiter);
    const [one, other] = sandbox.control.interviews(funnel.funnelId).filter(({ videoUrl }) => videoUrl);
    if (!one?.id || !other?.videoUrl) throw new Error('The sandbox has too few videos');
    const before = await recruiter.call(getVideo, { params: { id: one.id } });
    sandbox.control.change(funnel.funnelId, one.id, { videoUrl: `${other.videoUrl}?version=2` });
    await refresh(product, recruiter);
    const after = await recruiter.call(getVideo, { params: { id: one.id } });
    expect(after.videoFile).not.toBe(before.videoFile);
    await until(
      'the old file is removed',
      async () => !(await filesIn(product, 'videos')).includes(before.videoFile ?? ''),
    );
    expect(await filesIn(product, 'videos')).toContain(after.videoFile);
  });

  test('a refresh completes when an old file cannot be removed, and removes it later', async () => {
    const { sandbox, product, recruiter, funnel } = await setUpRefresh();
    await refresh(product, recruiter);
    const [one, other] = sandbox.control.interviews(funnel.funnelId).filter(({ videoUrl }) => videoUrl);
    if (!one?.id || !other?.videoUrl) throw new Error('The sandbox has too few videos');
    const { videoFile } = await recruiter.call(getVideo, { params: { id: one.id } });
    // A folder of the same name cannot be removed as a file.
    const path = join(product.dataDir, 'files', 'videos', String(videoFile));
    await rm(path);
    await mkdir(path);
    sandbox.control.change(funnel.funnelId, one.id, { videoUrl: `${other.videoUrl}?version=2` });
    expect(await refresh(product, recruiter)).toMatchObject({ error: null });
    await rmdir(path);
    await writeFile(path, 'the old video');
    await until('the old file is removed', async () => !(await filesIn(product, 'videos')).includes(String(videoFile)));
  });

  test('a refresh keeps a file when its former URL returns', async () => {
    const { sandbox, product, recruiter, funnel } = await setUpRefresh();
    await refresh(product, recruiter);
    const [one, other] = sandbox.control.interviews(funnel.funnelId).filter(({ videoUrl }) => videoUrl);
    if (!one?.id || !one.videoUrl || !other?.videoUrl) throw new Error('The sandbox has too few videos');
    const { videoFile } = await recruiter.call(getVideo, { params: { id: one.id } });
    for (const videoUrl of [`${other.videoUrl}?version=2`, one.videoUrl]) {
      sandbox.control.change(funnel.funnelId, one.id, { videoUrl });
      await refresh(product, recruiter);
    }
    await fileRemovalEnded(product);
    expect(await recruiter.call(getVideo, { params: { id: one.id } })).toMatchObject({ videoFile, hasLocalCopy: true });
    expect(await filesIn(product, 'videos')).toContain(videoFile);
  });

  test('a changed video that cannot be downloaded has neither the old file nor the old duration', async () => {
    const { sandbox, product, recruiter, funnel } = await setUpRefresh();
    await refresh(product, recruiter);
    const [one, other] = sandbox.control.interviews(funnel.funnelId).filter(({ videoUrl }) => videoUrl);
    if (!one?.id || !other?.videoUrl) throw new Error('The sandbox has too few videos');
    sandbox.control.change(funnel.funnelId, one.id, { videoUrl: `${other.videoUrl}?version=2`, durationSeconds: 0 });
    sandbox.control.fail({ kind: 'status', status: 404, on: 'media' });
    await refresh(product, recruiter);
    expect(await recruiter.call(getInterview, { params: { id: one.id } })).toMatchObject({
      hasLocalCopy: false,
      videoFile: null,
      duration: 0,
    });
  });
});

test('a refresh handles unusual ids and dates', async () => {
  const { sandbox, product, recruiter } = await setUpRefresh();
  const odd = { title: 'Odd', createdAt: '0001-01-01T00:00:00+01:00', recordedAt: '9999-12-31T23:59:59-01:00' };
  sandbox.control.add(FUNNEL, { id: 'constructor', ...odd } as never, { id: '__proto__', ...odd } as never);
  expect((await refresh(product, recruiter)).error).toBeNull();
  sandbox.control.change(FUNNEL, 'constructor', { title: 'Changed' });
  sandbox.control.change(FUNNEL, '__proto__', { title: 'Changed' });
  expect((await refresh(product, recruiter)).error).toBeNull();
  const { details, metadata } = await lastEntry(recruiter);
  expect(metadata.updatedCount).toBe(2);
  expect(details.detailedChanges.constructor).toMatchObject({ fields: { title: { newValue: 'Changed' } } });
});

describe('skipped interviews', () => {
  test('unreadable items and interviews of another funnel are skipped with a reason', async () => {
    const { sandbox, product, recruiter, funnel, funnelId } = await setUpRefresh();
    const [stolen] = sandbox.control.interviews(funnel.funnelId);
    await refresh(product, recruiter);
    const other = sandbox.funnels.find((one) => one.funnelId !== funnel.funnelId);
    if (!other || !stolen) throw new Error('The sandbox has too little');
    sandbox.control.add(other.funnelId, stolen, { id: 'iv_bad', durationSeconds: 'long' as never }, {
      title: 'No id',
    } as never);
    await product.build.activeFunnel(recruiter, other);
    await product.db.updateTable('interview').set({ title: 'Known to the other funnel only' }).execute();
    const status = await refresh(product, recruiter);
    expect(status.error).toBeNull();

    const { details, metadata } = await lastEntry(recruiter);
    expect(details.skippedInterviews).toContainEqual(expect.objectContaining({ title: stolen.title }));
    const reasons = Object.fromEntries(
      details.skippedInterviews.map(({ interviewId, reason }) => [interviewId, reason]),
    );
    expect(reasons[stolen.id ?? '']).toBe('This interview already belongs to another funnel.');
    expect(reasons.iv_bad).toMatch(/durationSeconds/);
    expect(metadata.detailedSummary.skippedInterviewCount).toBe(3);
    expect((await recruiter.call(getInterview, { params: { id: stolen.id ?? '' } })).funnelIdNum).toBe(funnelId);
  });

  test('skipped interviews above 500 are counted but not stored', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh();
    const unreadable = Array.from({ length: 620 }, () => ({ durationSeconds: 'long', createdAt: '2031-01-01' }));
    sandbox.control.add(FUNNEL, ...(unreadable as never[]));
    sandbox.control.fail({ kind: 'status', status: 401, onPage: 7 });
    const stored: number[] = [];
    await recruiter.call(startSync, { query: { timeframe: 'all' } });
    await until('the refresh ended', async () => {
      stored.push((await product.db.selectFrom('sync_skip').select('interview_id').execute()).length);
      return !(await recruiter.call(getSyncStatus, {})).inProgress;
    });
    const run = await product.db.selectFrom('sync_run').select('skipped_count').executeTakeFirst();
    expect(run?.skipped_count).toBe(600);
    expect(Math.max(...stored)).toBeLessThanOrEqual(500);
  });

  test('an interview on two pages is counted once', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh();
    sandbox.control.grow(FUNNEL, 250);
    sandbox.control.fail({ kind: 'duplicate-ids', count: 3 });
    const status = await refresh(product, recruiter);
    const count = sandbox.control.interviews(FUNNEL).length;
    expect(status.processed).toBe(count);
    expect((await lastEntry(recruiter)).metadata).toMatchObject({ newCount: count, updatedCount: 0 });
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(count);
  });
});
