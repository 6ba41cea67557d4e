import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aStatus } from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { json, serve } from '#web/testing/server-edge.ts';

const USER = { id: 2, username: 'riley', role: 'recruiter', allFunnels: true, funnelIds: [] };

function openLink(responses: Parameters<typeof serve>[0] = {}) {
  const seen = serve({
    'GET /api/invitations/abc': { username: 'riley' },
    'POST /api/invitations/abc': { message: 'Password set' },
    'GET /api/interviews/sync/status': aStatus(),
    'GET /api/login/hint': { signedIn: false, defaultCredentials: null },
    ...responses,
  });
  return { user: renderApp('/invitation/abc'), seen };
}

async function type(user: ReturnType<typeof renderApp>, password: string, repeated = password) {
  await user.type(await screen.findByLabelText(/^Password/), password);
  await user.type(screen.getByLabelText(/^Confirm password/), repeated);
  await user.click(screen.getByRole('button', { name: 'Set password and sign in' }));
}

test('the link greets the person, sets the password and signs in', async () => {
  const { user, seen } = openLink({ 'POST /api/login': USER });
  await screen.findByRole('heading', { name: 'Hello riley' });
  expect(seen.every(({ method }) => method === 'GET')).toBe(true);
  await type(user, 'a long password');
  await expectToast('Login Successful', 'Welcome to Video Interview Management System');
  const posts = seen.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]);
  expect(posts.slice(0, 2)).toEqual([
    ['/api/invitations/abc', { newPassword: 'a long password' }],
    ['/api/login', { username: 'riley', password: 'a long password' }],
  ]);
  expect(location.pathname).toBe('/');
});

test('after a reset a person with a second factor continues at the sign-in', async () => {
  const { user } = openLink({
    'POST /api/login': () => json({ message: 'Enter the code.', code: 'second_factor_required' }, 401),
  });
  await type(user, 'a long password');
  await expectToast('Password set', 'Sign in with your new password.');
  expect(location.pathname).toBe('/login');
});

test('problems with the password are shown at their fields', async () => {
  const message = 'This password is too common. Choose a different one.';
  const { user } = openLink({
    'POST /api/invitations/abc': () => json({ message, code: 'invalid_input', field: 'newPassword' }, 400),
  });
  await type(user, 'password', 'pass word');
  expect((await screen.findByRole('alert')).textContent).toBe("Passwords don't match");
  await user.clear(screen.getByLabelText(/^Confirm password/));
  await user.type(screen.getByLabelText(/^Confirm password/), 'password');
  await user.click(screen.getByRole('button', { name: 'Set password and sign in' }));
  await screen.findByText(message);
  expect(document.activeElement).toBe(screen.getByLabelText(/^Password/));
});

test('a link that no longer works explains what to do', async () => {
  openLink({ 'GET /api/invitations/abc': () => json({ message: 'Gone', code: 'not_found' }, 404) });
  await screen.findByRole('heading', { name: 'This link no longer works' });
  expect(screen.getByText('Links work once and for 72 hours. Ask an administrator for a new link.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to sign-in' })).toBeTruthy();
});
