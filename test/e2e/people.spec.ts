import type { Browser, Page } from '@playwright/test';
import type { Account, Invitation } from '#contracts/accounts.ts';
import type { NewLink } from '#contracts/shares.ts';
import { Recruiter } from '#support/recruiter.ts';
import {
  chooseAction,
  createTwoFunnels,
  expect,
  expectSoon,
  expectToast,
  STEP_TIMEOUT,
  test,
  toastOf,
} from './support/journey.ts';
import type { RunningProduct } from './support/product.ts';

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
  } else await form.getByRole('checkbox', { name: 'All funnels, including future ones' }).check();
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
  test(`an invited recruiter works on their funnel and sees nothing else, at ${width} px`, async ({
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
    const riley = await acceptInvitation(browser, product.url + path, width);

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
    const casey = await acceptInvitation(browser, product.url + path, width);

    await expect(casey.getByText('Showing 1 to 10 of 12 results')).toBeVisible();
    await expectPages(casey, width, ['Interviews', 'Funnels']);
    await expect(casey.getByRole('button', { name: /Refresh|Retry/ })).toHaveCount(0);
    for (const nth of [0, 1]) await casey.getByRole('checkbox').nth(nth).check({ force: true });
    const bar = casey.getByRole('region', { name: '2 selected' });
    await expect(bar.getByRole('button', { name: /Archive|Share|Process|Destination/ })).toHaveCount(0);
    await expect(bar.getByRole('button', { name: 'Compare' })).toBeVisible();
    await bar.getByRole('button', { name: 'Clear selection' }).click();
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
  const riley = await acceptInvitation(browser, product.url + new URL(invitation.link).pathname, 1440);
  await expect(riley.getByText('Showing 1 to 8 of 8 results')).toBeVisible();
  await product.recruiter.call('PUT', `/api/accounts/${account.id}`, { funnelIds: [warehouse.id] });
  await expectToast(riley, 'Your access has changed');
  await expect(riley.getByText('Showing 1 to 4 of 4 results')).toBeVisible();
  await product.recruiter.call('PUT', `/api/accounts/${account.id}`, { role: 'reviewer' });
  await expect(riley.getByRole('group', { name: 'Refresh' })).toHaveCount(0);
  await expect(riley.getByRole('button', { name: 'System' })).toHaveCount(0);
  await riley.context().close();
});

test('two colleagues and a client decide in three browsers: blind until submitted, then live', async ({
  page: ann,
  browser,
  product,
  context,
}) => {
  const { nursing } = await createTwoFunnels(product);
  const [interview] = (await product.recruiter.interviews()).filter(({ funnelIdNum }) => funnelIdNum === nursing.id);
  const { id = '', title = '' } = interview ?? {};
  const criteria = ['Care', 'Language'].map((label) => ({ key: label, label, low: '', middle: '', high: '' }));
  await product.recruiter.call('PUT', `/api/funnels/${nursing.id}/scorecard`, { criteria });
  const [annsAccess, bobsAccess] = [await join(product, 'ann'), await join(product, 'bob')];
  await context.addCookies([annsAccess.cookie]);
  const bobsContext = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  await bobsContext.addCookies([bobsAccess.cookie]);
  const bob = await bobsContext.newPage();

  // Bob reviews with the scorecard and comments.
  await bob.goto(`/?interview=${id}&scorecard=1`);
  await rate(bob, { Care: '5', Language: '4', Recommendation: 'Strong yes' });
  await bob.getByRole('tab', { name: 'Comments' }).click();
  await bob.getByRole('combobox', { name: 'Comment' }).fill('Explains every step.');
  await bob.getByRole('button', { name: /^Comment at/ }).click();

  // Ann reads that one colleague has reviewed, and nothing of it.
  await ann.goto(`/?interview=${id}&scorecard=1`);
  await ann.getByRole('tab', { name: 'Comments' }).click();
  await expect(ann.getByText('1 colleague has reviewed')).toBeVisible();
  await expect(ann.getByText('No comments yet.')).toBeVisible();
  await expect(ann.getByText('bob: Strong yes')).toBeHidden();
  await rate(ann, { Care: '3', Language: '4', Recommendation: 'Yes' });
  await expect(ann.getByText('bob: Strong yes')).toBeVisible();
  await expect(ann.getByText('Average of 2 independent reviews: Care 4.0 · Language 4.0')).toBeVisible();
  await expect(ann.getByText('Explains every step.')).toBeVisible();

  // A comment appears while the player is open, and mentions Ann.
  await bob.getByRole('combobox', { name: 'Comment' }).pressSequentially('Look at this, @an');
  await bob.getByRole('option', { name: 'ann' }).click();
  await bob.getByRole('button', { name: /^Comment at/ }).click();
  await expectSoon('a comment', ann.getByText('Look at this, @ann'));
  await ann.keyboard.press('Escape');
  const bell = ann.getByRole('button', { name: /^Notices/ });
  const unread = (count: number) => ann.getByRole('button', { name: `Notices, ${count} unread`, exact: true });
  await expect(bell).toHaveAccessibleName('Notices, 1 unread');

  // The client's verdict reaches the recruiter who shared the candidate.
  const link = await annsAccess.share(id);
  const clientsContext = await browser.newContext({ reducedMotion: 'reduce' });
  const client = await clientsContext.newPage();
  await client.goto(link);
  await client.getByRole('button', { name: 'Continue as Kim Client' }).click();
  await expectSoon('an opening', unread(2));
  await client.getByRole('button', { name: 'Interested', exact: true }).click();
  await expectSoon('a verdict', unread(3));
  await bell.click();
  await expect(ann.getByRole('dialog')).toContainText('Kim Client');
  await expect(client.locator('body')).not.toContainText(/Strong yes|Explains every step|bob/);
  expect(title).not.toBe('');
  await bobsContext.close();
  await clientsContext.close();
});

/** Invites a recruiter of all funnels, who chooses a password. */
async function join({ recruiter, url }: RunningProduct, username: string) {
  const body = { username, role: 'recruiter', email: `${username}@example.com`, allFunnels: true, funnelIds: [] };
  const { invitation } = await recruiter.call<{ invitation: Invitation }>('POST', '/api/accounts', body);
  const path = new URL(invitation.link).pathname.replace('tion/', 'tions/');
  await recruiter.call('POST', `/api${path}`, { newPassword: PASSWORD });
  const person = await Recruiter.signIn(url, { username, password: PASSWORD });
  const [name = '', value = ''] = person.cookie.split('=');
  const share = async (interviewId: string): Promise<string> => {
    const [created] = await person.call<NewLink[]>('POST', '/api/shares', {
      recipients: [{ name: 'Kim Client' }],
      ...{ interviewIds: [interviewId], title: 'One nurse', mayComment: true, mayDecide: true },
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      shows: { name: 'first', contact: false, transcript: true, summary: true, questions: true },
    });
    return created?.link ?? '';
  };
  return { cookie: { name, value, url, httpOnly: true, sameSite: 'Lax' as const }, share };
}

/** Chooses one option of each group, and submits the review. */
async function rate(page: Page, choices: Record<string, string>): Promise<void> {
  const form = page.getByRole('form', { name: 'My review' });
  for (const [group, option] of Object.entries(choices))
    await form.getByRole('group', { name: group }).getByText(option, { exact: true }).click();
  await form.getByRole('button', { name: 'Submit review' }).click();
  await expect(form.getByText('Submitted')).toBeVisible();
}
