import { expect, test } from 'vitest';
import { getReview } from '#contracts/review.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { startApp } from '#support/start-app.ts';

async function withInterviews(count: number) {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const funnelId = await product.build.funnel(recruiter, { name: 'Nurses', funnelId: 'nurses' });
  await insertInterviews(
    product.db,
    Array.from({ length: count }, (_, n) => ({
      id: `iv-${n}`,
      funnelId,
      title: n % 2 === 0 ? 'Day shift' : 'Night shift',
      recordedAt: new Date(Date.UTC(2026, 2, 1, n)).toISOString(),
    })),
  );
  await product.db.updateTable('interview').set({ duration_seconds: 60 }).execute();
  const review = (query: object) => recruiter.call(getReview, { query });
  return { product, review };
}

test('the rest of a list has the summed duration of the interviews after the skipped ones', async () => {
  const { review, product } = await withInterviews(30);
  expect((await review({})).seconds).toBeNull();
  expect((await review({ skip: 0 })).seconds).toBe(30 * 60);
  expect((await review({ skip: 27 })).seconds).toBe(3 * 60);
  expect((await review({ skip: 27, search: 'night' })).seconds).toBe(0);
  expect((await review({ skip: 5, search: 'night' })).seconds).toBe(10 * 60);
  await product.db.updateTable('interview').set({ archived_at: new Date() }).where('id', '=', 'iv-0').execute();
  expect((await review({ skip: 0 })).seconds).toBe(29 * 60);
});

test('more than 1,000 interviews are not summed', async () => {
  const { review } = await withInterviews(1_002);
  expect((await review({ skip: 1 })).seconds).toBeNull();
  expect((await review({ skip: 2 })).seconds).toBe(1_000 * 60);
});
