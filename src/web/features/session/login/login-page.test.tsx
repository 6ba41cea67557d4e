import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anInterview } from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { json, serve } from '#web/testing/server-edge.ts';
import { loginFailure } from './login-form.tsx';

const anonymous = { 'GET /api/user': () => json({ message: 'Sign in first' }, 401) };
const hint = {
  'GET /api/login/hint': { signedIn: false, defaultCredentials: { username: 'admin', password: 'admin123' } },
};
const dashboard = {
  'GET /api/interviews': { interviews: [], total: 0 },
  'GET /api/interviews/sync/status': () => null,
};

async function fillAndSubmit(user: ReturnType<typeof renderApp>) {
  await user.type(await screen.findByLabelText('Username'), 'admin');
  await user.type(screen.getByLabelText('Password'), 'admin123');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}

test('an anonymous visitor is led to the login, which shows the default credentials while they work', async () => {
  serve({ ...anonymous, ...hint });
  renderApp('/funnels');
  await screen.findByRole('heading', { name: 'Video Interview Management' });
  expect(location.pathname).toBe('/login');
  await waitFor(() => expect(document.body.textContent).toContain('admin / admin123'));
  expect(document.title).toBe('Sign in · Video Interview Management');
});

test('an anonymous visitor causes no 401, which browsers would report as a page error', async () => {
  const seen = serve({ ...anonymous, ...hint });
  renderApp('/login');
  await waitFor(() => expect(document.body.textContent).toContain('admin / admin123'));
  expect(seen.map(({ path }) => path)).toEqual(['/api/login/hint']);
});

test('the session itself is requested when the login hint fails', async () => {
  const unavailable = () => json({ message: 'The server is restarting' }, 503);
  serve({ ...dashboard, 'GET /api/user': { id: 1, username: 'dana' }, 'GET /api/login/hint': unavailable });
  renderApp('/login');
  await waitFor(() => expect(location.pathname).toBe('/'));
});

test('no hint is shown when the default credentials do not work', async () => {
  const seen = serve({ ...anonymous, 'GET /api/login/hint': { signedIn: false, defaultCredentials: null } });
  renderApp('/login');
  await screen.findByLabelText('Username');
  await waitFor(() => expect(seen.some(({ path }) => path === '/api/login/hint')).toBe(true));
  expect(document.body.textContent).not.toContain('Default credentials');
});

test('missing credentials are reported in a toast, and nothing is sent', async () => {
  const seen = serve({ ...anonymous, ...hint });
  const user = renderApp('/login');
  await user.click(await screen.findByRole('button', { name: 'Sign in' }));
  await expectToast('Error', 'Please enter both username and password', 'destructive');
  expect(document.activeElement).toBe(screen.getByLabelText('Username'));
  expect(screen.getByText('Enter your username')).toBeTruthy();
  expect(screen.getByText('Enter your password')).toBeTruthy();
  await user.type(screen.getByLabelText('Username'), 'dana');
  expect(screen.queryByText('Enter your username')).toBeNull();
  expect(screen.getByText('Enter your password')).toBeTruthy();
  expect(seen.some(({ path }) => path === '/api/login')).toBe(false);
});

test('signing in disables the fields, opens the dashboard and shows a welcome toast', async () => {
  const gate = Promise.withResolvers<object>();
  const seen = serve({ ...anonymous, ...hint, ...dashboard, 'POST /api/login': () => gate.promise });
  const user = renderApp('/login');
  await user.click(await screen.findByLabelText('Remember me'));
  await fillAndSubmit(user);

  expect((await screen.findByRole('button', { name: 'Signing in...' })).getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByLabelText('Username')).toHaveProperty('disabled', true);
  gate.resolve({ id: 1, username: 'admin' });

  await expectToast('Login Successful', 'Welcome to Video Interview Management System');
  await waitFor(() => expect(location.pathname).toBe('/'));
  expect(seen.find(({ path }) => path === '/api/login')?.body).toEqual({
    username: 'admin',
    password: 'admin123',
    rememberMe: true,
  });
});

test('any complete input is sent: the server validates it', async () => {
  const seen = serve({
    ...anonymous,
    ...hint,
    'POST /api/login': () => json({ message: 'Too many tries', error: 'wait 60 s' }, 429),
  });
  const user = renderApp('/login');
  await user.type(await screen.findByLabelText('Username'), '?');
  await user.type(screen.getByLabelText('Password'), '!');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await expectToast('Authentication failed', 'Too many tries (wait 60 s)', 'destructive');
  expect(seen.find(({ path }) => path === '/api/login')?.body).toMatchObject({ username: '?', password: '!' });
});

test('an unreachable server is reported in a toast', async () => {
  serve({ ...anonymous, ...hint, 'POST /api/login': () => Promise.reject(new TypeError('Failed to fetch')) });
  const user = renderApp('/login');
  await fillAndSubmit(user);
  await expectToast(
    'Authentication failed',
    'Network error. Please check your connection or the server might be down.',
    'destructive',
  );
});

test('wrong credentials are reported in a toast, and the form stays', async () => {
  serve({ ...anonymous, ...hint, 'POST /api/login': () => json({ message: 'No', code: 'wrong_credentials' }, 401) });
  const user = renderApp('/login');
  await fillAndSubmit(user);
  await expectToast('Authentication failed', 'Invalid username or password', 'destructive');
  expect(screen.getByLabelText('Username')).toHaveProperty('value', 'admin');
});

test('an empty response is invalid', async () => {
  serve({ ...anonymous, ...hint, 'POST /api/login': () => new Response(null, { status: 200 }) });
  const user = renderApp('/login');
  await fillAndSubmit(user);
  await expectToast('Authentication failed', 'Invalid response from server', 'destructive');
});

test.each([
  [{ status: 500, message: 'x', details: undefined }, 'Internal server error. Please try again later.'],
  [{ status: 401, message: 'x', details: undefined }, 'Invalid username or password'],
  [{ status: 429, message: 'Too many tries', details: 'wait 60 s' }, 'Too many tries (wait 60 s)'],
  [{ status: 400, message: '', details: undefined }, 'Login failed'],
])('the failure %o is shown as "%s"', (failure, text) => {
  expect(loginFailure(failure)).toBe(text);
});

test('Forgot password? shows the command for an admin', async () => {
  serve({ ...anonymous, ...hint });
  const user = renderApp('/login');
  await user.click(await screen.findByRole('button', { name: 'Forgot password?' }));
  expect((await screen.findByRole('dialog')).textContent).toContain('npm run user -- password NAME');
});

test('after a refused login the password field has the focus', async () => {
  serve({ ...anonymous, ...hint, 'POST /api/login': json({ message: 'Invalid username or password' }, 401) });
  const user = renderApp('/login');
  await fillAndSubmit(user);
  await expectToast('Authentication failed', 'Invalid username or password', 'destructive');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')));
  await user.keyboard('better');
  expect(screen.getByLabelText('Password')).toHaveProperty('value', 'better');
});

test('a link with filters is opened after the login', async () => {
  serve({ ...anonymous, ...hint, ...dashboard, 'POST /api/login': { id: 1, username: 'admin' } });
  const user = renderApp('/?status=pending');
  await fillAndSubmit(user);
  await waitFor(() => expect(location.pathname + location.search).toBe('/?status=pending'));
});

test('a link to an interview is opened after the login', async () => {
  serve({
    ...anonymous,
    ...hint,
    ...dashboard,
    'POST /api/login': { id: 1, username: 'admin' },
    'GET /api/interviews/int-7': anInterview({ id: 'int-7' }),
  });
  const user = renderApp('/?status=pending&interview=int-7&at=12');
  await fillAndSubmit(user);
  await screen.findByRole('dialog', { name: 'Amara for Nursing' });
  expect(location.pathname + location.search).toBe('/?status=pending&interview=int-7&at=12');
});

test('where the default password is rejected, the start code and a new password replace it and sign in', async () => {
  const seen = serve({
    ...anonymous,
    ...dashboard,
    'GET /api/login/hint': { signedIn: false, defaultCredentials: null },
    'POST /api/login': ({ body }) =>
      (body as { password: string }).password === 'admin123'
        ? json({ message: 'Choose a new password to continue.', code: 'password_change_required' }, 401)
        : { id: 1, username: 'admin' },
    'POST /api/login/password': ({ body }) => {
      const { startCode, newPassword } = body as { startCode: string; newPassword: string };
      if (startCode !== '3f9a-1b2c')
        return json({ message: 'Wrong code.', code: 'wrong_code', field: 'startCode' }, 401);
      return newPassword === 'password'
        ? json({ message: 'This password is too common.', code: 'invalid_input', field: 'newPassword' }, 400)
        : { message: 'Password changed' };
    },
  });
  const user = renderApp('/login');
  await fillAndSubmit(user);
  await screen.findByRole('heading', { name: 'Choose a new password' });
  const choose = async (password: string, repeated = password) => {
    for (const [label, text] of [
      [/^New password/, password],
      [/^Confirm new password/, repeated],
    ] as const) {
      await user.clear(screen.getByLabelText(label));
      await user.type(screen.getByLabelText(label), text);
    }
    await user.click(screen.getByRole('button', { name: 'Change password and sign in' }));
  };
  await choose('correct horse');
  expect(screen.getByText('Start code is required')).toBeTruthy();
  const field = screen.getByLabelText(/^Start code/);
  await user.type(field, '0000');
  await choose('correct horse');
  expect(await screen.findByText('Wrong code.')).toBeTruthy();
  expect(document.activeElement).toBe(field);
  await user.clear(field);
  await user.type(field, '3f9a-1b2c');
  await choose('correct horse', 'correct house');
  expect(screen.getByText("Passwords don't match")).toBeTruthy();
  await choose('password');
  expect(await screen.findByText('This password is too common.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText(/^New password/));
  await choose('correct horse');
  await waitFor(() => expect(location.pathname).toBe('/'));
  const bodies = seen.filter(({ path }) => path === '/api/login/password').map(({ body }) => body);
  expect(bodies).toEqual([
    { username: 'admin', password: 'admin123', startCode: '0000', newPassword: 'correct horse' },
    { username: 'admin', password: 'admin123', startCode: '3f9a-1b2c', newPassword: 'password' },
    { username: 'admin', password: 'admin123', startCode: '3f9a-1b2c', newPassword: 'correct horse' },
  ]);
});
