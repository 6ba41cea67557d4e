import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json } from '#web/testing/server-edge.ts';
import { ADMIN, anAccount, openAccounts } from './testing/open-accounts.ts';

const INVITATION = { link: 'https://interviews.example.com/invitation/abc', expiresAt: '2026-11-27T08:00:00Z' };

const rowOf = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(`^${name}`) }));

async function choose(user: ReturnType<typeof openAccounts>['user'], name: string, action: string) {
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  await user.click(await screen.findByRole('menuitem', { name: action }));
}

test('a row shows email, role, funnels, second factor, type of sign-in, last use and state', async () => {
  openAccounts([
    ADMIN,
    anAccount(),
    anAccount({ id: 3, username: 'casey', role: 'reviewer', funnelIds: [1, 2, 3], isDisabled: true }),
    anAccount({
      id: 4,
      username: 'sam',
      identities: [{ issuer: 'https://id.example.com', subject: '7', email: null }],
    }),
  ]);
  const admin = await rowOf('dana');
  for (const text of ['You', 'No email', 'Admin', 'All funnels', 'On', 'Password', 'November 24, 2026'])
    expect(admin.getByText(text)).toBeTruthy();
  const riley = await rowOf('riley');
  for (const text of ['riley@example.com', 'Recruiter', 'Nursing', 'Off', 'Never'])
    expect(await riley.findByText(text)).toBeTruthy();
  for (const text of ['3 funnels', 'Disabled', 'Reviewer']) expect((await rowOf('casey')).getByText(text)).toBeTruthy();
  expect((await rowOf('sam')).getByText('Single sign-on')).toBeTruthy();
});

test('search and filters narrow the list and are part of the URL', async () => {
  const { user } = openAccounts([ADMIN, anAccount(), anAccount({ id: 3, username: 'casey', isDisabled: true })]);
  const names = () =>
    screen.getAllByRole('button', { name: /^Actions for/ }).map((button) => button.getAttribute('aria-label'));
  await user.type(await screen.findByLabelText('Search accounts'), 'RILEY@');
  expect(names()).toHaveLength(2);
  await user.selectOptions(screen.getByLabelText('State'), 'Disabled');
  expect(names()).toEqual(['Actions for casey']);
  await user.selectOptions(screen.getByLabelText('Role'), 'Admin');
  await screen.findByText('No accounts found');
  expect(location.search).toBe('?search=RILEY%40&role=administrator&state=disabled');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(names()).toHaveLength(3);
});

test('an invitation is created with a role and funnels, and its link can be copied', async () => {
  const { user, seen } = openAccounts([ADMIN], {
    'POST /api/accounts': () => json({ account: anAccount(), invitation: INVITATION }, 201),
  });
  await user.click(await screen.findByRole('button', { name: 'Invite' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite' }));
  await user.click(dialog.getByRole('button', { name: 'Create link' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('Username is required');
  await user.type(dialog.getByLabelText(/^Username/), ' riley ');
  await user.type(dialog.getByLabelText('Email'), 'riley@example.com');
  await user.click(dialog.getByRole('radio', { name: /^Recruiter/ }));
  await user.click(dialog.getByRole('button', { name: 'Funnels: Choose funnels' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Nursing' }));
  await user.keyboard('{Escape}');
  await user.click(dialog.getByRole('button', { name: 'Create link' }));
  const link = within(await screen.findByRole('dialog', { name: 'Link for riley' }));
  expect(seen.find(({ method }) => method === 'POST')?.body).toEqual({
    ...{ username: 'riley', email: 'riley@example.com', role: 'recruiter', allFunnels: false, funnelIds: [1] },
  });
  expect(link.getByLabelText<HTMLInputElement>('Link').value).toBe(INVITATION.link);
  expect(link.getByText(/^Works once, until Nov 27, 2026/)).toBeTruthy();
  await user.click(link.getByRole('button', { name: 'Copy link' }));
  expect(await navigator.clipboard.readText()).toBe(INVITATION.link);
});

test('a taken username is reported at its field', async () => {
  const message = 'Another account has this username. Choose a different one.';
  const { user } = openAccounts([ADMIN], {
    'POST /api/accounts': () => json({ message, code: 'conflict', field: 'username' }, 409),
  });
  await user.click(await screen.findByRole('button', { name: 'Invite' }));
  await user.type(await screen.findByLabelText(/^Username/), 'dana');
  await user.click(screen.getByRole('button', { name: 'Create link' }));
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  expect(document.activeElement).toBe(screen.getByLabelText(/^Username/));
});

test('making an account an administrator selects all funnels, and users cannot edit their own role', async () => {
  const { user, seen } = openAccounts([ADMIN, anAccount()], { 'PUT /api/accounts/2': () => anAccount() });
  await choose(user, 'riley', 'Edit');
  await user.click(await screen.findByRole('radio', { name: /^Admin/ }));
  expect(screen.queryByText('All funnels, including future ones')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await expectToast('Account saved', 'riley now has the new rights.');
  expect(seen.find(({ method }) => method === 'PUT')?.body).toEqual({
    ...{ email: 'riley@example.com', role: 'administrator', allFunnels: true, funnelIds: [] },
  });
  await choose(user, 'dana', 'Edit');
  await screen.findByText(/To change your own role, ask another administrator/);
  expect(screen.queryByRole('radio')).toBeNull();
});

test.each([
  [true, 'riley@example.com', "We're sending this link to riley@example.com. You can also copy it."],
  [false, 'riley@example.com', 'No mail server is set up. Send this link to riley@example.com.'],
  [true, null, 'Send this link to riley.'],
])('with a mail server (%s) and the address %s, a new link comes with: %s', async (mail, email, text) => {
  const { user } = openAccounts([ADMIN, anAccount({ email })], {
    'POST /api/accounts/2/invitation': INVITATION,
    'GET /api/setup': { sources: [], mail },
  });
  await choose(user, 'riley', 'New link');
  const dialog = await screen.findByRole('dialog', { name: 'Link for riley' });
  expect(await within(dialog).findByText(new RegExp(`^${text.replaceAll('.', '\\.')} Anyone who has it`))).toBeTruthy();
});

test('disabling an account offers Undo, and users can neither disable nor delete their own account', async () => {
  const { user, seen } = openAccounts([ADMIN, anAccount()], {
    'PUT /api/accounts/2': ({ body }) => anAccount({ ...(body as object) }),
  });
  await choose(user, 'riley', 'Disable');
  await expectToast('Account disabled', 'riley is signed out everywhere.');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await expectToast('Account enabled', 'riley can sign in again.');
  expect(seen.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
    { isDisabled: true },
    { isDisabled: false },
  ]);
  await user.click(screen.getByRole('button', { name: 'Actions for dana' }));
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
    ...['Edit', 'New link', 'API tokens'],
  ]);
});

test('a new link is shown, and an account is deleted after a confirmation', async () => {
  const { user, seen } = openAccounts([ADMIN, anAccount()], {
    'POST /api/accounts/2/invitation': INVITATION,
    'DELETE /api/accounts/2': { message: 'Account deleted' },
  });
  await choose(user, 'riley', 'New link');
  await user.click(within(await screen.findByRole('dialog', { name: 'Link for riley' })).getByText('Close'));
  await choose(user, 'riley', 'Delete');
  const question = within(await screen.findByRole('alertdialog', { name: 'Delete riley?' }));
  await user.click(question.getByRole('button', { name: 'Delete' }));
  await expectToast('Account deleted', 'riley can no longer sign in.');
  expect(seen.some(({ method }) => method === 'DELETE')).toBe(true);
});

test('the API tokens of an account are listed and can be revoked', async () => {
  const token = {
    ...{ id: 7, name: 'Export', scopes: ['read'], prefix: 'vim_01234567', expiresAt: '2027-03-05T12:00:00.000Z' },
    ...{ createdAt: '2026-03-05T12:00:00.000Z', lastUsedAt: null, lastUsedAddress: null },
  };
  let tokens = [token];
  const { user } = openAccounts([ADMIN, anAccount()], {
    'GET /api/accounts/2/tokens': () => tokens,
    'DELETE /api/tokens/7': () => {
      tokens = [];
      return { message: 'API token revoked' };
    },
  });
  await choose(user, 'riley', 'API tokens');
  const dialog = within(await screen.findByRole('dialog', { name: 'API tokens of riley' }));
  expect(dialog.queryByRole('button', { name: 'New token' })).toBeNull();
  await user.click(await dialog.findByRole('button', { name: 'Revoke Export' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Revoke' }));
  await expectToast('Token revoked', 'Export no longer works.');
  await dialog.findByText("riley hasn't created any.");
});

test('only administrators can open the page and see links to it', async () => {
  const { user, seen } = openAccounts([ADMIN], {
    'GET /api/user': { id: 2, username: 'riley', role: 'recruiter', allFunnels: false, funnelIds: [1] },
  });
  await screen.findByRole('heading', { name: 'No access' });
  await user.click(screen.getByRole('button', { name: /riley/ }));
  await screen.findByRole('menuitem', { name: 'Change password' });
  expect(screen.queryByRole('menuitem', { name: 'Accounts' })).toBeNull();
  expect(seen.some(({ path }) => path === '/api/accounts')).toBe(false);
});

test('administrators open the page from the account menu', async () => {
  const { user } = openAccounts([ADMIN], {}, '/funnels');
  await user.click(await screen.findByRole('button', { name: /dana/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Accounts' }));
  await screen.findByRole('heading', { name: 'Accounts' });
  expect(location.pathname).toBe('/accounts');
});
