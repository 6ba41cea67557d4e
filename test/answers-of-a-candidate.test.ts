import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { activateFunnel, createFunnel } from '#contracts/funnels.ts';
import { getInterview } from '#contracts/interviews.ts';
import { HIREFLIX_MEDIA } from '#sandbox/hireflix/initial-hireflix.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { connect } from '#server/db/database.ts';
import { backUp, emptyFolder, filesOf, restore, rowsOf } from '#support/backups.ts';
import type { Person } from '#support/call.ts';
import { ADA, candidateCommand, tablesWith } from '#support/candidate.ts';
import { filesIn, refresh } from '#support/refreshing.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { createEmptyDatabase } from '#support/test-database.ts';
import { until } from '#support/until.ts';

/** Interviews of one candidate with three recordings each. */
const ANSWERS = {
  hfx_ada_joined: ['support-knowledge.mp4', 'warehouse-safe-shift.mp4', 'support-knowledge.mp4'],
  // Another codec: these are never joined.
  hfx_ada_apart: ['support-knowledge.mp4', 'eng-mentoring.webm', 'warehouse-safe-shift.mp4'],
};
const cleanup = new AsyncDisposableStack();
let product: TestApp;
let recruiter: Person;
/** The stored names of all recordings of the candidate, including the joined one. */
let files: string[];

beforeAll(async () => {
  const onFinished = (clear: () => Promise<void>) => cleanup.defer(clear);
  const sandbox = await startSandbox(onFinished);
  const { hireflix } = sandbox.control;
  for (const { id } of hireflix.interviews()) hireflix.remove(id);
  for (const [id, recordings] of Object.entries(ANSWERS)) {
    const answerOf = (file: string, at: number) => ({
      id: `${id}_a${at}`,
      url: `${HIREFLIX_MEDIA}/${id}_${at}/${file}`,
    });
    const questions = recordings.map((file, at) => ({
      id: `q${at}`,
      title: `Question ${at}?`,
      answer: answerOf(file, at),
    }));
    const candidate = { fullName: ADA.name, email: ADA.email, phone: ADA.phone };
    hireflix.add({ id, status: 'completed', createdAt: 1, completedAt: 1, candidate, questions });
  }
  product = await startApp({ env: productVariables(sandbox), onFinished });
  recruiter = await product.signedIn();
  const { apiKey, positionId } = sandbox.hireflix;
  const form = { name: 'Designers', source: 'hireflix', apiKey, funnelId: positionId } as const;
  const { id } = await recruiter.call(createFunnel, { body: form });
  await recruiter.call(activateFunnel, { params: { id } });
  await refresh(product, recruiter);
  const read = (id: string) => recruiter.call(getInterview, { params: { id } });
  const { videoFile } = await until('it is joined', async () => {
    const interview = await read('hfx_ada_joined');
    return interview.videoFile ? interview : null;
  });
  const { segments } = await read('hfx_ada_apart');
  files = [
    videoFile,
    ...[...segments, ...(await read('hfx_ada_joined')).segments].map((segment) => segment.videoFile),
  ].flatMap((name) => name ?? []);
});
afterAll(() => cleanup.disposeAsync());

test('the export of a candidate contains all their recorded answers and files', async () => {
  expect(new Set(files).size).toBe(7);
  const folder = await emptyFolder();
  await candidateCommand(product, ['export', ADA.email, join(folder, 'ada.json'), '--files', join(folder, 'files')]);
  const { interviews, copiedFiles } = JSON.parse(await readFile(join(folder, 'ada.json'), 'utf8'));
  expect(interviews.map(({ segments }: { segments: object[] }) => segments.length)).toEqual([3, 3]);
  expect((await readdir(join(folder, 'files'))).sort()).toEqual(files.toSorted());
  expect(copiedFiles.toSorted()).toEqual(files.toSorted());
});

/** Makes a backup and restores it next to the product. */
async function restored() {
  const { file } = await backUp(product.environment);
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  const urls = { DATABASE_URL: database.applicationUrl, DATABASE_OWNER_URL: database.url };
  const elsewhere = { ...product.environment, ...urls, DATA_DIR: await emptyFolder() };
  await restore(elsewhere, file);
  const { db, close } = connect(database.url, 1, () => {});
  onTestFinished(close);
  return { elsewhere, db };
}

test('a backup contains all recorded answers, and restores them', async () => {
  const { elsewhere } = await restored();
  const stored = await filesOf(product.environment);
  expect(Object.keys(stored)).toEqual(expect.arrayContaining(files.map((name) => `/videos/${name}`)));
  expect(await filesOf(elsewhere)).toEqual(stored);
  expect((await rowsOf(elsewhere)).interview_segment).toEqual((await rowsOf(product.environment)).interview_segment);
});

test('answers are played one by one after a restore from a backup without the joined recording', async () => {
  const [joined = ''] = files;
  await rm(join(product.dataDir, 'files/videos', joined));
  const { db } = await restored();
  const interviews = await db.selectFrom('interview').select(['id', 'video_file']).execute();
  expect(interviews.map(({ video_file }) => video_file)).toEqual([null, null]);
  const segments = await db.selectFrom('interview_segment').select(['video_file', 'start_seconds']).execute();
  expect(segments).toEqual(segments.map(() => ({ video_file: expect.any(String), start_seconds: null })));
});

test('the erasure of a candidate deletes all recorded answers', async () => {
  const traces = [ADA.name, ADA.email, ...Object.keys(ANSWERS)];
  expect((await tablesWith(product, traces)).length).toBeGreaterThan(6);
  const { shown } = await candidateCommand(product, ['erase', ADA.email, '--yes']);
  expect(shown).toContain('2 interviews, 7 files');
  expect(await filesIn(product, 'videos')).toEqual([]);
  expect(await filesIn(product, 'partial')).not.toContainEqual(expect.stringMatching(/hfx_ada/));
  expect(await tablesWith(product, traces)).toEqual([]);
});
