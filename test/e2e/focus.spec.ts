import type { Page } from '@playwright/test';
import { cardOf, expect, STEP_TIMEOUT, test, toastOf } from './support/journey.ts';
import type { RunningProduct } from './support/product.ts';

/** Presses the focused element, as a user without a mouse does. */
const press = (page: Page) => page.keyboard.press('Enter');

async function teamLeads({ recruiter, sandbox }: RunningProduct): Promise<string> {
  const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
  if (warehouse) await recruiter.refresh(warehouse);
  const [first] = await recruiter.interviews();
  return first?.title ?? '';
}

test.beforeEach(({ signIn }) => signIn());

test('the focus stays in the tab where a step was started, while it runs and when it has ended', async ({
  page,
  product,
}) => {
  const title = await teamLeads(product);
  await page.goto('/');
  const card = cardOf(page, title);
  await card.getByRole('button', { name: 'Convert to YouTube' }).focus();
  await press(page);
  await expect(card.getByRole('button', { name: /^Converting/ })).toBeFocused();
  await expect(card.getByRole('link', { name: 'View on YouTube' })).toBeFocused(STEP_TIMEOUT);

  await card.getByRole('tab', { name: 'Transcript' }).focus();
  await press(page);
  await card.getByRole('button', { name: 'Generate Transcript' }).focus();
  await press(page);
  await expect(card.getByRole('button', { name: 'View Transcript' })).toBeFocused(STEP_TIMEOUT);
});

test('the focus stays on the Refresh button while it is the Cancel button and afterwards', async ({
  page,
  product,
}) => {
  const { recruiter, sandbox } = product;
  await recruiter.connect(sandbox.funnels[0]);
  sandbox.control.fail({ kind: 'latency', ms: 1_000, on: 'media' });
  const sent = Promise.withResolvers<void>();
  await page.route('**/api/interviews/sync/cancel', async (route) => {
    await sent.promise;
    await route.continue();
  });
  await page.goto('/');
  const refresh = page.getByRole('button', { name: 'Refresh', exact: true });
  const cancel = page.getByRole('button', { name: 'Cancel Refresh' });
  await expect(refresh).toBeEnabled();
  await refresh.focus();
  await press(page);
  // Enter starts the refresh from the choice, too.
  await expect(page.getByRole('radio', { name: 'All Interviews' })).toBeFocused();
  await press(page);
  await expect(cancel).toBeFocused();
  await press(page);
  await expect(cancel).toHaveAttribute('aria-busy', 'true');
  await expect(cancel).toBeFocused();
  sent.resolve();
  await expect(refresh).toBeFocused(STEP_TIMEOUT);
});

test('the focus moves to the page when the focused element is removed', async ({ page, product }) => {
  const { recruiter, sandbox } = product;
  await recruiter.connect(sandbox.funnels[0]);
  await product.sql("UPDATE funnel SET external_id = 'no-such-funnel'");
  await recruiter.startRefresh();
  await recruiter.refreshEnded();
  await page.goto('/');
  await page.getByRole('button', { name: 'Dismiss', exact: true }).focus();
  await press(page);
  await expect(page.getByText('Refresh Error')).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
});

test('Next keeps the focus up to the last page', async ({ page, product }) => {
  await teamLeads(product);
  await product.recruiter.connect(product.sandbox.funnels[0]);
  await product.sql(`
    INSERT INTO funnel (name, external_id, api_key_encrypted)
    SELECT 'Funnel ' || number, 'F' || number, '' FROM generate_series(1, 10) AS number`);
  await page.goto('/funnels');
  const next = page.getByRole('button', { name: 'Next page' });
  await next.focus();
  await press(page);
  await expect(next).toBeDisabled();
  await expect(next).toBeFocused();
  await press(page);
  await expect(page).toHaveURL(/page=2/);
  await expect(toastOf(page)).toHaveCount(0);
});
