import { expect, test } from 'vitest';
import { archiveInterview, getInterview, type ListQuery, listInterviews } from '#contracts/interviews.ts';
import { getReview, markWatched, unmarkWatched } from '#contracts/review.ts';
import type { Person } from '#support/call.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { startApp, type TestApp } from '#support/start-app.ts';

const listOf = (recruiter: Person) => async (query: Partial<ListQuery>) => {
  const { interviews, total } = await recruiter.call(listInterviews, { query });
  return { ids: interviews.map(({ id, watched }) => (watched ? `${id} watched` : id)), total };
};

/** A second account, with the password of the first. */
async function colleagueOf(product: TestApp): Promise<Person> {
  const { password_hash } = await product.db.selectFrom('account').select('password_hash').executeTakeFirstOrThrow();
  await product.db.insertInto('account').values({ username: 'colleague', password_hash }).execute();
  return product.signedIn('colleague');
}

async function withInterviews(count = 6) {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const funnelId = await product.build.funnel(recruiter, {
    name: 'Nurses',
    funnelId: 'nurses',
    clientName: 'Mercy Hospital',
  });
  await insertInterviews(
    product.db,
    Array.from({ length: count }, (_, n) => ({
      id: `iv-${n}`,
      funnelId,
      title: n % 2 === 0 ? 'Day shift' : 'Night shift',
      destinationId: n === 5 ? 'BUB-A-1' : null,
      recordedAt: new Date(Date.UTC(2026, 2, 10 - n, 12)).toISOString(),
    })),
  );
  const watch = (person: Person, ...ids: string[]) =>
    Promise.all(ids.map((id) => person.call(markWatched, { params: { id } })));
  return { product, recruiter, funnelId, watch, list: listOf(recruiter) };
}

test('watched interviews are marked per account', async () => {
  const { product, recruiter, watch, list } = await withInterviews(3);
  const colleague = await colleagueOf(product);
  await watch(recruiter, 'iv-1');
  await watch(recruiter, 'iv-1');
  expect((await list({})).ids).toEqual(['iv-0', 'iv-1 watched', 'iv-2']);
  expect((await list({})).ids).toEqual(['iv-0', 'iv-1 watched', 'iv-2']);
  expect((await listOf(colleague)({})).ids).toEqual(['iv-0', 'iv-1', 'iv-2']);
  expect((await recruiter.call(getInterview, { params: { id: 'iv-1' }, query: {} })).watched).toBe(true);
  expect((await colleague.call(getInterview, { params: { id: 'iv-1' }, query: {} })).watched).toBe(false);
});

test('the filter Unwatched combines with every other filter and counts exactly', async () => {
  const { recruiter, watch, list } = await withInterviews();
  expect(await list({ unwatched: '1' })).toMatchObject({ total: 6 });
  await watch(recruiter, 'iv-0', 'iv-3', 'iv-5');
  expect(await list({ unwatched: '1' })).toEqual({ ids: ['iv-1', 'iv-2', 'iv-4'], total: 3 });
  expect(await list({ unwatched: '1', page: 2, limit: 2 })).toEqual({ ids: ['iv-4'], total: 3 });
  expect(await list({ unwatched: '1', search: 'night' })).toEqual({ ids: ['iv-1'], total: 1 });
  expect(await list({ unwatched: '1', search: 'mercy' })).toEqual({ ids: ['iv-1', 'iv-2', 'iv-4'], total: 3 });
  expect(await list({ unwatched: '1', status: 'sent' })).toEqual({ ids: [], total: 0 });
  const range = { startDate: '2026-03-06T00:00:00Z', endDate: '2026-03-09T13:00:00Z' };
  expect(await list({ unwatched: '1', ...range })).toEqual({ ids: ['iv-1', 'iv-2', 'iv-4'], total: 3 });
  expect(await list({ unwatched: '1', ...range, endDate: '2026-03-09T11:00:00Z' })).toMatchObject({ total: 2 });
  await recruiter.call(archiveInterview, { params: { id: 'iv-2' } });
  await recruiter.call(archiveInterview, { params: { id: 'iv-3' } });
  expect(await list({ unwatched: '1' })).toEqual({ ids: ['iv-1', 'iv-4'], total: 2 });
});

test('the filter Unwatched hides a watched interview on a day whose other matches are found by their client', async () => {
  const { product, recruiter, watch, list } = await withInterviews(1);
  const other = await product.build.funnel(recruiter, { funnelId: 'other', clientName: 'Umbrella' });
  const recordedAt = '2026-03-10T13:00:00Z';
  await insertInterviews(product.db, [{ id: 'titled', funnelId: other, title: 'Mercy', recordedAt }]);
  await watch(recruiter, 'titled');
  expect(await list({ search: 'mercy' })).toEqual({ ids: ['titled watched', 'iv-0'], total: 2 });
  expect(await list({ unwatched: '1', search: 'mercy' })).toEqual({ ids: ['iv-0'], total: 1 });
});

test('interviews that are watched during a review keep their places in its list', async () => {
  const { recruiter, watch, list } = await withInterviews(3);
  await watch(recruiter, 'iv-0');
  await new Promise((resolve) => setTimeout(resolve, 5));
  const asOf = new Date().toISOString();
  expect(await list({ unwatched: '1', asOf })).toEqual({ ids: ['iv-1', 'iv-2'], total: 2 });
  await new Promise((resolve) => setTimeout(resolve, 5));
  await watch(recruiter, 'iv-1');
  expect(await list({ unwatched: '1', asOf })).toEqual({ ids: ['iv-1 watched', 'iv-2'], total: 2 });
  expect(await list({ unwatched: '1' })).toEqual({ ids: ['iv-2'], total: 1 });
});

test('the review counts unwatched interviews of the current filter', async () => {
  const { recruiter, watch } = await withInterviews();
  const unwatched = async (query: object) => (await recruiter.call(getReview, { query })).unwatched;
  expect(await unwatched({})).toBe(6);
  await watch(recruiter, 'iv-0', 'iv-1');
  expect(await unwatched({})).toBe(4);
  expect(await unwatched({ search: 'night' })).toBe(2);
  expect(await unwatched({ status: 'sent' })).toBe(1);
});

test('an interview that is marked as unwatched is in the list and in the count again, for this account only', async () => {
  const { product, recruiter, watch, list } = await withInterviews();
  const colleague = await colleagueOf(product);
  await watch(colleague, 'iv-1');
  await watch(recruiter, 'iv-1');
  await watch(recruiter, 'iv-2');
  expect(await list({ unwatched: '1' })).toMatchObject({ total: 4 });
  // Not the one that was watched last: the remembered counts belong to that moment.
  expect(await recruiter.call(unmarkWatched, { params: { id: 'iv-1' } })).toEqual({ message: 'Marked as unwatched' });
  expect(await list({ unwatched: '1' })).toEqual({ ids: ['iv-0', 'iv-1', 'iv-3', 'iv-4', 'iv-5'], total: 5 });
  expect((await recruiter.call(getReview, { query: {} })).unwatched).toBe(5);
  expect((await recruiter.call(getInterview, { params: { id: 'iv-1' }, query: {} })).watched).toBe(false);
  expect(await listOf(colleague)({ unwatched: '1' })).toMatchObject({ total: 5 });
  await recruiter.call(unmarkWatched, { params: { id: 'iv-1' } });
  await expect(recruiter.call(unmarkWatched, { params: { id: 'iv-9' } })).rejects.toThrow('no longer exists');
});

test('a deleted interview and a deleted account leave no trace of watching', async () => {
  const { product, recruiter, watch } = await withInterviews(2);
  await watch(recruiter, 'iv-0');
  await product.db.deleteFrom('interview').where('id', '=', 'iv-0').execute();
  expect(await product.db.selectFrom('watched').selectAll().execute()).toEqual([]);
});
