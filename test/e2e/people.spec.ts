import type { Browser, Page } from '@playwright/test';
import type { Account, Invitation } from '#contracts/accounts.ts';
import { chooseAction, createTwoFunnels, expect, expectToast, STEP_TIMEOUT, test, toastOf } from './support/journey.ts';

test.describe.configure({ mode: 'parallel' });

const PASSWORD = 'sunflower-morning';

interface Invited {
  username: string;
  role: 'Recruiter' | 'Reviewer';
  /** Undefined: all funnels. */
  funnel?: string;
}

/** The administrator invites a person on screen and returns the path of the link. */
async function invite(page: Page, { username, role, funnel }: Invited): Promise<string> {
  await page.getByRole('button', { name: 'Invite' }).click();
  const form = page.getByRole('dialog', { name: 'Invite' });
  await form.getByLabel('Username').fill(username);
  await form.getByLabel('Email').fill(`${username}@example.com`);
  await form.getByRole('radio', { name: role }).check();
  if (funnel) {
    await form.getByRole('button', { name: /Funnels/ }).click();
    await page.getByRole('checkbox', { name: funnel }).check();
    await page.keyboard.press('Escape');
  } else await form.getByRole('checkbox', { name: 'All funnels, also future ones' }).check();
  await form.getByRole('button', { name: 'Create link' }).click();
  const shown = page.getByRole('dialog', { name: `Link for ${username}` });
  const link = await shown.getByLabel('Link').inputValue();
  await shown.getByRole('button', { name: 'Close' }).first().click();
  await expect(page.getByRole('row').filter({ hasText: `${username}@example.com` })).toContainText(role);
  return new URL(link).pathname;
}

/** The person opens the link in a browser of this width, chooses a password and is signed in. */
async function acceptInvitation(browser: Browser, url: string, width: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await expectToast(page, 'Login Successful');
  await toastOf(page).getByRole('button', { name: 'Close' }).click();
  return page;
}

const expectNoOverflow = async (page: Page): Promise<void> =>
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);

/** The links of the navigation, which is in the side menu on phones. */
async function expectPages(page: Page, width: number, names: readonly string[]): Promise<void> {
  if (width < 768) await page.getByRole('button', { name: 'Open menu' }).click();
  const navigation = page.getByRole('navigation', { name: 'Main' });
  if (width >= 768 && names.includes('System Logs')) await navigation.getByRole('button', { name: 'System' }).click();
  for (const name of ['Interviews', 'Funnels', 'System Logs', 'Accounts']) {
    const link = navigation.getByRole('link', { name }).or(page.getByRole('menuitem', { name }));
    await expect(link).toHaveCount(names.includes(name) ? 1 : 0);
  }
  await page.keyboard.press('Escape');
}

for (const width of [1440, 375]) {
  test(`an invited recruiter works on the own funnel and sees nothing else, at ${width} px`, async ({
    page,
    browser,
    product,
    signIn,
  }) => {
    test.slow();
    const { nursing, warehouse } = await createTwoFunnels(product);
    await signIn();
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/accounts');
    await expectNoOverflow(page);
    const path = await invite(page, { username: 'riley', role: 'Recruiter', funnel: nursing.name });
    const riley = await acceptInvitation(browser, product.address + path, width);

    await expect(riley.getByText('Showing 1 to 8 of 8 results')).toBeVisible();
    await expect(riley.getByRole('button', { name: /riley/ })).toContainText('Recruiter');
    await expectNoOverflow(riley);
    await expectPages(riley, width, ['Interviews', 'Funnels', 'System Logs']);
    const card = riley.getByRole('article').first();
    await card.getByRole('tab', { name: 'Transcript' }).click();
    await card.getByRole('button', { name: 'Generate Transcript' }).click();
    await card.getByRole('button', { name: 'View Transcript' }).click(STEP_TIMEOUT);
    await riley.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
    await riley.getByRole('dialog').getByRole('textbox').fill('I plan every shift.');
    await riley.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expectToast(riley, 'Transcript Updated');
    await chooseAction(riley.getByRole('article').nth(1), 'Archive');
    await expectToast(riley, 'Interview Archived');
    await expect(riley.getByText('Showing 1 to 7 of 7 results')).toBeVisible();

    await riley.goto('/funnels');
    await expect(riley.getByRole('article')).toHaveCount(1);
    await expect(riley.getByRole('button', { name: 'Edit' })).toBeVisible();
    await expect(riley.getByRole('button', { name: /Delete|Add New Funnel/ })).toHaveCount(0);
    await expect(riley.getByText(warehouse.name)).toHaveCount(0);
    await expectNoOverflow(riley);
    await riley.goto('/accounts');
    await expect(riley.getByText("As a recruiter you can't open Accounts.")).toBeVisible();
    await riley.context().close();
  });

  test(`an invited reviewer watches, reads and reviews, and can change nothing else, at ${width} px`, async ({
    page,
    browser,
    product,
    signIn,
  }) => {
    test.slow();
    await createTwoFunnels(product);
    const [first] = await product.recruiter.interviews();
    await product.recruiter.call('PUT', `/api/interviews/${first?.id}/transcript`, {
      transcriptionText: 'I plan ahead.',
    });
    await signIn();
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/accounts');
    const path = await invite(page, { username: 'casey', role: 'Reviewer' });
    const casey = await acceptInvitation(browser, product.address + path, width);

    await expect(casey.getByText('Showing 1 to 10 of 12 results')).toBeVisible();
    await expectPages(casey, width, ['Interviews', 'Funnels']);
    await expect(casey.getByRole('button', { name: /Refresh|Retry/ })).toHaveCount(0);
    await expect(casey.getByRole('checkbox')).toHaveCount(0);
    await expectNoOverflow(casey);
    const card = casey.getByRole('article').first();
    await card.getByRole('tab', { name: 'Transcript' }).click();
    await card.getByRole('button', { name: 'View Transcript' }).click();
    await expect(casey.getByRole('dialog')).toContainText('I plan ahead.');
    await expect(casey.getByRole('dialog').getByRole('button', { name: /Edit|More actions/ })).toHaveCount(0);
    await casey.keyboard.press('Escape');

    await casey.getByRole('button', { name: /12 unwatched/ }).click();
    const player = casey.getByRole('dialog');
    await expect(player.getByText('1 of 12')).toBeVisible();
    await expect(player.getByRole('group', { name: 'Actions' }).getByRole('button')).toHaveCount(5);
    await player.getByRole('button', { name: 'Done' }).click();
    await expectToast(casey, 'Reviewed');
    await casey.keyboard.press('Escape');
    await expect(casey.getByRole('button', { name: /11 unwatched/ })).toBeVisible();

    await casey.goto('/funnels');
    await expect(casey.getByRole('article')).toHaveCount(2);
    await expect(casey.getByRole('button', { name: /Edit|Set Active|Delete|Add New Funnel/ })).toHaveCount(0);
    await expectNoOverflow(casey);
    await casey.goto('/system-logs');
    await expect(casey.getByText("As a reviewer you can't open System Logs.")).toBeVisible();
    await casey.getByRole('link', { name: 'Go to the dashboard' }).click();
    await expect(casey.getByText('Showing 1 to 10 of 12 results')).toBeVisible();
    await casey.context().close();
  });
}

test('an open page follows a change of the role and of the funnels', async ({ browser, product }) => {
  const { nursing, warehouse } = await createTwoFunnels(product);
  const { account, invitation } = await product.recruiter.call<{ account: Account; invitation: Invitation }>(
    'POST',
    '/api/accounts',
    { username: 'riley', role: 'recruiter', allFunnels: false, funnelIds: [nursing.id] },
  );
  const riley = await acceptInvitation(browser, product.address + new URL(invitation.link).pathname, 1440);
  await expect(riley.getByText('Showing 1 to 8 of 8 results')).toBeVisible();
  await product.recruiter.call('PUT', `/api/accounts/${account.id}`, { funnelIds: [warehouse.id] });
  await expectToast(riley, 'Your access has changed');
  await expect(riley.getByText('Showing 1 to 4 of 4 results')).toBeVisible();
  await product.recruiter.call('PUT', `/api/accounts/${account.id}`, { role: 'reviewer' });
  await expect(riley.getByRole('group', { name: 'Refresh' })).toHaveCount(0);
  await expect(riley.getByRole('button', { name: 'System' })).toHaveCount(0);
  await riley.context().close();
});
