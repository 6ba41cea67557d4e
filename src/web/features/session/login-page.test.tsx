// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { loginFailure } from '#web/features/session/login-failure.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { json, serve } from '#web/testing/server-edge.ts';

const anonymous = { 'GET /api/user': () => json({ message: 'Sign in first' }, 401) };
const hint = { 'GET /api/login/hint': { defaultCredentials: { username: 'admin', password: 'admin123' } } };
const toastText = async () => (await screen.findByRole('listitem')).textContent;

async function fillAndSubmit(user: ReturnType<typeof renderApp>) {
  await user.type(await screen.findByLabelText('Username'), 'admin');
  await user.type(screen.getByLabelText('Password'), 'admin123');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}

test('somebody who is not signed in is led to the login, which shows the default credentials while they work', async () => {
  serve({ ...anonymous, ...hint });
  renderApp('/funnels');
  await screen.findByRole('heading', { name: 'Video Interview Management' });
  expect(location.pathname).toBe('/login');
  await waitFor(() => expect(document.body.textContent).toContain('admin / admin123'));
  expect(document.title).toBe('Sign in · Video Interview Management');
});

test('no hint is shown once nobody has the default credentials', async () => {
  const seen = serve({ ...anonymous, 'GET /api/login/hint': { defaultCredentials: null } });
  renderApp('/login');
  await screen.findByLabelText('Username');
  await waitFor(() => expect(seen.some(({ path }) => path === '/api/login/hint')).toBe(true));
  expect(document.body.textContent).not.toContain('Default credentials');
});

test('missing credentials are said in a toast, and nothing is sent', async () => {
  const seen = serve({ ...anonymous, ...hint });
  const user = renderApp('/login');
  await user.click(await screen.findByRole('button', { name: 'Sign in' }));
  expect(await toastText()).toContain('ErrorPlease enter both username and password');
  expect(seen.some(({ path }) => path === '/api/login')).toBe(false);
});

test('signing in disables the fields, leads to the dashboard and welcomes', async () => {
  const gate = Promise.withResolvers<object>();
  const seen = serve({ ...anonymous, ...hint, 'POST /api/login': () => gate.promise });
  const user = renderApp('/login');
  await user.click(await screen.findByLabelText('Remember me'));
  await fillAndSubmit(user);

  expect(await screen.findByRole('button', { name: 'Signing in...' })).toHaveProperty('disabled', true);
  expect(screen.getByLabelText('Username')).toHaveProperty('disabled', true);
  gate.resolve({ id: 1, username: 'admin' });

  expect(await toastText()).toContain('Login SuccessfulWelcome to Video Interview Management System');
  await waitFor(() => expect(location.pathname).toBe('/'));
  expect(seen.find(({ path }) => path === '/api/login')?.body).toEqual({
    username: 'admin',
    password: 'admin123',
    rememberMe: true,
  });
});

test('wrong credentials are said, and the form stays', async () => {
  serve({ ...anonymous, ...hint, 'POST /api/login': () => json({ message: 'No', code: 'wrong_credentials' }, 401) });
  const user = renderApp('/login');
  await fillAndSubmit(user);
  expect(await toastText()).toContain('Authentication failedInvalid username or password');
  expect(screen.getByLabelText('Username')).toHaveProperty('value', 'admin');
});

test('an empty answer is invalid', async () => {
  serve({ ...anonymous, ...hint, 'POST /api/login': () => new Response(null, { status: 200 }) });
  const user = renderApp('/login');
  await fillAndSubmit(user);
  expect(await toastText()).toContain('Invalid response from server');
});

test.each([
  [{ status: 500, message: 'x', details: undefined }, 'Internal server error. Please try again later.'],
  [{ status: 401, message: 'x', details: undefined }, 'Invalid username or password'],
  [{ status: 429, message: 'Too many tries', details: 'wait 60 s' }, 'Too many tries (wait 60 s)'],
  [{ status: 400, message: '', details: undefined }, 'Login failed'],
])('the failure %o reads "%s"', (failure, text) => {
  expect(loginFailure(failure)).toBe(text);
});

test('Forgot password? says who can help', async () => {
  serve({ ...anonymous, ...hint });
  const user = renderApp('/login');
  await user.click(await screen.findByRole('button', { name: 'Forgot password?' }));
  expect((await screen.findByRole('dialog')).textContent).toContain('npm run user -- password NAME');
});
