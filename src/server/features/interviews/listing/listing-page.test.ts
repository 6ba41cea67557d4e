import { expect, test } from 'vitest';
import { updateFunnel } from '#contracts/funnels.ts';
import {
  archiveInterview,
  type ListQuery,
  listInterviews,
  saveTranscript,
  updateDuration,
} from '#contracts/interviews.ts';
import type { Person } from '#support/call.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { startApp } from '#support/start-app.ts';

const pagesOf = (recruiter: Person) => async (query: Partial<ListQuery>) => {
  const { interviews, total } = await recruiter.call(listInterviews, { query });
  return { ids: interviews.map(({ id }) => id), total };
};

/** Starts two processes on one database. Tests read in the first and change in the second. */
async function twoProcesses() {
  const here = await startApp({ jobs: false });
  const there = await startApp({ jobs: false, database: here.database, dataDir: here.dataDir });
  const [recruiter, colleague] = [await here.signedIn(), await there.signedIn()];
  const form = { name: 'Nurses', clientName: 'Mercy Hospital', funnelId: 'nurses', apiKey: 'key' };
  const funnelId = await here.build.funnel(recruiter, form);
  await insertInterviews(
    here.db,
    ['a', 'b', 'c'].map((id, day) => ({
      id,
      funnelId,
      recordedAt: `2026-03-0${day + 1}T10:00:00Z`,
      transcript: 'Old',
    })),
  );
  const rename = (clientName: string) =>
    colleague.call(updateFunnel, { params: { id: funnelId }, body: { ...form, clientName } });
  const write = (transcriptionText: string) =>
    colleague.call(saveTranscript, { params: { id: 'b' }, body: { transcriptionText } });
  return { here, recruiter, colleague, funnelId, rename, write, page: pagesOf(recruiter) };
}

type Stage = Awaited<ReturnType<typeof twoProcesses>>;
const ALL = { ids: ['c', 'b', 'a'], total: 3 };
const NONE = { ids: [], total: 0 };

const CHANGES: [
  what: string,
  query: Partial<ListQuery>,
  change: (deps: Stage) => Promise<unknown>,
  before: object,
  after: object,
][] = [
  [
    'a new interview',
    {},
    ({ here, funnelId }) => insertInterviews(here.db, [{ id: 'd', funnelId, recordedAt: '2026-03-02T12:00:00Z' }]),
    ALL,
    { ids: ['c', 'd', 'b', 'a'], total: 4 },
  ],
  [
    'an archived interview',
    {},
    ({ colleague }) => colleague.call(archiveInterview, { params: { id: 'c' } }),
    ALL,
    { ids: ['b', 'a'], total: 2 },
  ],
  ['a new status', { status: 'pending' }, ({ write }) => write('Hello'), NONE, { ids: ['b'], total: 1 }],
  ['a renamed client, by its old name', { search: 'mercy' }, ({ rename }) => rename('Umbrella'), ALL, NONE],
  ['a renamed client, by its new name', { search: 'umbrella' }, ({ rename }) => rename('Umbrella'), NONE, ALL],
  ['a renamed client, as a filter', { clientName: ['Umbrella'] }, ({ rename }) => rename('Umbrella'), NONE, ALL],
  [
    'a measured length',
    { sort: 'longest' },
    ({ colleague }) => colleague.call(updateDuration, { params: { id: 'b' }, body: { duration: 60 } }),
    ALL,
    { ids: ['b', 'c', 'a'], total: 3 },
  ],
  ['an edited transcript', { search: 'zeppelin' }, ({ write }) => write('A zeppelin'), NONE, { ids: ['b'], total: 1 }],
];

test.each(CHANGES)(
  'a remembered page follows a change made by another process: %s',
  async (_, query, change, before, after) => {
    const stage = await twoProcesses();
    expect(await stage.page(query)).toEqual(before);
    expect(await stage.page(query)).toEqual(before);
    await change(stage);
    expect(await stage.page(query)).toEqual(after);
    expect(await stage.page(query)).toEqual(after);
  },
);

test('a remembered page is found by a second edit of a text, although no status changes', async () => {
  const { page, write } = await twoProcesses();
  await write('The first words');
  for (const found of [NONE, NONE]) expect(await page({ search: 'zeppelin' })).toEqual(found);
  await write('A zeppelin');
  expect(await page({ search: 'zeppelin' })).toEqual({ ids: ['b'], total: 1 });
});

test('a remembered page shows current values of columns that the list does not filter by', async () => {
  const { here, recruiter, page } = await twoProcesses();
  for (const found of [ALL, ALL]) expect(await page({})).toEqual(found);
  await here.db.updateTable('interview').set({ duration_seconds: 77 }).where('id', '=', 'b').execute();
  const { interviews } = await recruiter.call(listInterviews, { query: {} });
  expect(interviews.map(({ duration }) => duration)).toEqual([0, 77, 0]);
});

test('every page of a day is the same when it is read from either end', async () => {
  const { here, page, funnelId } = await twoProcesses();
  const ids = Array.from({ length: 40 }, (_, n) => `day-${String(n).padStart(2, '0')}`);
  await insertInterviews(
    here.db,
    ids.map((id) => ({ id, funnelId, title: `Interview ${id}`, recordedAt: '2026-03-02T11:00:00Z' })),
  );
  const newest = ['c', ...ids.toReversed(), 'b', 'a'];
  for (const query of [{}, { search: 'interview' }]) {
    for (let number = 1; number <= 7; number += 1) {
      const { ids: found } = await page({ ...query, page: number, limit: 7 });
      expect(found).toEqual(newest.slice((number - 1) * 7, number * 7));
    }
  }
});
