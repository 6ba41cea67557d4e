import type { Locator, Page } from '@playwright/test';
import type { Interview } from '#contracts/interviews.ts';
import { cardOf, chooseAction, expect, test } from './support/journey.ts';
import { CREDENTIALS, type RunningProduct } from './support/product.ts';

test.describe.configure({ mode: 'parallel' });
test.use({ viewport: { width: 375, height: 812 }, hasTouch: true });

const DASHBOARD = '/?status=pending';
const scrolled = (page: Page) => page.evaluate<number>('scrollY');

const funnels = (page: Page) => page.getByRole('heading', { name: 'Funnel Management' });

const fromMenu = async (page: Page, name: string, role: 'link' | 'button') => {
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('dialog', { name: 'Menu' }).getByRole(role, { name, exact: true }).click();
};

/** Returns an interview with a transcript. */
async function pendingInterview({ recruiter, sandbox }: RunningProduct): Promise<Interview | undefined> {
  const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
  if (warehouse) await recruiter.refresh(warehouse);
  const [interview] = await recruiter.interviews();
  await recruiter.call('PUT', `/api/interviews/${interview?.id}/transcript`, { transcriptionText: 'I plan ahead.' });
  return interview;
}

let interview: Interview | undefined;
let card: Locator;

test.beforeEach(async ({ page, shareData, signIn }) => {
  await signIn();
  interview = await shareData('a pending interview', pendingInterview);
  card = cardOf(page, interview?.title ?? '');
});

/** Opens the funnels page, then, as a link does, a filtered dashboard. */
async function arrive(page: Page) {
  await page.goto('/funnels');
  await expect(funnels(page)).toBeVisible();
  await page.evaluate(`
    history.pushState(null, '', '${DASHBOARD}');
    dispatchEvent(new PopStateEvent('popstate'));
  `);
  await expect(card).toBeVisible();
}

async function expectFunnelsBefore(page: Page) {
  await page.goBack();
  await expect(funnels(page)).toBeVisible();
  await expect(page).toHaveURL('/funnels');
}

test('Back closes the open dialog and keeps the page as it was, and the next Back returns to the previous page', async ({
  page,
}) => {
  await arrive(page);
  // Shorter than the only card and the footer.
  await page.setViewportSize({ width: 375, height: 480 });
  await page.evaluate('scrollTo(0, 150)');
  await expect.poll(() => scrolled(page)).toBe(150);
  const shows: [string, () => Promise<void>][] = [
    ['Menu', () => page.getByRole('button', { name: 'Open menu' }).click()],
    ['Change password', () => fromMenu(page, 'Change password', 'button')],
    ['Interview Questions', () => chooseAction(card, 'View Questions')],
    ['Play', () => card.getByRole('button', { name: /^Play / }).click()],
  ];
  for (const [name, show] of shows) {
    await show();
    const dialog = page.getByRole('dialog', ...(name === 'Play' ? [] : [{ name }]));
    await expect(dialog, name).toBeVisible();
    const place = await scrolled(page);
    await page.goBack();
    await expect(page.getByRole('dialog'), name).toBeHidden();
    await expect(page, name).toHaveURL(DASHBOARD);
    expect(await scrolled(page), name).toBe(place);
  }
  await expectFunnelsBefore(page);
});

test('a dialog that was closed or replaced leaves no history entry', async ({ page }) => {
  await arrive(page);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await card.getByRole('tab', { name: 'Transcript' }).click();
  await card.getByRole('button', { name: 'View Transcript' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByRole('textbox', { name: 'Transcript text' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(DASHBOARD);
  await expectFunnelsBefore(page);
});

test('a dialog stays open that opens right after another one has closed', async ({ page }) => {
  await page.goto(DASHBOARD);
  await chooseAction(card, 'View Questions');
  await expect(page.getByRole('dialog', { name: 'Interview Questions' })).toBeVisible();
  // Both keys in one task, which is faster than the browser goes back.
  await page.evaluate(`
    for (const key of ['Escape', '?']) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  `);
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(DASHBOARD);
});

test('Back asks before it discards unsaved text, and Back on the question keeps editing', async ({ page }) => {
  await arrive(page);
  await card.getByRole('tab', { name: 'Transcript' }).click();
  await card.getByRole('button', { name: 'View Transcript' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
  const words = page.getByRole('textbox', { name: 'Transcript text' });
  await words.fill('I plan well ahead.');
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await page.goBack();
  await expect(question).toBeVisible();
  await page.goBack();
  await expect(question).toBeHidden();
  await expect(words).toHaveValue('I plan well ahead.');
  await page.goBack();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(words).toBeHidden();
  await expect(page).toHaveURL(DASHBOARD);
  await expectFunnelsBefore(page);
});

test('after a link in the menu Back returns to the page with its filters, and Forward works', async ({ page }) => {
  await arrive(page);
  await fromMenu(page, 'System Logs', 'link');
  const logs = page.getByRole('heading', { name: 'System Logs' });
  await expect(logs).toBeVisible();
  await page.goBack();
  await expect(card).toBeVisible();
  await expect(page).toHaveURL(DASHBOARD);
  await page.goForward();
  await expect(logs).toBeVisible();
  await expect(page).toHaveURL('/system-logs');
  await page.goBack();
  await expect(card).toBeVisible();
  await expectFunnelsBefore(page);
});

test('a reload keeps the dialog open, and Back closes it', async ({ page }) => {
  await arrive(page);
  await chooseAction(card, 'View Questions');
  await expect(page.getByRole('dialog', { name: 'Interview Questions' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('dialog', { name: 'Interview Questions' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(DASHBOARD);
  await expectFunnelsBefore(page);
});

test('Forward opens the dialog again that Back has closed', async ({ page }) => {
  await arrive(page);
  await chooseAction(card, 'View Questions');
  await expect(page.getByRole('dialog', { name: 'Interview Questions' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.goForward();
  await expect(page.getByRole('dialog', { name: 'Interview Questions' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expectFunnelsBefore(page);
});

test('a link to a dialog opens it, also for an interview that is not on the page', async ({ page }) => {
  await page.goto('/funnels');
  await expect(funnels(page)).toBeVisible();
  await page.goto(`/?search=nothing+matches+this&dialog=transcript&id=${interview?.id}`);
  await expect(page.getByRole('dialog', { name: 'Transcript' }).getByText('I plan ahead.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL('/?search=nothing+matches+this');
  await expectFunnelsBefore(page);
});

test('a search that was typed just before a dialog opened is kept when the dialog closes', async ({ page }) => {
  await arrive(page);
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await page.getByRole('searchbox', { name: 'Search interviews' }).pressSequentially('Team');
  // Faster than the search, which waits for the next letter.
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(menu).toBeVisible();
  await expect(page).toHaveURL(/search=Team/);
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(/search=Team/);
  await expectFunnelsBefore(page);
});

test('signing out in the menu shows the login page', async ({ page, context, console }) => {
  // The session may end before the server has answered all that the page asked for.
  console.allow(401, '/api/');
  // Signs out of a separate session, because the test support uses the other one.
  await context.clearCookies();
  await page.goto('/login');
  await page.getByLabel('Username').fill(CREDENTIALS.username);
  await page.getByLabel('Password').fill(CREDENTIALS.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(card).toBeVisible();
  await fromMenu(page, 'Logout', 'button');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(page).toHaveURL('/login');
});
