import type { Account, Invitation } from '#contracts/accounts.ts';
import type { Role } from '#contracts/rules/roles.ts';
import { Recruiter } from '#support/recruiter.ts';
import { expectAccessible } from './support/accessible.ts';
import { cardOf, createTwoFunnels, expect, test } from './support/journey.ts';
import type { RunningProduct } from './support/product.ts';

test.describe.configure({ mode: 'parallel' });

const PASSWORD = 'sunflower-morning';

async function invite({ recruiter }: RunningProduct, username: string, role: Role, funnelIds: number[] = []) {
  const body = { username, role, email: `${username}@example.com`, allFunnels: funnelIds.length === 0, funnelIds };
  const { account, invitation } = await recruiter.call<{ account: Account; invitation: Invitation }>(
    'POST',
    '/api/accounts',
    body,
  );
  const path = new URL(invitation.link).pathname;
  return {
    account,
    path,
    accept: () => recruiter.call('POST', `/api${path.replace('tion/', 'tions/')}`, { newPassword: PASSWORD }),
  };
}

test.describe('No violation of WCAG 2.2 AA', () => {
  // One run of axe takes half a second, and several seconds on a busy machine.
  test.slow();

  test('No violation of WCAG 2.2 AA on accounts, their dialogs and the page of an invitation', async ({
    page,
    product,
    signIn,
    console,
  }) => {
    const { nursing } = await createTwoFunnels(product);
    const { path } = await invite(product, 'riley', 'recruiter', [nursing.id]);
    const { account: casey } = await invite(product, 'casey', 'reviewer');
    await product.recruiter.call('PUT', `/api/accounts/${casey.id}`, { isDisabled: true });
    await page.goto(path);
    await page.getByRole('button', { name: 'Set password and sign in' }).click();
    await expect(page.getByText('Password is required')).toBeVisible();
    await expectAccessible(page, 'invitation, refused');
    console.allow(404, '/api/invitations/');
    await page.goto('/invitation/none');
    await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    await expectAccessible(page, 'link that no longer works');

    await signIn();
    await page.goto('/accounts');
    await expect(page.getByText('riley@example.com')).toBeVisible();
    await expectAccessible(page, 'accounts');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Actions for casey' }).click();
    await expectAccessible(page, 'menu of an account', { widths: [1440] });
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectAccessible(page, 'delete an account');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await expect(dialog.getByText('Username is required')).toBeVisible();
    await expectAccessible(page, 'invite, refused');
    await dialog.getByLabel('Username').fill('robin');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await expect(dialog).toHaveAccessibleName('Link for robin');
    await expectAccessible(page, 'link of an invitation');
    await page.goto('/accounts?search=nobody');
    await expect(page.getByText('No accounts found')).toBeVisible();
    await expectAccessible(page, 'no accounts', { part: 'main' });
  });

  test('No violation of WCAG 2.2 AA on API tokens, a new one and the question before one is revoked', async ({
    page,
    product,
    signIn,
  }) => {
    await signIn();
    await page.goto('/?dialog=api-tokens');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('No API tokens')).toBeVisible();
    await expectAccessible(page, 'no API tokens');
    await dialog.getByRole('button', { name: 'New token' }).click();
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await expect(dialog.getByText('Name is required')).toBeVisible();
    await expectAccessible(page, 'new API token, refused');
    await dialog.getByLabel('Name').fill('Nightly export of everything that was recorded this month');
    await dialog.getByRole('checkbox', { name: /^logs/ }).check();
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await expect(dialog).toHaveAccessibleName(/^Token for Nightly export/);
    const token = await dialog.getByLabel('Token').inputValue();
    await fetch(`${product.url}/api/user`, { headers: { authorization: `Bearer ${token}` } });
    await expectAccessible(page, 'API token, shown once');
    await dialog.getByRole('button', { name: 'Done' }).click();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    for (const name of ['Uploader', 'Old script'])
      await product.recruiter.call('POST', '/api/tokens', { name, scopes: ['write', 'process'], expiresAt });
    await product.sql("UPDATE api_token SET expires_at = now() WHERE name = 'Old script'");
    await page.reload();
    await expect(dialog.getByText('Expired', { exact: true })).toBeVisible();
    await expect(dialog.getByText(/^Last used .+ from 127\.0\.0\.1$/)).toBeVisible();
    await expectAccessible(page, 'API tokens');
    await dialog.getByRole('button', { name: 'Revoke Uploader' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectAccessible(page, 'revoke an API token', { part: '[role=alertdialog]' });
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(dialog.getByText('Uploader')).toBeHidden();
    await page.goto('/accounts');
    await page.getByRole('button', { name: 'Actions for admin' }).click();
    await page.getByRole('menuitem', { name: 'API tokens' }).click();
    await expect(dialog.getByText('Old script')).toBeVisible();
    await expectAccessible(page, 'API tokens of an account');
  });

  test('No violation of WCAG 2.2 AA on webhooks, a new one, its deliveries and its secret', async ({
    page,
    product: { sandbox },
    signIn,
  }) => {
    await signIn();
    await page.goto('/webhooks');
    await expect(page.getByText('No webhooks yet')).toBeVisible();
    await expectAccessible(page, 'no webhooks', { part: 'main' });
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog.getByText('Choose at least one event')).toBeVisible();
    await expectAccessible(page, 'new webhook, refused');
    await dialog.getByLabel('Address').fill(`${sandbox.receiverUrl}/crm`);
    await dialog.getByRole('checkbox', { name: 'Client decided' }).check();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog).toHaveAccessibleName(/^Secret for 127/);
    await expectAccessible(page, 'secret of a webhook');
    await dialog.getByRole('button', { name: 'Done' }).click();
    const failing = sandbox.control.fail({ kind: 'status', status: 500, on: 'receiver' });
    await page.getByRole('button', { name: /^Actions for 127/ }).click();
    await expectAccessible(page, 'menu of a webhook', { widths: [1440] });
    await page.getByRole('menuitem', { name: 'Send a test' }).click();
    await expect(dialog.getByText('The receiver responded with 500.')).toBeVisible();
    failing.stop();
    await dialog.getByText('Request and response').click();
    await expectAccessible(page, 'deliveries of a webhook');
    await dialog.getByRole('button', { name: /^Retry/ }).click();
    await expect(dialog.getByText('Delivered')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();
    await expectAccessible(page, 'webhooks');
  });

  test('No violation of WCAG 2.2 AA on a scorecard, with errors, and on one of the expectations', async ({
    page,
    product,
    signIn,
  }) => {
    const { nursing } = await createTwoFunnels(product);
    const criteria = ['Care', 'Language', 'Shifts'].map((label) => ({
      ...{ key: label, label, low: 'Rushes', middle: 'Listens', high: 'Explains what happens next, in plain words' },
    }));
    await product.recruiter.call('PUT', `/api/funnels/${nursing.id}/scorecard`, { criteria });
    await signIn();
    await page.goto(`/funnels?dialog=edit-funnel&id=${nursing.id}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('tab', { name: 'Expectations' }).click();
    await dialog.locator('summary', { hasText: 'Scorecard' }).click();
    await dialog.getByRole('button', { name: 'Add criterion' }).click();
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog.getByText('Label is required')).toBeVisible();
    await expectAccessible(page, 'scorecard, refused');
    await dialog.getByRole('button', { name: 'Use the expectations' }).click();
    await expectAccessible(page, 'scorecard of the expectations');
  });

  test('No violation of WCAG 2.2 AA on the choice of a question, an answer of its review, and the end', async ({
    page,
    product,
    signIn,
  }) => {
    const { nursing } = await createTwoFunnels(product);
    await signIn();
    await page.goto('/');
    await page.getByRole('button', { name: 'More ways to review' }).click();
    await expectAccessible(page, 'menu of Review', { widths: [1440] });
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('radio').first()).toBeVisible();
    await expectAccessible(page, 'choice of a question');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await expect(dialog).toContainText('Question 1:');
    await expectAccessible(page, 'answer by answer');
    const { total } = await product.recruiter.call<{ total: number }>(
      'GET',
      `/api/interviews?unwatched=1&funnelId=${nursing.id}&limit=1`,
    );
    for (let place = 1; place <= total; place++) {
      await expect(dialog.getByText(`${place} of ${total}`)).toBeVisible();
      await page.keyboard.press('y');
    }
    await expect(dialog.getByRole('list', { name: 'My reviews' })).toBeVisible();
    await expectAccessible(page, 'end of answer by answer');
  });

  test('No violation of WCAG 2.2 AA on reviews, comments with names of colleagues, notices and their settings', async ({
    page,
    product,
    signIn,
  }) => {
    const { nursing } = await createTwoFunnels(product);
    const [interview] = await product.recruiter.interviews();
    const { id = '' } = interview ?? {};
    const criteria = ['Care', 'Language'].map((label) => ({
      ...{ key: label, label, low: 'Rushes', middle: 'Listens', high: 'Explains what happens next, in plain words' },
    }));
    for (const funnel of [nursing.id, interview?.funnelIdNum ?? nursing.id])
      await product.recruiter.call('PUT', `/api/funnels/${funnel}/scorecard`, { criteria });
    // Other journeys left notices.
    await product.recruiter.call('POST', '/api/notifications/read', {});
    const casey = await invite(product, 'casey', 'reviewer');
    await casey.accept();
    const colleague = await Recruiter.signIn(product.url, { username: 'casey', password: PASSWORD });
    const ratings = { Care: 5, Language: null };
    await colleague.call('PUT', `/api/interviews/${id}/review`, {
      ...{ ratings, recommendation: 4, note: 'Calm and precise.', submit: true },
    });
    await colleague.call('POST', `/api/interviews/${id}/comments`, { body: 'Look, @admin', atSeconds: 3 });
    await signIn();
    await page.goto(`/?interview=${id}&scorecard=1`);
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('1 colleague has reviewed')).toBeVisible();
    await expectAccessible(page, 'review with scorecard, blind');
    await page.keyboard.press('r');
    await page.keyboard.press('4');
    await dialog.getByRole('group', { name: 'Recommendation' }).getByText('Yes', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Submit review' }).click();
    await expect(dialog.getByText('Calm and precise.')).toBeVisible();
    await expectAccessible(page, 'review with scorecard, submitted');
    await dialog.getByRole('tab', { name: 'Comments' }).click();
    await dialog.getByRole('combobox', { name: 'Comment' }).pressSequentially('Thanks, @c');
    await expect(dialog.getByRole('option', { name: 'casey' })).toBeVisible();
    await expectAccessible(page, 'comments with names of colleagues');
    await page.goto('/');
    const bell = page.getByRole('button', { name: 'Notices, 1 unread' });
    await expect(bell).toBeVisible();
    await expectAccessible(page, 'unread notices', { part: 'header' });
    await bell.click();
    await expect(dialog.getByRole('listitem').first()).toBeVisible();
    await expectAccessible(page, 'notices');
    await dialog.getByRole('button', { name: 'Settings' }).click();
    await expect(dialog).toHaveAccessibleName('Notice settings');
    await expectAccessible(page, 'notice settings');
  });

  test('No violation of WCAG 2.2 AA on the screens of a reviewer and of a recruiter', async ({
    page,
    product,
    context,
  }) => {
    const { nursing } = await createTwoFunnels(product);
    const [newest] = await product.recruiter.interviews();
    const people = {
      casey: await invite(product, 'casey', 'reviewer'),
      riley: await invite(product, 'riley', 'recruiter', [nursing.id]),
    };
    const signInAs = async (username: keyof typeof people) => {
      await people[username].accept();
      const { cookie } = await Recruiter.signIn(product.url, { username, password: PASSWORD });
      const [name = '', value = ''] = cookie.split('=');
      await context.addCookies([{ name, value, url: product.url, httpOnly: true, sameSite: 'Lax' }]);
      await page.goto('/');
      await expect(page.getByRole('article').first()).toBeVisible();
    };
    await signInAs('casey');
    await expectAccessible(page, 'cards of a reviewer');
    await page.getByRole('button', { name: 'Compact' }).click();
    await page
      .getByRole('button', { name: /^Details of/ })
      .first()
      .click();
    await expectAccessible(page, 'compact layout of a reviewer', { part: 'main' });
    await cardOf(page, newest?.title ?? '')
      .getByRole('button', { name: /^Play/ })
      .click();
    await expect(page.getByRole('dialog')).toContainText('No transcript yet.');
    await expectAccessible(page, 'player of a reviewer');
    await page.goto('/?dialog=shortcuts');
    await expect(page.getByRole('dialog')).toContainText('Show its summary');
    await expectAccessible(page, 'shortcuts of a reviewer');
    await page.goto('/funnels');
    await expect(page.getByRole('article').first()).toBeVisible();
    await expectAccessible(page, 'funnels of a reviewer', { part: 'main' });
    await page.goto('/system-logs');
    await expect(page.getByRole('heading', { name: 'No access' })).toBeVisible();
    await expectAccessible(page, 'no access');
    await signInAs('riley');
    await expectAccessible(page, 'dashboard of a recruiter');
    await page.goto('/funnels');
    await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible();
    await expectAccessible(page, 'funnels of a recruiter', { part: 'main' });
  });
});
