import type { Page } from '@playwright/test';
import type { ErrorCode } from '#contracts/errors.ts';
import { CREDENTIALS } from '../../test/e2e/support/product.ts';
import { answer, at, button, dashboard, fromUserMenu, prepared, refuse, type Scene } from './scene.ts';

const RECOVERY_CODES = Array.from({ length: 10 }, (_, n) => `k7m2qp-4xw9tz-b3hd8v-${n}n5rcy`);

/** The sign-in form after the server has refused the credentials with this code. */
const afterPassword = (code: ErrorCode, act: (page: Page) => Promise<unknown> = async () => {}) =>
  at(
    '/login',
    (page) => page.getByRole('button', { name: 'Sign in' }),
    async (page) => {
      await answer(page, '/api/login', 401, { message: 'Second factor required.', code });
      await page.getByLabel('Username').fill(CREDENTIALS.username);
      await page.getByLabel('Password').fill(CREDENTIALS.password);
      await button(page, 'Sign in').click();
      await act(page);
    },
  );

const login = (act: (page: Page) => Promise<unknown> = async () => {}) =>
  at('/login', (page) => button(page, 'Sign in'), act);

/** Scenes for anonymous users. */
export const LOGIN_SCENES: readonly Scene[] = [
  { name: 'login', show: login() },
  { name: 'login-empty', show: login((page) => button(page, 'Sign in').click()) },
  {
    name: 'login-refused',
    show: afterPassword('wrong_credentials', (page) => page.getByText('Authentication failed').first().waitFor()),
  },
  {
    name: 'login-code',
    show: afterPassword('second_factor_required', (page) => page.getByLabel('Authenticator code').waitFor()),
  },
  {
    name: 'login-set-up',
    show: afterPassword('second_factor_setup_required', (page) => button(page, 'Set up').waitFor()),
  },
  {
    name: 'login-new-password',
    show: prepared(
      (page) => answer(page, '/api/login/hint', 200, { signedIn: false, defaultCredentials: null }),
      afterPassword('password_change_required', async (page) => {
        await page.getByLabel(/^New password/).fill('long enough');
        await button(page, 'Change password and sign in').click();
        await page.getByText("Passwords don't match").waitFor();
      }),
    ),
  },
  { name: 'forgot-password', show: login((page) => button(page, 'Forgot password?').click()) },
];

export const ACCOUNT_SCENES: readonly Scene[] = [
  { name: 'user-menu', show: dashboard((page) => page.getByRole('banner').getByRole('button').last().click()) },
  { name: 'change-password', show: fromUserMenu('Change password') },
  { name: 'second-factor', show: fromUserMenu('Two-factor sign-in') },
  {
    name: 'second-factor-app',
    show: fromUserMenu('Two-factor sign-in', async (page) => {
      await page.getByLabel('Current password').fill(CREDENTIALS.password);
      await button(page, 'Continue').click();
      await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    }),
  },
  {
    name: 'second-factor-codes',
    show: fromUserMenu('Two-factor sign-in', async (page) => {
      await page.getByLabel('Current password').fill(CREDENTIALS.password);
      await button(page, 'Continue').click();
      await answer(page, '/api/user/second-factor', 200, { recoveryCodes: RECOVERY_CODES });
      await page.getByLabel('6-digit code').fill('123456');
      await button(page, 'Turn on').click();
      await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    }),
  },
  {
    name: 'second-factor-on',
    show: async (page, stage) => {
      const on = { confirmedAt: '2026-03-05T16:05:09.000Z', recoveryCodesLeft: 9, required: false };
      await answer(page, '/api/user/second-factor', 200, on);
      await fromUserMenu('Two-factor sign-in')(page, stage);
      await button(page, 'Turn off').waitFor();
    },
  },
  {
    name: 'second-factor-wrong-code',
    show: fromUserMenu('Two-factor sign-in', async (page) => {
      await page.getByLabel('Current password').fill(CREDENTIALS.password);
      await button(page, 'Continue').click();
      await page.getByLabel('6-digit code').fill('123456');
      await button(page, 'Turn on').click();
      await page.getByRole('alert').first().waitFor();
    }),
  },
  {
    name: 'change-password-errors',
    show: fromUserMenu('Change password', async (page) => {
      await page.getByLabel(/^New password/).fill('long enough');
      await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click();
      await page.getByText("Passwords don't match").waitFor();
    }),
  },
  { name: 'devices', show: fromUserMenu('Signed-in devices', (page) => page.getByText('This device').waitFor()) },
  {
    name: 'devices-error',
    show: prepared(
      (page) => refuse(page, '/api/user/devices'),
      fromUserMenu('Signed-in devices', (page) => button(page, /^Retry$/).waitFor()),
    ),
  },
  {
    name: 'sign-out-everywhere',
    show: dashboard(async (page) => {
      await page.getByRole('banner').getByRole('button').last().click();
      await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
      await page.getByRole('alertdialog').waitFor();
    }),
  },
];

/** Scenes for widths at which the navigation is a menu. */
export const NARROW_SCENES: readonly Scene[] = [
  { name: 'side-menu', show: dashboard((page) => button(page, 'Open menu').click()) },
];
