import type { Page } from '@playwright/test';
import { expect, test } from './support/journey.ts';

const firstCard = (page: Page) => page.getByRole('list', { name: 'Interviews' }).getByRole('article').first();

/** The window, and how far from its top the first interview begins at most. */
const FIRST_CARDS = [
  { width: 375, height: 812, top: 220 },
  { width: 768, height: 1024, top: 200 },
  { width: 1440, height: 900, top: 200 },
];

for (const { width, height, top } of FIRST_CARDS)
  test(`at ${width} px the first interview begins at most ${top} px from the top, also with failed steps`, async ({
    page,
    product,
    twoFunnels,
    signIn,
  }) => {
    const { title } = (await twoFunnels.product.recruiter.interviews())[0] ?? { title: '' };
    await product.sql("UPDATE interview SET summary_status = 'failed' WHERE title = $1", [title]);
    await product.recruiter.call('POST', '/api/saved-views', { name: 'Failed', query: 'status=error' });
    await signIn();
    await page.setViewportSize({ width, height });
    await page.goto('/?status=error&search=a');
    await expect(page.getByRole('region', { name: 'Failed steps' })).toBeVisible();
    const strip = await page.getByRole('region', { name: 'Failed steps' }).boundingBox();
    expect(strip?.height).toBe(24);
    expect((await firstCard(page).boundingBox())?.y).toBeLessThanOrEqual(top);
  });

test('two clicks refresh all jobs, one after another, with one progress', async ({ page, product, signIn }) => {
  const { recruiter, sandbox } = product;
  const jobs = sandbox.funnels.slice(0, 4);
  for (const job of jobs) await recruiter.connect(job);
  await signIn();
  await page.goto('/');
  await page.evaluate(() => {
    const counted = globalThis as unknown as {
      clicks: number;
      addEventListener: (name: string, run: () => void) => void;
    };
    counted.clicks = 0;
    counted.addEventListener('click', () => {
      counted.clicks += 1;
    });
  });
  await page.getByRole('button', { name: /^Active funnel/ }).click();
  await expect(page.getByText('Changes it for everyone')).toBeVisible();
  await page.getByRole('menuitem', { name: 'Refresh all jobs' }).click();
  await expect(page.getByText(new RegExp(`Job \\d of ${jobs.length}`))).toBeVisible();
  const end = await recruiter.refreshEnded();
  expect(end.queue).toEqual({ position: jobs.length, total: jobs.length });
  await expect(page.getByText(/Refresh in Progress/)).toBeHidden();
  const count = jobs.flatMap(({ funnelId }) => sandbox.control.interviews(funnelId)).length;
  await expect(page.getByText(`Showing 1 to 10 of ${count} results`)).toBeVisible();
  expect(await page.evaluate(() => (globalThis as unknown as { clicks: number }).clicks)).toBe(2);
});

test('at 1440 px the progress of a refresh has room next to Review', async ({ page, product, signIn }) => {
  const { recruiter, sandbox } = product;
  const [engineering, ...others] = await recruiter.connect(...sandbox.funnels.slice(0, 4));
  await recruiter.refresh(...others);
  if (engineering) await recruiter.activate(engineering);
  await signIn();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  const review = page.getByRole('button', { name: /^Review \d\d unwatched/ });
  await expect(review).toBeVisible();
  const slow = sandbox.control.fail({ kind: 'latency', ms: 1_000, on: 'media' });
  await recruiter.startRefresh();
  const title = page.getByText(/^Refresh in Progress - \d+%$/);
  await expect(title).toBeVisible();
  const [progress, button] = [await title.boundingBox(), await review.boundingBox()];
  expect((progress?.x ?? 0) + (progress?.width ?? 0)).toBeLessThan(button?.x ?? 0);
  const counter = page.getByText(/^Processed: [1-9]\d* of 40 interviews$/);
  expect(await counter.evaluate((it) => it.scrollWidth > it.clientWidth)).toBe(false);
  slow.stop();
  await recruiter.refreshEnded();
});

for (const width of [360, 375, 1440])
  test(`at ${width} px the name of the product takes one line`, async ({ page, signIn }) => {
    await signIn();
    await page.setViewportSize({ width, height: 812 });
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Notices' })).toBeVisible();
    const name = page.getByRole('banner').getByText('Video Interview Management');
    expect((await name.boundingBox())?.height).toBeLessThan(24);
  });

test('on a phone the filters are in a sheet, and the button counts them', async ({ page, twoFunnels, signIn }) => {
  await signIn();
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto('/');
  await expect(firstCard(page)).toBeVisible();
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await sheet.getByRole('combobox', { name: 'Status' }).selectOption('new');
  await sheet.getByRole('combobox', { name: 'Order' }).selectOption('oldest');
  await sheet.getByRole('button', { name: /^Show \d+ interviews$/ }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('button', { name: 'Filters (1)' })).toBeVisible();
  const names = (await twoFunnels.product.recruiter.interviews('status=new')).map(({ title }) => title);
  await expect(firstCard(page).getByRole('heading')).toHaveText(names.at(-1) ?? '');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitemradio', { name: 'Compact' }).click();
  await expect(page).toHaveURL(/layout=compact/);
});
