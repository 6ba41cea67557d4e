import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectToast } from '#web/testing/expect-toast.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { json, type SeenRequest, serve } from '#web/testing/server-edge.ts';

const anonymous = {
  'GET /api/user': () => json({ message: 'Sign in first' }, 401),
  'GET /api/login/hint': { signedIn: false, defaultCredentials: null },
  'GET /api/interviews': { interviews: [], total: 0 },
  'GET /api/interviews/sync/status': () => null,
};
const CREDENTIALS = { username: 'dana', password: 'my password', rememberMe: false };
const DANA = { id: 1, username: 'dana' };
const asked = () => json({ message: 'Enter the code', code: 'second_factor_required' }, 401);
const wrongCode = () => json({ message: 'That code is wrong or already used.', code: 'wrong_code' }, 401);

/** Accepts the code `123456` only. */
const login = ({ body }: SeenRequest) => {
  const { code } = body as { code?: string };
  if (code === undefined) return asked();
  return code === '123456' ? DANA : wrongCode();
};

async function submitPassword(user: ReturnType<typeof renderApp>) {
  await user.type(await screen.findByLabelText('Username'), CREDENTIALS.username);
  await user.type(screen.getByLabelText('Password'), CREDENTIALS.password);
  await user.keyboard('{Enter}');
}

test('after the correct password the form asks for the code, and sends it with the credentials', async () => {
  const seen = serve({ ...anonymous, 'POST /api/login': login });
  const user = renderApp('/login');
  await submitPassword(user);
  const field = await screen.findByLabelText('Authenticator code');
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.getAttribute('autocomplete')).toBe('one-time-code');
  expect(field.getAttribute('inputmode')).toBe('numeric');
  expect(screen.queryByRole('alert')).toBeNull();
  await user.keyboard('123456{Enter}');
  await expectToast('Login Successful', 'Welcome to Video Interview Management System');
  await waitFor(() => expect(location.pathname).toBe('/'));
  expect(seen.filter(({ path }) => path === '/api/login').map(({ body }) => body)).toEqual([
    CREDENTIALS,
    { ...CREDENTIALS, code: '123456' },
  ]);
});

test('a wrong code is reported in a toast, and the field gets the focus', async () => {
  serve({ ...anonymous, 'POST /api/login': login });
  const user = renderApp('/login');
  await submitPassword(user);
  await user.type(await screen.findByLabelText('Authenticator code'), '654321');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await expectToast('Authentication failed', 'That code is wrong or already used.', 'destructive');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Authenticator code')));
  await user.keyboard('123456');
  expect(screen.getByLabelText('Authenticator code')).toHaveProperty('value', '123456');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(location.pathname).toBe('/'));
});

test('a missing code is reported in a toast, and nothing is sent', async () => {
  const seen = serve({ ...anonymous, 'POST /api/login': login });
  const user = renderApp('/login');
  await submitPassword(user);
  await screen.findByLabelText('Authenticator code');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await expectToast('Error', 'Enter a code', 'destructive');
  expect(seen.filter(({ path }) => path === '/api/login')).toHaveLength(1);
});

test('a recovery code can be entered instead', async () => {
  const seen = serve({ ...anonymous, 'POST /api/login': login });
  const user = renderApp('/login');
  await submitPassword(user);
  await user.click(await screen.findByRole('button', { name: 'Use a recovery code' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Recovery code'));
  expect(screen.getByLabelText('Recovery code').getAttribute('inputmode')).toBe('text');
  await user.keyboard('abcdef-ghjkmn{Enter}');
  await expectToast('Authentication failed', 'That code is wrong or already used.', 'destructive');
  expect(seen.filter(({ path }) => path === '/api/login').map(({ body }) => body)).toEqual([
    CREDENTIALS,
    { ...CREDENTIALS, code: 'abcdef-ghjkmn' },
  ]);
});

test('Back shows username and password, which keep their input', async () => {
  serve({ ...anonymous, 'POST /api/login': login });
  const user = renderApp('/login');
  await submitPassword(user);
  await user.click(await screen.findByRole('button', { name: 'Back' }));
  expect(screen.queryByLabelText('Authenticator code')).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')));
  expect(screen.getByLabelText('Username')).toHaveProperty('value', 'dana');
});

test('the password is asked for again when it has changed in the meantime', async () => {
  const responses = [asked(), json({ message: 'No', code: 'wrong_credentials' }, 401)];
  serve({ ...anonymous, 'POST /api/login': () => responses.shift() ?? asked() });
  const user = renderApp('/login');
  await submitPassword(user);
  await user.type(await screen.findByLabelText('Authenticator code'), '123456{Enter}');
  await expectToast('Authentication failed', 'Invalid username or password', 'destructive');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')));
});

test('a required second factor is set up before the first sign-in', async () => {
  const seen = serve({
    ...anonymous,
    'POST /api/login': () => json({ message: 'Set up', code: 'second_factor_setup_required' }, 401),
    'POST /api/login/second-factor/secret': { secret: 'ABCDEFGH', address: 'otpauth://totp/x?secret=ABCDEFGH' },
    'POST /api/login/second-factor': ({ body }: SeenRequest) =>
      (body as { code: string }).code === '123456' ? { user: DANA, recoveryCodes: ['aaaaaa-bbbbbb'] } : wrongCode(),
  });
  const user = renderApp('/login');
  await submitPassword(user);
  await user.click(await screen.findByRole('button', { name: 'Set up' }));
  expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeTruthy();
  await user.type(screen.getByLabelText(/^6-digit code/), '654321{Enter}');
  expect(await screen.findByText('That code is wrong or already used.')).toBeTruthy();
  await user.clear(screen.getByLabelText(/^6-digit code/));
  await user.type(screen.getByLabelText(/^6-digit code/), '123456{Enter}');
  expect(await screen.findByText('aaaaaa-bbbbbb')).toBeTruthy();
  expect(location.pathname).toBe('/login');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Copy' }));
  await user.click(screen.getByRole('button', { name: "I've saved them" }));
  await waitFor(() => expect(location.pathname).toBe('/'));
  expect(seen.filter(({ path }) => path === '/api/login/second-factor').at(-1)?.body).toEqual({
    ...CREDENTIALS,
    code: '123456',
  });
});

test('Back leads from the setup to username and password', async () => {
  serve({
    ...anonymous,
    'POST /api/login': () => json({ message: 'Set up', code: 'second_factor_setup_required' }, 401),
  });
  const user = renderApp('/login');
  await submitPassword(user);
  await user.click(await screen.findByRole('button', { name: 'Back' }));
  expect(await screen.findByLabelText('Username')).toHaveProperty('value', 'dana');
  expect(screen.queryByRole('button', { name: 'Set up' })).toBeNull();
});
