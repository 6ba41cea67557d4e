import { expect, onTestFinished, test } from 'vitest';
import { deleteFunnel } from '#contracts/funnels.ts';
import { connect, type Database, type Executor } from '#server/db/database.ts';
import type { SourceInterview } from '#server/ports/interview-source.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { waitingSessions } from '#support/waiting-sessions.ts';
import { updateArchived, updateDuration } from './interviews.repo.ts';
import { mergePage } from './merge-page.ts';

const source = (part: Partial<SourceInterview> = {}): SourceInterview => ({
  id: 'iv',
  title: 'One',
  description: null,
  candidateName: null,
  candidateEmail: null,
  candidatePhone: null,
  recordedAt: new Date('2026-01-01'),
  createdAt: new Date('2026-01-01'),
  updatedAt: null,
  durationSeconds: 0,
  url: null,
  videoUrl: 'https://service.example/a.mp4',
  thumbnailUrl: null,
  questions: [],
  transcript: null,
  ...part,
});

/** Creates a funnel with one interview. `write` merges a page into it. */
async function setUp() {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const funnelId = await product.build.funnel(recruiter);
  const { db, close } = connect(product.database.url, 4, () => {});
  onTestFinished(close);
  const write = (...page: SourceInterview[]) => db.transaction().execute((tx) => mergePage(tx, funnelId, page));
  await write(source());
  const row = () => db.selectFrom('interview').selectAll().executeTakeFirstOrThrow();
  return { db, recruiter, funnelId, write, row };
}

/**
 * Runs `first` in a transaction that commits once `second` waits for it. Returns the result of
 * `second`.
 */
async function overtaken<T>(db: Database, first: (tx: Executor) => Promise<unknown>, second: () => Promise<T>) {
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const { promise: isDone, resolve: done } = Promise.withResolvers<void>();
  const holding = db.transaction().execute(async (tx) => {
    await first(tx);
    done();
    await mayCommit;
  });
  await isDone;
  const waiting = second();
  await until('the second statement waits', async () => (await waitingSessions(db)) > 0);
  commit();
  await holding;
  return await waiting;
}

test('a duration saved while a page is being written is kept', async () => {
  const { db, write, row } = await setUp();
  await overtaken(
    db,
    (tx) => updateDuration(tx, 'iv', 61),
    () => write(source({ title: 'Two' })),
  );
  expect(await row()).toMatchObject({ title: 'Two', duration_seconds: 61 });
});

test('an interview archived while a page is being written keeps its values and file, and counts as archived', async () => {
  const { db, write, row } = await setUp();
  await db.updateTable('interview').set({ video_file: 'old.mp4' }).execute();
  const outcome = await overtaken(
    db,
    (tx) => updateArchived(tx, 'iv', true),
    () => write(source({ title: 'Two', videoUrl: 'https://service.example/b.mp4' })),
  );
  expect(outcome).toMatchObject({ archivedCount: 1, changed: [], staleFiles: [], wantedFiles: [] });
  expect(await row()).toMatchObject({
    title: 'One',
    video_url: 'https://service.example/a.mp4',
    video_file: 'old.mp4',
  });
});

test('a page and the deletion of its funnel wait for each other instead of deadlocking', async () => {
  const { db, recruiter, funnelId, write } = await setUp();
  const params = { id: funnelId };
  await overtaken(
    db,
    (tx) => mergePage(tx, funnelId, [source({ title: 'Two' }), source({ id: 'new' })]),
    () => recruiter.call(deleteFunnel, { params }),
  );
  expect(await db.selectFrom('interview').select('id').execute()).toEqual([]);
  await expect(write(source())).rejects.toThrow('interview_funnel');
});
