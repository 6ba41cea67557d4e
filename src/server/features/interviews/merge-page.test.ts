import { expect, onTestFinished, test } from 'vitest';
import { deleteFunnel } from '#contracts/funnels.ts';
import { getInterview } from '#contracts/interviews.ts';
import { connect, type Database, type Executor } from '#server/db/database.ts';
import type { SourceInterview, SourceSegment } from '#server/ports/interview-source.ts';
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
  segments: [],
  transcript: null,
  ...part,
});

const segment = (id: string, part: Partial<SourceSegment> = {}): SourceSegment => ({
  id,
  question: `Question ${id}`,
  videoUrl: `https://service.example/${id}.mp4?Signature=1`,
  thumbnailUrl: null,
  durationSeconds: 10,
  isReady: true,
  answerText: null,
  transcript: null,
  ...part,
});

/** An interview with a recording for each answer. */
const answered = (...segments: SourceSegment[]) => source({ id: 'parts', videoUrl: null, segments });

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
    (tx) => updateArchived(tx, 'iv', { isArchived: true }),
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

test('an interview lists its answers in their order, and a single recording has none', async () => {
  const { recruiter, write } = await setUp();
  const answers = [segment('b'), segment('a', { question: null, durationSeconds: 0, videoUrl: null, isReady: false })];
  expect((await write(answered(...answers))).newIds).toEqual(['parts']);
  const read = async (id: string) => (await recruiter.call(getInterview, { params: { id } })).segments;
  const nothing = { videoFile: null, thumbnailFile: null, startSeconds: null };
  expect(await read('parts')).toEqual([
    { position: 0, question: 'Question b', durationSeconds: 10, isReady: true, ...nothing },
    { position: 1, question: null, durationSeconds: 0, isReady: false, ...nothing },
  ]);
  expect(await read('iv')).toEqual([]);
});

test('an answer keeps its file while its address has only a new signature', async () => {
  const { db, write } = await setUp();
  const transcript = { text: 'Hi.', segments: [{ startSeconds: 0, endSeconds: 1, text: 'Hi.' }] };
  await write(answered(segment('a', { transcript, durationSeconds: 0 }), segment('b')));
  const files = { video_file: 'a.mp4', start_seconds: 0, duration_seconds: 7.5 };
  await db.updateTable('interview_segment').set(files).where('source_id', '=', 'a').execute();
  await db.updateTable('interview').set({ video_file: 'joined.mp4' }).where('id', '=', 'parts').execute();

  const videoUrl = 'https://service.example/a.mp4?Signature=2';
  const outcome = await write(answered(segment('a', { videoUrl, durationSeconds: 0 }), segment('b')));
  expect(outcome).toMatchObject({ changed: [], staleFiles: [] });
  const rows = db.selectFrom('interview_segment').selectAll().orderBy('position');
  expect((await rows.execute())[0]).toMatchObject({ ...files, transcript });
});

test('a replaced answer is a change of its interview, whose joined recording is removed', async () => {
  const { db, write } = await setUp();
  await write(answered(segment('a'), segment('b')));
  await db.updateTable('interview_segment').set({ start_seconds: 1 }).execute();
  await db.updateTable('interview_segment').set({ video_file: 'b.mp4' }).where('source_id', '=', 'b').execute();
  await db.updateTable('interview').set({ video_file: 'joined.mp4' }).where('id', '=', 'parts').execute();

  const outcome = await write(answered(segment('b', { videoUrl: 'https://service.example/new.mp4' }), segment('a')));
  const text = (first: string, second: string) =>
    [first, second].map((line, at) => `${at + 1}. Question ${line}`).join('\n');
  expect(outcome.changed).toEqual([
    {
      interviewId: 'parts',
      title: 'One',
      fields: [
        {
          field: 'segments',
          oldValue: text('a (10 s) https://service.example/a.mp4', 'b (10 s) https://service.example/b.mp4'),
          newValue: text('b (10 s) https://service.example/new.mp4', 'a (10 s) https://service.example/a.mp4'),
        },
      ],
    },
  ]);
  expect(outcome.staleFiles.map(({ name }) => name).sort()).toEqual(['b.mp4', 'joined.mp4']);
  const rows = await db.selectFrom('interview_segment').selectAll().orderBy('position').execute();
  expect(rows.map(({ source_id, start_seconds, video_file }) => [source_id, start_seconds, video_file])).toEqual([
    ['b', null, null],
    ['a', null, null],
  ]);
  const parts = db.selectFrom('interview').select('video_file').where('id', '=', 'parts');
  expect(await parts.executeTakeFirst()).toEqual({ video_file: null });
});
