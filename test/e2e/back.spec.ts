import type { Locator, Page } from '@playwright/test';
import { cardOf, chooseAction, expect, test } from './support/journey.ts';
import { CREDENTIALS } from './support/product.ts';

test.use({ viewport: { width: 375, height: 812 }, hasTouch: true });

const DASHBOARD = '/?status=pending';
const scrolled = (page: Page) => page.evaluate<number>('scrollY');

const funnels = (page: Page) => page.getByRole('heading', { name: 'Funnel Management' });

const fromMenu = async (page: Page, name: string, role: 'link' | 'button') => {
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('dialog', { name: 'Menu' }).getByRole(role, { name, exact: true }).click();
};

let card: Locator;

test.beforeEach(async ({ page, product, signIn }) => {
  await product.reset();
  await signIn();
  const { recruiter, sandbox } = product;
  const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
  if (warehouse) await recruiter.refresh(warehouse);
  const [interview] = await recruiter.interviews();
  await recruiter.call('PUT', `/api/interviews/${interview?.id}/transcript`, { transcriptionText: 'I plan ahead.' });
  card = cardOf(page, interview?.title ?? '');
});

/** Comes to a filtered dashboard from the funnels. */
async function arrive(page: Page) {
  await page.goto('/funnels');
  await expect(funnels(page)).toBeVisible();
  await page.goto(DASHBOARD);
  await expect(card).toBeVisible();
}

async function expectFunnelsBefore(page: Page) {
  await page.goBack();
  await expect(funnels(page)).toBeVisible();
  await expect(page).toHaveURL('/funnels');
}

test('Back closes whatever is open, keeps the page as it was, and then leads to the page before', async ({ page }) => {
  await arrive(page);
  await page.evaluate('scrollTo(0, 300)');
  await expect.poll(() => scrolled(page)).toBe(300);
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

test('closing it otherwise, or replacing it by another, leaves nothing to go back through', async ({ page }) => {
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

test('Back asks before words that were typed are thrown away, and each question is one step', async ({ page }) => {
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

test('a link in the menu leads away, one step back from there is the page with its filters, and Forward works', async ({
  page,
}) => {
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

test('loaded again while a dialog was open, one step back is the page before', async ({ page }) => {
  await arrive(page);
  await chooseAction(card, 'View Questions');
  await expect(page.getByRole('dialog', { name: 'Interview Questions' })).toBeVisible();
  await page.reload();
  await expect(card).toBeVisible();
  await expect(page).toHaveURL(DASHBOARD);
  await expectFunnelsBefore(page);
});

test('Forward to a dialog that Back has closed stays where it is', async ({ page }) => {
  await arrive(page);
  await chooseAction(card, 'View Questions');
  await expect(page.getByRole('dialog', { name: 'Interview Questions' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  // There, and back again.
  await page.evaluate(`new Promise((done) => {
    let moves = 0;
    addEventListener('popstate', () => (moves += 1) === 2 && done());
    history.forward();
  })`);
  await expect(page).toHaveURL(DASHBOARD);
  await expectFunnelsBefore(page);
});

test('a filter that takes effect while a dialog is open is kept when it closes', async ({ page }) => {
  await arrive(page);
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(menu).toBeVisible();
  await page.goBack();
  await expect(menu).toBeHidden();
  // Quicker than the search, which waits for the next letter.
  await page.evaluate(`
    const search = document.querySelector('[type=search]');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(search, 'Team');
    search.dispatchEvent(new Event('input', { bubbles: true }));
    document.querySelector('[aria-label="Open menu"]').click();
  `);
  await expect(menu).toBeVisible();
  await expect(page).toHaveURL(/search=Team/);
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(/search=Team/);
  await expectFunnelsBefore(page);
});

test('signing out in the menu leads to the login', async ({ page, context, console }) => {
  console.allow(401, '/api/user');
  // With a session of its own: the other one is also that of whoever arranges things.
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
