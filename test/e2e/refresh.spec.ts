import type { Page } from '@playwright/test';
import { clickAndAwaitResponse, expect, expectToast, recordToasts, test, toastOf } from './support/journey.ts';
import { watchShift } from './support/layout-shift.ts';

test.describe.configure({ mode: 'parallel' });

const ENGINEERING = 'Senior Frontend Engineer';
const cards = (page: Page) => page.getByRole('list', { name: 'Interviews' }).getByRole('article');
const refreshButton = (page: Page) => page.getByRole('button', { name: 'Refresh', exact: true });
const cancelButton = (page: Page) => page.getByRole('button', { name: 'Cancel Refresh' });

async function start(page: Page): Promise<void> {
  await refreshButton(page).click();
  await page.getByRole('dialog', { name: 'Refresh Options' }).getByRole('button', { name: 'Start Refresh' }).click();
}

test.beforeEach(({ signIn }) => signIn());

test('the Refresh button needs an active funnel, explains itself in a tooltip, and shows why a start failed', async ({
  page,
  product,
  console,
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
  // It covers neither the funnel's name nor another button of the row.
  const tooltip = await page.getByRole('tooltip').boundingBox();
  const activeFunnel = await page.getByRole('button', { name: /^Active funnel/ }).boundingBox();
  expect((tooltip?.y ?? 900) + (tooltip?.height ?? 0)).toBeLessThanOrEqual(activeFunnel?.y ?? 0);
  await page.getByRole('button', { name: 'Go to Refresh' }).click();
  await expect(refreshButton(page)).toBeFocused();

  // The tooltip does not reappear when a closed dialog returns the focus.
  await refreshButton(page).click();
  const dialog = page.getByRole('dialog', { name: 'Refresh Options' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(refreshButton(page)).toBeFocused();
  await expect(page.getByRole('tooltip')).toBeHidden();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tooltip')).toBeVisible();

  await refreshButton(page).click();
  await expect(dialog).toBeVisible();
  console.allow(409, '/api/interviews/sync');
  await product.recruiter.deleteAllFunnels();
  await dialog.getByRole('button', { name: 'Start Refresh' }).click();
  await expectToast(page, 'Refresh Failed', 'Configure an active funnel first');
});

test('a refresh is chosen, started and followed to its end, even across a reload', async ({ page, product }) => {
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

  // Slow downloads delay the end until the progress was checked.
  const slow = sandbox.control.fail({ kind: 'latency', ms: 1_500, on: 'media' });
  await start(page);
  await expectToast(page, 'Refresh Started');
  await expect(cancelButton(page)).toBeVisible();
  await expect(page.getByText(/^Refresh in Progress - \d+%$/)).toBeVisible();
  await expect(page.getByText(/^Processed: \d+ of 40 interviews$/)).toBeVisible();
  await expect(page.getByText(/^Files: \d+ of \d+$/)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Refresh progress' })).toBeVisible();
  await expect(cards(page)).toHaveCount(10);
  await page.reload();
  await expect(page.getByText(/^Processed: \d+ of 40 interviews$/)).toBeVisible();
  await expect(cancelButton(page)).toBeVisible();
  slow.stop();
  await expectToast(page, 'Refresh Completed');
  await expect(page.getByText(/^Refresh in Progress/)).toBeHidden();
  await expect(refreshButton(page)).toBeEnabled();
  await expect(page.getByText('Showing 1 to 10 of 40 results')).toBeVisible();
  await page.getByRole('link', { name: 'Funnels', exact: true }).click();
  await expect(page.getByRole('article', { name: ENGINEERING })).toContainText('40 interviews');
});

/** The list moved by 0.067 when the alert was above it. */
const STILL = 0.001;
/** The card of a failed step moves its own last line by 0.0014 to show the badge. */
const BADGE_SHIFT = 0.002;
const GOOD_SHIFT = 0.005;

test('a refresh that starts, runs, ends or fails moves nothing on the page, and a failed step only the last line of its card', async ({
  page,
  product,
}) => {
  const { recruiter, sandbox } = product;
  const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
  if (warehouse) await recruiter.refresh(warehouse);
  const [interview] = await recruiter.interviews();
  const setDestination = () =>
    recruiter.call('POST', `/api/interviews/${interview?.id}/destination`, { destinationId: 'BUB-ACME-2026-07' });
  await setDestination();
  const shift = await watchShift(page);
  await page.setViewportSize({ width: 412, height: 823 });
  await page.goto('/');
  await expect(cards(page)).toHaveCount(4);
  await page.evaluate('document.fonts.ready');
  await shift();
  const slow = sandbox.control.fail({ kind: 'latency', ms: 2_000, on: 'interviews' });
  await recruiter.startRefresh();
  await expect(page.getByText(/^Refresh in Progress/)).toBeVisible();
  slow.stop();
  await expectToast(page, 'Refresh Completed');
  await expect(page.getByText(/^Refresh in Progress/)).toBeHidden();
  expect(await shift(), 'start and end').toBeLessThan(STILL);
  sandbox.control.fail({ kind: 'status', status: 401 });
  await recruiter.startRefresh();
  const alert = page.getByRole('alert').filter({ hasText: 'Refresh Error' });
  await expect(alert.getByRole('button', { name: 'Dismiss' })).toBeVisible();
  expect(await shift(), 'failure').toBeLessThan(STILL);
  await product.sql("UPDATE interview SET youtube_status = 'failed' WHERE id = $1", [interview?.id]);
  // Saving the same destination changes no card, but the page reads the list.
  await setDestination();
  await alert.getByRole('button', { name: /^Refresh Error/ }).click();
  await expect(page.getByRole('dialog', { name: 'Refresh Error' })).toContainText('API key');
  await page.keyboard.press('Escape');
  await recruiter.call('POST', '/api/interviews/sync/dismiss');
  await expect(page.getByText('1 interview failed')).toBeVisible();
  expect(await shift(), 'a failed step').toBeLessThan(BADGE_SHIFT);
  await page.reload();
  await expect(page.getByText('1 interview failed')).toBeVisible();
  expect(await shift(), 'loading with a failed step').toBeLessThan(GOOD_SHIFT);
});

test('interviews that arrive during a refresh move no other, and take their places when it ends', async ({
  page,
  product,
}) => {
  const { recruiter, sandbox } = product;
  const [, engineering] = await recruiter.connect(sandbox.funnels[2], sandbox.funnels[0]);
  const shift = await watchShift(page);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.goto('/');
  await expect(page.getByText('No interviews found')).toBeVisible();
  await page.evaluate('document.fonts.ready');
  await shift();
  await recruiter.startRefresh();
  await expectToast(page, 'Refresh Completed');
  await expect(cards(page)).toHaveCount(8);
  // Only the footer, all of which was visible, leaves the screen: 0.014 of a shift.
  expect(await shift(), 'first refresh').toBeLessThan(0.02);
  if (engineering) await recruiter.activate(engineering);
  const titles = () => cards(page).getByRole('heading').allInnerTexts();
  const shown = await titles();
  const slow = sandbox.control.fail({ kind: 'latency', ms: 1_000, on: 'media' });
  await recruiter.startRefresh();
  await expect(cards(page)).toHaveCount(10);
  const stayed = (await titles()).flatMap((title, place) => (shown.includes(title) ? { title, place } : []));
  expect(stayed.length).toBeGreaterThan(0);
  expect(stayed).toEqual(stayed.map(({ title }) => ({ title, place: shown.indexOf(title) })));
  slow.stop();
  await expect(cards(page).getByRole('heading').first()).not.toHaveText(shown[0] ?? '');
  expect(await shift()).toBeLessThan(STILL);
});

test('Cancel Refresh stops after the current batch and keeps stored interviews', async ({ page, product }) => {
  const { recruiter, sandbox } = product;
  sandbox.control.grow('warehouse', 3_000);
  await recruiter.connect(sandbox.funnels[3]);
  sandbox.control.fail({ kind: 'latency', ms: 600, on: 'interviews', skip: 1 });
  const toasts = await recordToasts(page);
  await page.goto('/');
  await start(page);
  await expect(cards(page)).toHaveCount(10);
  await cancelButton(page).click();
  await expectToast(page, 'Refresh Completed', 'Canceled after');
  expect(await toasts()).toContain(
    'Cancellation RequestedThe refresh operation will stop after the current batch completes.',
  );
  await expect(refreshButton(page)).toBeEnabled();
  await expect(cards(page)).toHaveCount(10);
  const { processed } = await recruiter.refreshEnded();
  expect(processed).toBeGreaterThan(0);
  expect(processed).toBeLessThan(3_004);
});

test('a second browser follows a refresh live, and a second start shows Refresh Already Running', async ({
  page,
  product,
  secondBrowser,
  console,
}) => {
  const { recruiter, sandbox } = product;
  await recruiter.connect(sandbox.funnels[2]);
  const other = await secondBrowser();
  // This browser receives no live messages, so it does not know that a refresh was started.
  await page.routeWebSocket('/ws', () => {});
  await Promise.all([page.goto('/'), other.goto('/')]);
  await expect(other.getByText('No interviews found')).toBeVisible();
  await refreshButton(page).click();
  const slow = sandbox.control.fail({ kind: 'latency', ms: 2_000, on: 'media' });
  await recruiter.startRefresh();
  console.allow(409, '/api/interviews/sync');
  await page.getByRole('button', { name: 'Start Refresh' }).click();
  await expectToast(
    page,
    'Refresh Already Running',
    'A refresh operation is already in progress. You can view its status below.',
  );
  for (const browser of [page, other]) await expect(browser.getByText(/^Refresh in Progress - \d+%$/)).toBeVisible();
  await expect(other.getByText(/^Processed: 8 of 8 interviews$/)).toBeVisible();
  await expect(cards(other)).toHaveCount(8);
  slow.stop();
  await expectToast(other, 'Refresh Completed');
  // Without the socket, polling detects the end.
  await expectToast(page, 'Refresh Completed');
  await expect(cards(page)).toHaveCount(8);
});

test('a refresh error survives a reload until it is dismissed', async ({ page, product }) => {
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
  await clickAndAwaitResponse(alert.getByRole('button', { name: 'Dismiss' }), '/sync/dismiss');
  await expect(alert).toBeHidden();
  await page.reload();
  await expect(page.getByText('No interviews found')).toBeVisible();
  await expect(alert).toBeHidden();
  await expect(toastOf(page)).toHaveCount(0);
});
