import { expect, test } from 'vitest';
import { archiveInterview, getInterview, type ListQuery, listInterviews } from '#contracts/interviews.ts';
import { markWatched } from '#contracts/review.ts';
import { readReviews, saveReview, withdrawReview } from '#contracts/reviews.ts';
import type { Person } from '#support/call.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { signedInAs } from '#support/people.ts';
import { startApp } from '#support/start-app.ts';

const listOf = (person: Person) => async (query: Partial<ListQuery>) => {
  const { interviews, total } = await person.call(listInterviews, { query });
  return { ids: interviews.map(({ id }) => id), total };
};

const decide = (person: Person, id: string, recommendation: number | null, submit = true) =>
  person.call(saveReview, { params: { id }, body: { ratings: {}, recommendation, note: '', submit } });

async function withInterviews() {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const funnelId = await product.build.funnel(recruiter, { name: 'Nurses', funnelId: 'nurses', clientName: 'Mercy' });
  await insertInterviews(
    product.db,
    Array.from({ length: 6 }, (_, n) => ({
      id: `iv-${n}`,
      funnelId,
      title: n % 2 === 0 ? 'Day shift' : 'Night shift',
      seconds: 60 + n,
      recordedAt: new Date(Date.UTC(2026, 2, 10 - n, 12)).toISOString(),
    })),
  );
  return { product, recruiter, list: listOf(recruiter) };
}

test("an interview has the caller's own decision, in lists and alone", async () => {
  const { product, recruiter } = await withInterviews();
  const colleague = await signedInAs(product, { role: 'reviewer' });
  await decide(recruiter, 'iv-1', 4);
  await decide(recruiter, 'iv-2', 3, false);
  await decide(colleague, 'iv-1', 1);
  const decisions = async (person: Person) =>
    (await person.call(listInterviews, { query: {} })).interviews.slice(0, 3).map((one) => one.myRecommendation);
  expect(await decisions(recruiter)).toEqual([null, 4, null]);
  expect(await decisions(colleague)).toEqual([null, 1, null]);
  const one = await recruiter.call(getInterview, { params: { id: 'iv-1' }, query: {} });
  expect(one.myRecommendation).toBe(4);
});

test('the filter My review missing combines with every other filter and counts exactly', async () => {
  const { recruiter, list } = await withInterviews();
  expect(await list({ unreviewed: '1' })).toMatchObject({ total: 6 });
  for (const id of ['iv-0', 'iv-3', 'iv-5']) await decide(recruiter, id, 2);
  await decide(recruiter, 'iv-1', 2, false);
  await recruiter.call(readReviews, { params: { id: 'iv-2' } });
  expect(await list({ unreviewed: '1' })).toEqual({ ids: ['iv-1', 'iv-2', 'iv-4'], total: 3 });
  expect(await list({ unreviewed: '1', page: 2, limit: 2 })).toEqual({ ids: ['iv-4'], total: 3 });
  expect(await list({ unreviewed: '1', search: 'night' })).toEqual({ ids: ['iv-1'], total: 1 });
  expect(await list({ unreviewed: '1', search: 'mercy' })).toEqual({ ids: ['iv-1', 'iv-2', 'iv-4'], total: 3 });
  expect(await list({ unreviewed: '1', sort: 'longest' })).toEqual({ ids: ['iv-4', 'iv-2', 'iv-1'], total: 3 });
  expect(await list({ unreviewed: '1', sort: 'oldest' })).toEqual({ ids: ['iv-4', 'iv-2', 'iv-1'], total: 3 });
  const range = { startDate: '2026-03-06T00:00:00Z', endDate: '2026-03-09T11:00:00Z' };
  expect(await list({ unreviewed: '1', ...range })).toEqual({ ids: ['iv-2', 'iv-4'], total: 2 });
  for (const id of ['iv-0', 'iv-1']) await recruiter.call(markWatched, { params: { id } });
  expect(await list({ unreviewed: '1', unwatched: '1' })).toEqual({ ids: ['iv-2', 'iv-4'], total: 2 });
  await recruiter.call(archiveInterview, { params: { id: 'iv-2' } });
  expect(await list({ unreviewed: '1' })).toEqual({ ids: ['iv-1', 'iv-4'], total: 2 });
});

test('the filter by decision finds interviews that the caller recommends or advises against, even after a change', async () => {
  const { product, recruiter, list } = await withInterviews();
  const colleague = await signedInAs(product, { role: 'reviewer' });
  expect(await list({ decision: 'yes' })).toEqual({ ids: [], total: 0 });
  for (const [n, recommendation] of [4, 3, 2, 1].entries()) await decide(recruiter, `iv-${n}`, recommendation);
  await decide(recruiter, 'iv-4', 4, false);
  await decide(colleague, 'iv-5', 4);
  expect(await list({ decision: 'yes' })).toEqual({ ids: ['iv-0', 'iv-1'], total: 2 });
  expect(await list({ decision: 'no' })).toEqual({ ids: ['iv-2', 'iv-3'], total: 2 });
  expect(await list({ decision: 'yes', search: 'night' })).toEqual({ ids: ['iv-1'], total: 1 });
  expect(await list({ decision: 'yes', search: 'mercy', sort: 'longest' })).toEqual({
    ids: ['iv-1', 'iv-0'],
    total: 2,
  });
  expect(await list({ decision: 'yes', endDate: '2026-03-09T13:00:00Z' })).toEqual({ ids: ['iv-1'], total: 1 });
  await Promise.all([decide(recruiter, 'iv-1', 1), decide(recruiter, 'iv-2', 3), decide(recruiter, 'iv-3', 4)]);
  expect(await list({ decision: 'yes' })).toEqual({ ids: ['iv-0', 'iv-2', 'iv-3'], total: 3 });
  await recruiter.call(archiveInterview, { params: { id: 'iv-0' } });
  expect(await list({ decision: 'yes' })).toEqual({ ids: ['iv-2', 'iv-3'], total: 2 });
  expect(await listOf(colleague)({ decision: 'yes' })).toEqual({ ids: ['iv-5'], total: 1 });
});

test('an undone decision leaves its lists', async () => {
  const { recruiter, list } = await withInterviews();
  for (const id of ['iv-0', 'iv-1', 'iv-2']) await decide(recruiter, id, 3);
  expect(await list({ decision: 'yes' })).toMatchObject({ total: 3 });
  expect(await list({ unreviewed: '1' })).toMatchObject({ total: 3 });
  await recruiter.call(withdrawReview, { params: { id: 'iv-1' } });
  expect(await list({ decision: 'yes' })).toEqual({ ids: ['iv-0', 'iv-2'], total: 2 });
  expect(await list({ unreviewed: '1' })).toEqual({ ids: ['iv-1', 'iv-3', 'iv-4', 'iv-5'], total: 4 });
});

test('interviews that are reviewed while the player works through a list keep their places in it', async () => {
  const { recruiter, list } = await withInterviews();
  await decide(recruiter, 'iv-0', 2);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const asOf = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await decide(recruiter, 'iv-1', 3);
  await decide(recruiter, 'iv-0', 4);
  expect(await list({ unreviewed: '1', asOf })).toEqual({ ids: ['iv-1', 'iv-2', 'iv-3', 'iv-4', 'iv-5'], total: 5 });
  expect(await list({ unreviewed: '1' })).toEqual({ ids: ['iv-2', 'iv-3', 'iv-4', 'iv-5'], total: 4 });
});
