import type { Page } from '@playwright/test';
import { cardOf, expect, test } from './support/journey.ts';
import { watchShift } from './support/layout-shift.ts';
import type { RunningProduct } from './support/product.ts';

/** Longer than the 500 ms after an input in which layout shifts count as expected. */
const BEYOND_INPUT_MS = 600;
const GOOD_SHIFT = 0.02;

/**
 * 10,000 interviews of one funnel, an hour apart, 500 of each surname, with titles of one or two
 * lines.
 */
async function tenThousand({ recruiter, sandbox, sql }: RunningProduct): Promise<void> {
  const [funnel] = await recruiter.connect(sandbox.funnels[3]);
  await sql(
    `INSERT INTO interview (id, funnel_id, title, candidate_name, candidate_email, recorded_at, created_at, duration_seconds,
       questions, youtube_id, youtube_status, transcription_status, destination_id)
     SELECT 'iv_many_' || n, $1, 'Interview ' || n || ' ' || repeat('for the long night shift ', n % 3), 'Robin ' || surname,
       'robin' || n || '@example.com', recorded, recorded, 60 + n % 600, '[{"position":0,"question":"Why this role?"}]',
       CASE WHEN n % 3 > 0 THEN 'yt' || n END, CASE WHEN n % 3 > 0 THEN 'completed' END,
       CASE WHEN n % 4 > 0 THEN 'completed' END, CASE WHEN n % 5 = 0 THEN 'BUB-ACME-' || n END
     FROM generate_series(1, 10000) AS n,
       LATERAL (SELECT timestamptz '2026-11-20' - n * interval '1 hour' AS recorded,
         (ARRAY['Okafor','Smith','Nakamura','Garcia','Kaya','Haddad','Lindqvist','Moreau','Novak','Patel','Rossi','Schmidt','Tanaka',
           'Ueda','Varga','Weber','Xu','Young','Zimmer','Olsen'])[1 + n % 20] AS surname) AS each`,
    [funnel?.id],
  );
}

const results = (page: Page, text: string) => expect(page.getByText(`Showing ${text} results`)).toBeVisible();

// Faster than deleting their funnel, which the next journey would do.
test.afterEach(({ product }) => product.sql('DELETE FROM interview'));

test('10,000 interviews are counted, paged to the end and searched without layout shifts', async ({
  page,
  product,
  signIn,
}) => {
  await tenThousand(product);
  await signIn();
  const shift = await watchShift(page);
  const expectStill = async (where: string) => expect.soft(await shift(), where).toBeLessThan(GOOD_SHIFT);
  await page.route('**/api/interviews?*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, BEYOND_INPUT_MS));
    await route.continue();
  });

  await page.goto('/');
  await results(page, '1 to 10 of 10000');
  await expect(cardOf(page, /^Interview 1\b/)).toBeVisible();
  await expectStill('the first page');
  const pager = page.getByRole('navigation', { name: 'Pagination' });
  await pager.getByRole('button', { name: 'Page 2', exact: true }).click();
  await results(page, '11 to 20 of 10000');
  await expectStill('the second page');
  await pager.getByRole('button', { name: 'Page 1000' }).click();
  await results(page, '9991 to 10000 of 10000');
  await expect(cardOf(page, /^Interview 10000\b/)).toBeVisible();
  await expect(pager.getByRole('button', { name: 'Next page' })).toBeDisabled();
  await expectStill('the last page');
  await page.reload();
  await results(page, '9991 to 10000 of 10000');
  await expectStill('the last page by its address');

  const search = page.getByRole('searchbox', { name: 'Search interviews' });
  await search.fill('nakamura');
  await results(page, '1 to 10 of 500');
  await expectStill('a search that finds many');
  // The pager may still prefetch a page.
  await page.unrouteAll({ behavior: 'wait' });
  await search.fill('robin7342@example.com');
  await results(page, '1 to 1 of 1');
  await expect(cardOf(page, /^Interview 7342\b/)).toBeVisible();
  await search.fill('');
  await results(page, '1 to 10 of 10000');
});
