import type { Page } from '@playwright/test';
import { expect, expectToast, recordToasts, test, toastOf } from './support/journey.ts';

test.describe.configure({ mode: 'parallel' });

const ENGINEERING = 'Senior Frontend Engineer';
const cards = (page: Page) => page.getByRole('list', { name: 'Interviews' }).getByRole('article');
const refreshButton = (page: Page) => page.getByRole('button', { name: 'Refresh', exact: true });
const cancelButton = (page: Page) => page.getByRole('button', { name: 'Cancel Refresh' });

async function start(page: Page): Promise<void> {
  await refreshButton(page).click();
  await page.getByRole('dialog', { name: 'Refresh Options' }).getByRole('button', { name: 'Start Refresh' }).click();
}

test.beforeEach(async ({ product, signIn }) => {
  await product.reset();
  await signIn();
});

test('without an active funnel Refresh is disabled, with the tooltip Configure an active funnel first', async ({
  page,
  product,
}) => {
  const funnel = await product.recruiter.funnel();
  await page.goto('/');
  await expect(refreshButton(page)).toBeDisabled();
  await refreshButton(page).hover({ force: true });
  await expect(page.getByRole('tooltip')).toHaveText('Configure an active funnel first');
  await expect(page.getByRole('tooltip')).toBeVisible();
  await expect(page.getByText('No interviews found')).toBeVisible();
  await product.recruiter.activate(funnel);
  await page.reload();
  await expect(refreshButton(page)).toBeEnabled();
  await refreshButton(page).hover();
  await expect(page.getByRole('tooltip')).toHaveText('Sync interviews from API');
  await page.getByRole('button', { name: 'Go to Refresh' }).click();
  await expect(refreshButton(page)).toBeFocused();
});

test('the tooltip shows for the pointer and the keyboard, and does not stay when a click has led the focus back', async ({
  page,
  product,
}) => {
  await product.recruiter.activate(await product.recruiter.funnel());
  await page.goto('/');
  await refreshButton(page).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(refreshButton(page)).toBeFocused();
  await expect(page.getByRole('tooltip')).toBeHidden();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tooltip')).toBeVisible();
});

test('a refresh is chosen, started, watched to its end, and its interviews arrive', async ({ page, product }) => {
  const { recruiter, sandbox } = product;
  await recruiter.connect(sandbox.funnels[0]);
  await page.goto('/');
  await expect(page.getByText('No interviews found')).toBeVisible();
  await expect(page.getByText('Click the Refresh button to sync interviews from your account.')).toBeVisible();

  await refreshButton(page).click();
  const dialog = page.getByRole('dialog', { name: 'Refresh Options' });
  await expect(dialog.getByRole('radio')).toHaveCount(3);
  await expect(dialog.getByRole('radio', { name: 'All Interviews' })).toBeChecked();
  await dialog.getByRole('radio', { name: /^New Interviews Only/ }).check();
  await dialog.getByRole('radio', { name: /^Older Interviews Only/ }).check();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(refreshButton(page)).toBeFocused();

  // Slow downloads keep the end away until the progress has been seen.
  const slow = sandbox.control.fail({ kind: 'latency', ms: 250, on: 'media' });
  await start(page);
  await expectToast(page, 'Refresh Started');
  await expect(cancelButton(page)).toBeVisible();
  await expect(page.getByText(/^Refresh in Progress - \d+%$/)).toBeVisible();
  await expect(page.getByText(/^Processed: \d+ of 40 interviews$/)).toBeVisible();
  await expect(page.getByText(/^Files: \d+ of \d+$/)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Refresh progress' })).toBeVisible();
  await expect(cards(page)).toHaveCount(10);
  await expect(cancelButton(page)).toBeVisible();
  slow.stop();
  await expectToast(page, 'Refresh Completed');
  await expect(page.getByText(/^Refresh in Progress/)).toBeHidden();
  await expect(refreshButton(page)).toBeEnabled();
  await expect(page.getByText('Showing 1 to 10 of 40 results')).toBeVisible();
  await page.getByRole('link', { name: 'Funnels', exact: true }).click();
  await expect(page.getByRole('article', { name: ENGINEERING })).toContainText('40 interviews');
});

test('Cancel Refresh stops it after the current batch and keeps what was saved', async ({ page, product }) => {
  const { recruiter, sandbox } = product;
  sandbox.control.grow('warehouse', 3_000);
  await recruiter.connect(sandbox.funnels[3]);
  sandbox.control.fail({ kind: 'latency', ms: 600, on: 'interviews', skip: 1 });
  const toasts = await recordToasts(page);
  await page.goto('/');
  await start(page);
  await expect(cards(page)).toHaveCount(10);
  await cancelButton(page).click();
  await expectToast(page, 'Refresh Completed', 'cancelled after');
  expect(await toasts()).toContain(
    'Cancellation RequestedThe refresh operation will stop after the current batch completes.',
  );
  await expect(refreshButton(page)).toBeEnabled();
  await expect(cards(page)).toHaveCount(10);
  const { processed } = await recruiter.refreshEnded();
  expect(processed).toBeGreaterThan(0);
  expect(processed).toBeLessThan(3_004);
});

test('two browsers see the same live; a start in the second one says Refresh Already Running', async ({
  page,
  product,
  secondBrowser,
}) => {
  const { recruiter, sandbox } = product;
  await recruiter.connect(sandbox.funnels[2]);
  const hold = sandbox.control.fail({ kind: 'latency', ms: 400, on: 'media' });
  const other = await secondBrowser();
  await Promise.all([page.goto('/'), other.goto('/')]);
  await expect(other.getByText('No interviews found')).toBeVisible();
  await start(page);
  await expect(other.getByText(/^Refresh in Progress - \d+%$/)).toBeVisible();
  await expect(other.getByText(/^Processed: 8 of 8 interviews$/)).toBeVisible();
  await expect(cards(other)).toHaveCount(8);
  hold.stop();
  await expectToast(page, 'Refresh Completed');
  await expectToast(other, 'Refresh Completed');
});

test('a start that finds a refresh running says Refresh Already Running and shows it', async ({
  page,
  product,
  console,
}) => {
  const { recruiter, sandbox } = product;
  await recruiter.connect(sandbox.funnels[2]);
  // This browser is not told live that somebody else has started.
  await page.routeWebSocket('/ws', () => {});
  await page.goto('/');
  await refreshButton(page).click();
  const hold = sandbox.control.fail({ kind: 'latency', ms: 400, on: 'media' });
  await recruiter.startRefresh();
  console.allow(409, '/api/interviews/sync');
  await page.getByRole('button', { name: 'Start Refresh' }).click();
  await expectToast(
    page,
    'Refresh Already Running',
    'A refresh operation is already in progress. You can view its status below.',
  );
  await expect(page.getByText(/^Refresh in Progress - \d+%$/)).toBeVisible();
  hold.stop();
  // Without the socket the polling sees the end.
  await expectToast(page, 'Refresh Completed');
  await expect(cards(page)).toHaveCount(8);
});

test('any other start error is the destructive toast Refresh Failed', async ({ page, product, console }) => {
  const { recruiter } = product;
  await recruiter.activate(await recruiter.funnel());
  await page.goto('/');
  await refreshButton(page).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  console.allow(409, '/api/interviews/sync');
  await recruiter.deleteAllFunnels();
  await page.getByRole('button', { name: 'Start Refresh' }).click();
  await expectToast(page, 'Refresh Failed', 'Configure an active funnel first');
});

test('the error of a refresh stays, also after a reload, until somebody dismisses it', async ({ page, product }) => {
  const { recruiter, sandbox } = product;
  await recruiter.connect({ ...(sandbox.funnels[3] as (typeof sandbox.funnels)[number]), apiKey: 'expired' });
  await page.goto('/');
  await start(page);
  await expectToast(page, 'Refresh Error');
  const alert = page.getByRole('alert').filter({ hasText: 'Refresh Error' });
  await expect(alert).toContainText(/Processed: 0 of \d+ interviews/);
  await expect(refreshButton(page)).toBeEnabled();
  await page.reload();
  await expect(alert).toBeVisible();
  await alert.getByRole('button', { name: 'Dismiss' }).click();
  await expect(alert).toBeHidden();
  await page.reload();
  await expect(page.getByText('No interviews found')).toBeVisible();
  await expect(alert).toBeHidden();
  await expect(toastOf(page)).toHaveCount(0);
});

test('a reload in the middle of a refresh shows its state at once', async ({ page, product }) => {
  const { recruiter, sandbox } = product;
  await recruiter.connect(sandbox.funnels[2]);
  const hold = sandbox.control.fail({ kind: 'latency', ms: 1_500, on: 'media' });
  await page.goto('/');
  await start(page);
  await expect(page.getByText('Processed: 8 of 8 interviews')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Processed: 8 of 8 interviews')).toBeVisible();
  await expect(cancelButton(page)).toBeVisible();
  hold.stop();
  await expectToast(page, 'Refresh Completed');
});
