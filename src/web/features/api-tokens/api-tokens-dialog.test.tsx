import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ApiToken } from '#contracts/api-tokens.ts';
import type { Role } from '#contracts/rules/roles.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { json, serve } from '#web/testing/server-edge.ts';

const SECRET = `vim_${'0123456789abcdef'.repeat(3)}`;
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const aToken = (part: Partial<ApiToken> = {}): ApiToken => ({
  ...{ id: 1, name: 'Nightly export', scopes: ['read', 'logs'], prefix: 'vim_01234567', expiresAt: inDays(30) },
  ...{ createdAt: '2026-03-01T12:00:00.000Z', lastUsedAt: null, lastUsedAddress: null },
  ...part,
});

/** Opens the dialog through its URL. `responses` are further responses of the server. */
function open(
  responses: Parameters<typeof serve>[0],
  role: Role = 'administrator',
  path = '/funnels?dialog=api-tokens',
) {
  const seen = serve({
    'GET /api/user': { id: 1, username: 'dana', role, allFunnels: true, funnelIds: [] },
    'GET /api/funnels': [],
    'GET /api/automations': [],
    ...responses,
  });
  return { user: renderApp(path), seen };
}

const itemOf = async (name: string) => within((await screen.findByText(name)).closest('li') as HTMLElement);

test('each token shows its name, scopes, first characters, expiry and last use', async () => {
  open({
    'GET /api/tokens': [
      aToken({ lastUsedAt: '2026-03-06T12:00:00.000Z', lastUsedAddress: '203.0.113.5' }),
      aToken({ id: 2, name: 'Old script', scopes: ['process'], expiresAt: '2026-03-05T12:00:00.000Z' }),
    ],
  });
  const used = await itemOf('Nightly export');
  for (const text of ['read', 'logs', 'vim_01234567…']) expect(used.getByText(text)).toBeTruthy();
  expect(used.getByText(/^Expires /)).toBeTruthy();
  expect(used.getByText(/^Last used Mar 6, 2026, .+ from 203\.0\.113\.5$/)).toBeTruthy();
  const old = await itemOf('Old script');
  expect(old.getByText('Expired')).toBeTruthy();
  expect(old.getByText('Expired March 5, 2026')).toBeTruthy();
  expect(old.getByText('Never used')).toBeTruthy();
});

test('a token is created with a name, scopes and a lifetime, and its secret can be copied once', async () => {
  let tokens: ApiToken[] = [];
  const { user, seen } = open({
    'GET /api/tokens': () => tokens,
    'POST /api/tokens': ({ body }) => {
      tokens = [aToken()];
      return json({ id: 1, token: SECRET, ...(body as object) }, 201);
    },
  });
  await screen.findByText('No API tokens');
  await user.click(screen.getByRole('button', { name: 'New token' }));
  const form = within(await screen.findByRole('dialog', { name: 'New API token' }));
  await user.click(form.getByRole('button', { name: 'Create token' }));
  expect((await form.findByRole('alert')).textContent).toBe('Name is required');
  await user.type(form.getByLabelText(/^Name/), 'Nightly export');
  await user.click(form.getByRole('checkbox', { name: /^read/ }));
  await user.click(form.getByRole('button', { name: 'Create token' }));
  expect((await form.findByRole('alert')).textContent).toBe('Choose at least one scope');
  await user.click(form.getByRole('checkbox', { name: /^logs/ }));
  await user.click(form.getByRole('checkbox', { name: /^read/ }));
  await user.selectOptions(form.getByLabelText('Lifetime'), '1 year');
  await user.click(form.getByRole('button', { name: 'Create token' }));
  const shown = within(await screen.findByRole('dialog', { name: 'Token for Nightly export' }));
  const [sent] = seen.filter(({ method }) => method === 'POST').map(({ body }) => body as { expiresAt: string });
  expect(sent).toMatchObject({ name: 'Nightly export', scopes: ['read', 'logs'] });
  const days = (Date.parse(sent?.expiresAt ?? '') - Date.now()) / DAY_MS;
  expect([days > 364.5, days < 365]).toEqual([true, true]);
  expect(shown.getByLabelText<HTMLInputElement>('Token').value).toBe(SECRET);
  await user.click(shown.getByRole('button', { name: 'Copy token' }));
  expect(await navigator.clipboard.readText()).toBe(SECRET);
  await user.click(shown.getByRole('button', { name: 'Done' }));
  expect(await itemOf('Nightly export')).toBeTruthy();
  expect(document.body.textContent).not.toContain(SECRET);
});

test('an error of the server is shown at its field, or as a message', async () => {
  const body = { message: 'expiresAt must be in the future', code: 'invalid_input', field: 'expiresAt' };
  let response = json(body, 400);
  const { user } = open({ 'GET /api/tokens': [], 'POST /api/tokens': () => response });
  await user.click(await screen.findByRole('button', { name: 'New token' }));
  await user.type(screen.getByLabelText(/^Name/), 'Export');
  await user.keyboard('{Enter}');
  expect((await screen.findByRole('alert')).textContent).toBe(body.message);
  response = json({ message: 'You have 50 API tokens. Revoke one to create another.', code: 'conflict' }, 409);
  await user.click(screen.getByRole('button', { name: 'Create token' }));
  await expectToast(
    'Error',
    "Couldn't create the token: You have 50 API tokens. Revoke one to create another.",
    'destructive',
  );
});

test('a reviewer is offered only the scope read', async () => {
  const { user } = open({ 'GET /api/tokens': [] }, 'reviewer');
  await user.click(await screen.findByRole('button', { name: 'New token' }));
  await screen.findByRole('dialog', { name: 'New API token' });
  expect(screen.getAllByRole('checkbox').map((box) => box.closest('label')?.textContent)).toEqual([
    'readList, watch, search and download interviews.',
  ]);
});

test('a token is revoked after a confirmation', async () => {
  let tokens = [aToken(), aToken({ id: 2, name: 'Uploader' })];
  const { user, seen } = open({
    'GET /api/tokens': () => tokens,
    'DELETE /api/tokens/1': () => {
      tokens = tokens.slice(1);
      return { message: 'API token revoked' };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Revoke Nightly export' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Revoke Nightly export?' }));
  expect(seen.some(({ method }) => method === 'DELETE')).toBe(false);
  await user.click(question.getByRole('button', { name: 'Revoke' }));
  await expectToast('Token revoked', 'Nightly export no longer works.');
  await waitFor(() => expect(screen.queryByText('Nightly export')).toBeNull());
  expect(await itemOf('Uploader')).toBeTruthy();
});

test('a failed list offers Retry', async () => {
  let isBroken = true;
  const { user } = open({
    'GET /api/tokens': () => (isBroken ? json({ message: 'Out of order.' }, 400) : [aToken()]),
  });
  expect(await screen.findByText('Out of order.')).toBeTruthy();
  isBroken = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await itemOf('Nightly export')).toBeTruthy();
});

test('the dialog opens from the account menu, and closing it restores the URL', async () => {
  const { user } = open({ 'GET /api/tokens': [] }, 'reviewer', '/funnels');
  await user.click(await screen.findByRole('button', { name: /dana/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'API tokens' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'API tokens' }));
  expect(location.search).toBe('?dialog=api-tokens');
  await user.click(dialog.getByText('Close', { selector: 'button' }));
  await waitFor(() => expect(location.search).toBe(''));
});
