import type { Interview } from '#contracts/interviews.ts';
import { renderSummary } from '#contracts/rules/render-summary.ts';
import type { SummaryStructure } from '#contracts/summaries.ts';
import { expectAccessible } from './support/accessible.ts';
import { cardOf, chooseAction, createTwoFunnels, expect, test } from './support/journey.ts';
import type { RunningProduct } from './support/product.ts';

const structureOf = (text: string): SummaryStructure => ({
  ...{ method: 'model', overview: 'Calm and precise.', openQuestions: ['When can you start?'] },
  expectations: [
    {
      field: 'skills',
      expectation: 'Wound care, medication',
      verdict: 'met',
      note: 'Names every step.',
      quotes: [{ text, startSeconds: 3 }],
    },
    { field: 'cultureExpectations', expectation: 'Kind', verdict: 'not shown', note: null, quotes: [] },
  ],
});

/** Two nurses with summaries, reviewed by the user. */
async function twoReviewed({ recruiter }: RunningProduct): Promise<[Interview, Interview]> {
  const { interviews } = await recruiter.call<{ interviews: Interview[] }>('GET', '/api/interviews?limit=20');
  const [first, second] = interviews.filter(({ funnelIdNum }) => funnelIdNum === interviews[0]?.funnelIdNum);
  if (!first || !second) throw new Error('The sandbox lacks interviews.');
  for (const [at, { id }] of [first, second].entries()) {
    const structure = structureOf(at === 0 ? 'I check the wound twice a day' : 'I wash my hands first');
    const path = `/api/interviews/${encodeURIComponent(id)}`;
    await recruiter.call('PUT', `${path}/summary`, { summaryText: renderSummary(structure), structure });
    await recruiter.call('PUT', `${path}/review`, { ratings: {}, recommendation: 4 - at, note: 'Good.', submit: true });
  }
  return [first, second];
}

test('two candidates are compared from the selection by keyboard, and a quote plays at its moment', async ({
  page,
  product,
  signIn,
}) => {
  await createTwoFunnels(product);
  const [first, second] = await twoReviewed(product);
  await signIn();
  await page.goto(`/?funnel=${first.funnelIdNum}`);
  for (const { title } of [first, second]) await page.getByRole('checkbox', { name: `Select ${title}` }).check();
  await page.getByRole('button', { name: 'Compare' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Compare 2 interviews' })).toBeVisible();
  const quote = page.getByRole('button', { name: `Play ${first.candidateName} at 0:03` });
  await expect(quote).toBeVisible();
  await expectAccessible(page, 'compare');
  await quote.focus();
  await page.keyboard.press('Enter');
  const video = page.getByLabel(`Video of ${first.candidateName}`);
  await expect
    .poll(() => video.evaluate((element) => (element as unknown as { currentTime: number }).currentTime))
    .toBeGreaterThan(3);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByText('I wash my hands first')).toBeVisible();
});

test('an interview is printed from its menu, and its list is exported as CSV', async ({ page, product, signIn }) => {
  await createTwoFunnels(product);
  const [first] = await twoReviewed(product);
  await signIn();
  await page.goto(`/?funnel=${first.funnelIdNum}`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^interviews \d{4}-\d\d-\d\d\.csv$/);
  await chooseAction(cardOf(page, first.title), 'Export');
  await expect(page.getByRole('dialog', { name: 'Export' })).toBeVisible();
  await expectAccessible(page, 'export');
  const [printed] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Print or save as PDF' }).click(),
  ]);
  await expect(printed.getByRole('heading', { name: first.title })).toBeVisible();
  await expect(printed.getByText('Names every step.')).toBeVisible();
  await expectAccessible(printed, 'print');
  await printed.emulateMedia({ media: 'print' });
  await expect(printed.getByRole('button', { name: 'Print or save as PDF' })).toBeHidden();
});
