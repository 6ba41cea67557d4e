import { expect, onTestFinished, test } from 'vitest';
import { deleteFunnel } from '#contracts/funnels.ts';
import { connect, type Database, type Executor } from '#server/db/database.ts';
import { importPage } from '#server/features/interviews/import-page.ts';
import { fillDuration, setArchived } from '#server/features/interviews/interviews.repo.ts';
import type { SourceInterview } from '#server/ports/interview-source.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { waitingSessions } from '#support/waiting-sessions.ts';

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

/** A funnel with one interview, and a way to write pages into it. */
async function setUp() {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const funnelId = await product.build.funnel(recruiter);
  const { db, close } = connect(product.database.url, 4, () => {});
  onTestFinished(close);
  const write = (...page: SourceInterview[]) => db.transaction().execute((tx) => importPage(tx, funnelId, page));
  await write(source());
  const row = () => db.selectFrom('interview').selectAll().executeTakeFirstOrThrow();
  return { db, recruiter, funnelId, write, row };
}

/** Runs `first` in a transaction that commits only once `second` waits for it. Resolves with what the second resolves with. */
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
  await until('the second one waits', async () => (await waitingSessions(db)) > 0);
  commit();
  await holding;
  return await waiting;
}

test('a length that a player saves while the page is being written stays', async () => {
  const { db, write, row } = await setUp();
  await overtaken(
    db,
    (tx) => fillDuration(tx, 'iv', 61),
    () => write(source({ title: 'Two' })),
  );
  expect(await row()).toMatchObject({ title: 'Two', duration_seconds: 61 });
});

test('one that is archived while the page is being written keeps what it is, its file too, and counts as archived', async () => {
  const { db, write, row } = await setUp();
  await db.updateTable('interview').set({ video_file: 'old.mp4' }).execute();
  const outcome = await overtaken(
    db,
    (tx) => setArchived(tx, 'iv', true),
    () => write(source({ title: 'Two', videoUrl: 'https://service.example/b.mp4' })),
  );
  expect(outcome).toMatchObject({ archivedCount: 1, changed: [], staleFiles: [], wantedFiles: [] });
  expect(await row()).toMatchObject({
    title: 'One',
    video_url: 'https://service.example/a.mp4',
    video_file: 'old.mp4',
  });
});

test('its funnel can be deleted at the same moment: one waits for the other', async () => {
  const { db, recruiter, funnelId, write } = await setUp();
  const params = { id: funnelId };
  await overtaken(
    db,
    (tx) => importPage(tx, funnelId, [source({ title: 'Two' }), source({ id: 'new' })]),
    () => recruiter.call(deleteFunnel, { params }),
  );
  expect(await db.selectFrom('interview').select('id').execute()).toEqual([]);
  await expect(write(source())).rejects.toThrow('interview_funnel');
});
