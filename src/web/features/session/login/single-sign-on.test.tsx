import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SIGN_ON_REFUSALS } from '#contracts/rules/sign-on-refusals.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { json, serve } from '#web/testing/server-edge.ts';

const ADMIN = { id: 1, username: 'admin', role: 'administrator', allFunnels: true, funnelIds: [] };

function openLogin(path: string, changes: object = {}, responses: Parameters<typeof serve>[0] = {}) {
  const hint = { signedIn: false, defaultCredentials: null, oidc: { name: 'Acme' }, isPasswordHidden: false };
  const seen = serve({
    'GET /api/login/hint': { ...hint, ...changes },
    'GET /api/interviews': { interviews: [], total: 0 },
    'GET /api/interviews/sync/status': () => null,
    ...responses,
  });
  return { user: renderApp(path), seen };
}

test('the button of the provider is under the form', async () => {
  openLogin('/login');
  const button = await screen.findByRole('link', { name: 'Sign in with Acme' });
  expect(button.getAttribute('href')).toBe('/api/login/oidc?to=%2F');
  expect(screen.getByLabelText('Username').compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('without a provider the button is hidden', async () => {
  openLogin('/login', { oidc: null });
  await screen.findByLabelText('Username');
  expect(screen.queryByRole('link', { name: /^Sign in with/ })).toBeNull();
});

test.each(SIGN_ON_REFUSALS)('a sign-in rejected as %s explains what to do', async (reason) => {
  openLogin(`/login?refused=${reason}`);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toMatch(/Try again|try again|[Aa]sk an admin/);
});

test('an unknown reason in the address shows nothing', async () => {
  openLogin('/login?refused=<b>hello</b>');
  await screen.findByLabelText('Username');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('with single sign-on only, the password form appears only at the emergency URL', async () => {
  openLogin('/login?refused=unreachable', { isPasswordHidden: true });
  expect((await screen.findByRole('alert')).textContent).toContain('If this keeps happening, tell an admin.');
  expect(screen.getByRole('link', { name: 'Sign in with Acme' })).toBeTruthy();
  expect(screen.queryByLabelText('Password')).toBeNull();
  openLogin('/login?password', { isPasswordHidden: true });
  await screen.findByLabelText('Password');
});

test('an administrator confirms with password and code', async () => {
  let isCodeNext = true;
  const { user, seen } = openLogin(
    '/login?confirm=admin',
    {},
    {
      'POST /api/login/oidc/confirm': () => {
        const response = isCodeNext ? json({ message: 'Enter the code.', code: 'second_factor_required' }, 401) : ADMIN;
        isCodeNext = false;
        return response;
      },
    },
  );
  await screen.findByRole('heading', { name: 'Link your account' });
  await user.click(screen.getByRole('button', { name: 'Link and sign in' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Enter your password');
  await user.type(screen.getByLabelText(/^Password/), 'admin123');
  await user.click(screen.getByRole('button', { name: 'Link and sign in' }));
  await user.type(await screen.findByLabelText(/^Authenticator code/), '123456');
  await user.click(screen.getByRole('button', { name: 'Link and sign in' }));
  await expectToast('Login Successful', 'From now on, you can sign in with Acme.');
  await waitFor(() => expect(location.pathname).toBe('/'));
  const bodies = seen.filter(({ path }) => path === '/api/login/oidc/confirm').map(({ body }) => body);
  expect(bodies).toEqual([{ password: 'admin123' }, { password: 'admin123', code: '123456' }]);
});

test('a wrong password is shown at its field, an expired confirmation in a toast, and Cancel opens the form', async () => {
  let response = json({ message: 'Invalid username or password', code: 'wrong_credentials' }, 401);
  const { user } = openLogin('/login?confirm=admin', {}, { 'POST /api/login/oidc/confirm': () => response });
  await user.type(await screen.findByLabelText(/^Password/), 'wrong');
  await user.click(screen.getByRole('button', { name: 'Link and sign in' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Wrong password');
  response = json(
    { message: 'This sign-in has expired. Start again with single sign-on.', code: 'invalid_input' },
    400,
  );
  await user.click(screen.getByRole('button', { name: 'Link and sign in' }));
  await expectToast(
    'Authentication failed',
    'This sign-in has expired. Start again with single sign-on.',
    'destructive',
  );
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByLabelText('Username');
  expect(location.pathname + location.search).toBe('/login');
});
