import { describe, expect, test } from 'vitest';
import { activateFunnel, createFunnel, updateFunnel } from '#contracts/funnels.ts';
import { getInterview, listInterviews } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { getSyncStatus, startSync } from '#contracts/sync.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { createEvents } from '#server/compose-events.ts';
import type { InterviewSource, SourceInterview, SourcePage } from '#server/ports/interview-source.ts';
import { FUNNEL, lastEntry, refresh, setUpRefresh } from '#support/refreshing.ts';
import { startApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';

test('a refresh reads Hireflix and VideoAsk, and the answers of an interview become its video', async () => {
  const { sandbox, recruiter } = await setUpRefresh();
  const { hireflix, videoask } = sandbox;
  // Joining the answers of all interviews would take long.
  for (const { id } of sandbox.control.hireflix.interviews().slice(3)) sandbox.control.hireflix.remove(id);
  const read = async (form: { source: 'hireflix' | 'videoask'; apiKey: string; funnelId: string }) => {
    const { id } = await recruiter.call(createFunnel, { body: { name: form.source, ...form } });
    await recruiter.call(activateFunnel, { params: { id } });
    await recruiter.call(startSync, { query: { timeframe: 'all' } });
    const ended = async () => {
      const status = await recruiter.call(getSyncStatus, {});
      return status.inProgress ? null : status;
    };
    expect((await until('the refresh ends', ended, 30_000)).error).toBeNull();
    const { interviews, total } = await recruiter.call(listInterviews, { query: { funnelId: [id], limit: 1 } });
    const params = { id: interviews[0]?.id ?? '' };
    const joined = async () => {
      const interview = await recruiter.call(getInterview, { params, query: { texts: 'false' } });
      return interview.videoFile ? interview : null;
    };
    return { total, newest: await until('the answers are joined', joined, 40_000) };
  };

  const designers = await read({ source: 'hireflix', apiKey: hireflix.apiKey, funnelId: hireflix.positionId });
  expect(designers.total).toBe(2);
  const { segments } = designers.newest;
  expect(segments.map(({ question }) => question)).toEqual([
    'Which work are you proud of?',
    'How do you handle a disagreement?',
    'What would you like to learn here?',
  ]);
  expect(segments.map(({ startSeconds }) => startSeconds)).toEqual([0, expect.any(Number), expect.any(Number)]);

  const baristas = await read({ source: 'videoask', apiKey: videoask.organization, funnelId: videoask.formId });
  expect([baristas.total, baristas.newest.segments.length]).toEqual([8, 3]);
}, 90_000);

test('a refusal that repeats the key and the token of the server shows neither, and System Logs have neither', async () => {
  const { sandbox, product, recruiter } = await setUpRefresh();
  const { organization, formId } = sandbox.videoask;
  await product.build.activeFunnel(recruiter, { source: 'videoask', apiKey: organization, funnelId: formId });
  sandbox.control.fail({ kind: 'status', status: 400, repeatsHeaders: true, on: 'videoask' });
  await recruiter.call(startSync, { query: { timeframe: 'all' } });
  const { error } = await product.refreshEnded(recruiter);
  expect(error).toBe('VideoAsk rejected the request (400). Its response: Bad headers: … … … ….');
  // Secrets that a part of the product might log by mistake.
  const reason = Buffer.from(organization).toString('base64');
  await createEvents().record(product.db, 'source.changed', { message: `VideoAsk refused ${organization}` });
  await createEvents().record(product.db, 'video-removal.refused', { isErased: false, url: '', reason });
  const { logs } = await recruiter.call(listLogs, { query: { limit: 100 } });
  expect(logs.map((entry) => entry.summary)).toContain('VideoAsk refused …');
  expect(JSON.stringify(logs)).not.toMatch(
    new RegExp(`sandbox-token|${organization}|${Buffer.from(organization).toString('base64')}`),
  );
});

test('an invitation of two years ago that is answered today is read by the next refresh and the next schedule', async () => {
  const { sandbox, product, recruiter } = await setUpRefresh({}, { paces: { automationIntervalMs: 50 } });
  const { apiKey, positionId: funnelId } = sandbox.hireflix;
  const { hireflix } = sandbox.control;
  for (const { id } of hireflix.interviews().slice(2)) hireflix.remove(id);
  // Newer invitations without an answer, on three pages.
  hireflix.grow(120, { answers: 0, videoBytes: 0 });
  const form = { source: 'hireflix', name: 'Designers', apiKey, funnelId } as const;
  const id = await product.build.activeFunnel(recruiter, form);
  expect((await refresh(product, recruiter)).error).toBeNull();
  const answerToday = (late: string) => {
    const answer = { id: `${late}_a`, url: `/hireflix-media/${late}/eng-types.mp4` };
    const createdAt = Date.now() - 730 * 86_400_000;
    hireflix.add({
      id: late,
      status: 'completed',
      createdAt,
      completedAt: Date.now(),
      questions: [{ id: 'q', title: 'Why?', answer }],
    });
  };
  const videoOf = async (late: string) =>
    (await recruiter.call(getInterview, { params: { id: late }, query: { texts: 'false' } })).videoFile;

  answerToday('late');
  sandbox.requests.clear();
  expect(await refresh(product, recruiter, 'future')).toMatchObject({ error: null, processed: 1 });
  expect(await videoOf('late')).toMatch(/\.mp4$/);
  // The list has no files, and the files of the other interviews are stored.
  expect(sandbox.requests.list('media').map(({ path }) => path)).toEqual(['/hireflix-media/late/eng-types.mp4']);

  answerToday('later');
  await recruiter.call(updateFunnel, { params: { id }, body: { ...form, refreshMinutes: 15 } });
  const runs = () => product.db.selectFrom('sync_run').selectAll().where('cause', '=', 'schedule').execute();
  const ended = async () => ((await runs())[0]?.finished_at ? runs() : null);
  expect(await until('the schedule has refreshed', ended)).toMatchObject([{ timeframe: 'future', error: null }]);
  expect(await videoOf('later')).toMatch(/\.mp4$/);
});

describe('addresses of files with a parameter that changes each time', () => {
  const setUp = async () => {
    const world = await setUpRefresh();
    const { sandbox, product, recruiter } = world;
    for (const { id } of sandbox.control.hireflix.interviews().slice(2)) sandbox.control.hireflix.remove(id);
    for (const on of ['interviews', 'hireflix']) sandbox.control.fail({ kind: 'changing-parameter', on });
    /** Refreshes, and returns the paths of the files that are downloaded. */
    const download = async () => {
      sandbox.requests.clear();
      expect((await refresh(product, recruiter)).error).toBeNull();
      return sandbox.requests.list('media').map(({ path }) => path);
    };
    return { ...world, download };
  };

  test('files of interviews are downloaded once, and again when their path changes', async () => {
    const { sandbox, recruiter, download } = await setUp();
    expect((await download()).length).toBeGreaterThan(3);
    expect(await download()).toEqual([]);
    expect((await lastEntry(recruiter)).metadata).toMatchObject({ updatedCount: 0 });
    const [{ id = '' } = {}] = sandbox.control.interviews(FUNNEL).filter(({ videoUrl }) => videoUrl);
    const videoUrl = '/media/generated/1000/another.mp4';
    sandbox.control.change(FUNNEL, id, { videoUrl });
    expect(await download()).toEqual([videoUrl]);
  });

  test('answers are downloaded once, and again when their path or id changes', async () => {
    const { sandbox, product, recruiter, download } = await setUp();
    const { apiKey, positionId: funnelId } = sandbox.hireflix;
    await product.build.activeFunnel(recruiter, { source: 'hireflix', apiKey, funnelId });
    expect((await download()).length).toBeGreaterThan(3);
    expect(await download()).toEqual([]);
    const [newest, second] = sandbox.control.hireflix.interviews();
    const recordAgain = (interview: typeof newest, answer: { id?: string; url?: string }) => {
      const [first, ...others] = interview?.questions ?? [];
      if (!interview || !first?.answer) throw new Error('The interview has no answer.');
      const questions = [{ ...first, answer: { ...first.answer, ...answer } }, ...others];
      sandbox.control.hireflix.add({ ...interview, questions });
    };
    const url = '/hireflix-media/another/eng-types.mp4';
    recordAgain(newest, { url });
    recordAgain(second, { id: 'another' });
    expect((await download()).toSorted()).toEqual([second?.questions?.[0]?.answer?.url, url].toSorted());
  });
});

describe('the addresses of recordings at Hireflix', () => {
  /** Makes the URLs in the responses to these calls expire before they are used. */
  const setUp = async (...calls: ('page' | 'find')[]) => {
    const sandbox = await startSandbox();
    const { apiKey, positionId, ...hireflix } = { ...sandbox.hireflix, ...sandbox.control.hireflix };
    for (const { id } of hireflix.interviews().slice(1)) hireflix.remove(id);
    const expired = <T extends SourcePage | SourceInterview | null>(answer: T) => {
      // The last page is empty, and arrives while files are downloaded.
      if (!answer || !('interviews' in answer) || answer.interviews.length > 0) sandbox.control.expireSignatures();
      return answer;
    };
    const changeSource = (source: InterviewSource): InterviewSource => ({
      ...source,
      ...(calls.includes('page') && { page: async (...input) => expired(await source.page(...input)) }),
      ...(calls.includes('find') && { find: async (...input) => expired(await source.find(...input)) }),
    });
    const product = await startApp({ env: productVariables(sandbox), changeSource });
    const recruiter = await product.signedIn();
    const form = { source: 'hireflix', apiKey, funnelId: positionId } as const;
    await product.build.activeFunnel(recruiter, form);
    const [{ id = '' } = {}] = hireflix.interviews();
    return { sandbox, product, recruiter, id };
  };

  test('the addresses of recordings at Hireflix are asked for again when they have expired, and the recordings are stored', async () => {
    const { product, recruiter, id } = await setUp('page');
    const status = await refresh(product, recruiter);
    expect(status).toMatchObject({ error: null, totalFiles: 4, downloadedFiles: 4 });
    const { segments } = await recruiter.call(getInterview, { params: { id } });
    expect(segments.map(({ videoFile }) => videoFile)).toEqual(segments.map(() => expect.stringMatching(/\.mp4$/)));
  });

  test('the URLs of recordings at Hireflix are requested once, and a rejected new one is reported', async () => {
    const { sandbox, product, recruiter } = await setUp('page', 'find');
    await refresh(product, recruiter);
    // Two pages, and one call for each of four files.
    expect(sandbox.requests.list('/hireflix/me')).toHaveLength(6);
    const { failedDownloads } = (await lastEntry(recruiter)).details as unknown as { failedDownloads: object[] };
    const refused = { reason: "The file's new address was rejected too." };
    expect(failedDownloads).toEqual([1, 2, 3, 4].map(() => expect.objectContaining(refused)));
  });
});
