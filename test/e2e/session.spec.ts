import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import { Authenticator } from '#support/second-factor.ts';
import { expectAccessible } from './support/accessible.ts';
import { expect, expectToast, test, toastOf } from './support/journey.ts';
import { CREDENTIALS, type RunningProduct } from './support/product.ts';

test.describe.configure({ mode: 'parallel' });

test.describe('Login', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/login');
  });

  test('a login shows Login Successful and opens the dashboard', async ({ page }) => {
    await expect(page.getByRole('heading', { name: 'Video Interview Management' })).toBeVisible();
    await expect(page.getByText('Sign in to access your dashboard')).toBeVisible();
    await page.getByLabel('Username').fill(CREDENTIALS.username);
    await page.getByLabel('Password').fill(CREDENTIALS.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expectToast(page, 'Login Successful', 'Welcome to Video Interview Management System');
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { name: 'Interviews', level: 1 })).toBeVisible();
  });

  test('Remember me keeps the session for 30 days, without it the cookie ends with the browser', async ({
    page,
    context,
    console,
  }) => {
    // The dashboard still loads when its cookie is taken away.
    console.allow(401, '/api/');
    const signIn = async (remember: boolean) => {
      await page.goto('/login');
      await page.getByLabel('Username').fill(CREDENTIALS.username);
      await page.getByLabel('Password').fill(CREDENTIALS.password);
      await page.getByLabel('Remember me').setChecked(remember);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page).toHaveURL('/');
      const [cookie] = await context.cookies();
      await context.clearCookies();
      return cookie;
    };
    expect(await signIn(false)).toMatchObject({ expires: -1, httpOnly: true, sameSite: 'Lax' });
    const days = ((await signIn(true))?.expires ?? 0) / 86_400 - Date.now() / 86_400_000;
    expect(days).toBeGreaterThan(29);
    expect(days).toBeLessThan(31);
  });
});

test.describe('Routes', () => {
  test('any other path is a 404 card reading Page Not Found', async ({ page, signIn, console }) => {
    console.allow(404, '/nowhere/at/all');
    const response = await page.goto('/nowhere/at/all');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
    await signIn();
    await page.reload();
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await expect(page).toHaveURL('/');
  });
});

test.describe('Signed in', () => {
  // A session may end before the server has answered all that a page asked for.
  test.beforeEach(({ console }) => console.allow(401, '/api/'));

  test('signing out opens the login, and the dashboard then redirects to it', async ({ page }) => {
    await signInByForm(page);
    await page.getByRole('banner').getByRole('button', { name: /admin/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/login');
    await page.goto('/');
    await expect(page).toHaveURL('/login');
  });

  test('Sign out everywhere ends the session of every browser, which shows the login at once', async ({
    page,
    browser,
    product,
  }) => {
    const { other, forget } = await danaInTwoBrowsers(page, browser, product);
    await page.getByRole('banner').getByRole('button', { name: /dana/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Sign out everywhere?' });
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
    for (const one of [page, other]) await expect(one).toHaveURL('/login');
    await forget();
  });

  test('Signed-in devices lists both browsers by keyboard, signs out the other one and follows its next sign-in', async ({
    page,
    browser,
    product,
  }) => {
    const { other, forget } = await danaInTwoBrowsers(page, browser, product);
    await page.getByRole('banner').getByRole('button', { name: /dana/ }).press('Enter');
    await page.getByRole('menuitem', { name: 'Signed-in devices' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Signed-in devices' });
    await expect(page).toHaveURL('/?dialog=devices');
    const devices = dialog.getByRole('listitem');
    await expect(devices).toHaveCount(2);
    await expect(devices.filter({ hasText: 'This device' })).toHaveCount(1);
    await expectAccessible(page, 'signed-in devices');
    await dialog.getByRole('button', { name: /^Sign out Chrome on/ }).press('Enter');
    await expect(other).toHaveURL('/login');
    await expect(devices).toHaveCount(1);
    await expect(devices).toContainText('This device');
    await signInByForm(other, 'dana');
    await expect(devices).toHaveCount(2);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL('/');
    await forget();
  });

  test('Change password keeps this browser signed in and signs out all others', async ({
    page,
    browser,
    product,
    console,
  }) => {
    console.allow(400, '/api/user/password');
    const { other, forget } = await danaInTwoBrowsers(page, browser, product);
    await page.getByRole('banner').getByRole('button', { name: /dana/ }).click();
    await page.getByRole('menuitem', { name: 'Change password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change password' });
    await expect(dialog.getByLabel('Current password')).toBeFocused();
    await dialog.getByLabel('Current password').fill('not this one');
    for (const label of [/^New password ?\*?$/, 'Confirm new password'])
      await dialog.getByLabel(label).fill('a longer password');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Current password is incorrect.')).toBeVisible();
    await dialog.getByLabel('Current password').fill('admin123');
    await page.keyboard.press('Enter');
    await expect(
      page.getByText("Password changed. You're signed out on other devices.", { exact: true }),
    ).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(other).toHaveURL('/login');
    await page.reload();
    await expect(page.getByRole('banner').getByRole('button', { name: /dana/ })).toBeVisible();
    await expect(page).toHaveURL('/');
    await forget();
  });

  test('a second factor is set up, used to sign in and turned off by keyboard, without accessibility violations', async ({
    page,
    product,
    console,
  }) => {
    test.slow();
    console.allow(400, '/api/user/second-factor');
    await product.sql("INSERT INTO account (username, password_hash) SELECT 'erin', password_hash FROM account");
    await signInByForm(page, 'erin');
    const { dialog, phone, codes } = await setUpSecondFactor(page);

    await chooseInMenu(page, 'Two-factor sign-in');
    await expect(dialog).toContainText('10 recovery codes left');
    await expectAccessible(page, 'second factor that is on');
    await page.keyboard.press('Escape');
    await chooseInMenu(page, 'Logout');
    await page.getByLabel('Username').fill('erin');
    await page.getByLabel('Password').fill(CREDENTIALS.password);
    await page.keyboard.press('Enter');
    const field = page.getByLabel('Authenticator code');
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
    await expect(page.locator('input[autocomplete="current-password"]')).toHaveValue(CREDENTIALS.password);
    await expectAccessible(page, 'login that asks for a code');
    await page.keyboard.type(phone.wrongCode());
    await page.keyboard.press('Enter');
    await expectToast(page, 'Authentication failed', 'That code is wrong or already used.');
    await expect(field).toBeFocused();
    await page.keyboard.type(phone.code(1));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/');

    await chooseInMenu(page, 'Two-factor sign-in');
    await dialog.getByRole('button', { name: /Turn off/ }).click();
    await dialog.getByLabel('Current password').fill(CREDENTIALS.password);
    await dialog.getByRole('button', { name: 'Use a recovery code' }).click();
    await expect(dialog.getByLabel('Recovery code')).toBeFocused();
    await expectAccessible(page, 'second factor about to be turned off');
    await dialog.getByLabel('Recovery code').fill(codes[0] ?? '');
    await page.keyboard.press('Enter');
    await expectToast(page, 'Success', "Two-factor sign-in is off. You're signed out on other devices.");
    await chooseInMenu(page, 'Logout');
    // Opening another page earlier would cancel the sign-out request.
    await expect(page).toHaveURL('/login');
    await signInByForm(page, 'erin');
    await product.sql("DELETE FROM account WHERE username = 'erin'");
  });

  test('below 768 px the navigation is a side menu with a Logout button', async ({ page }) => {
    await page.setViewportSize({ width: 767, height: 900 });
    await signInByForm(page);
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
    const button = page.getByRole('button', { name: 'Open menu' });
    await button.click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await expect(menu.getByRole('link', { name: 'Interviews' })).toHaveAttribute('aria-current', 'page');
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(button).toBeFocused();
    await button.click();
    await menu.getByRole('link', { name: 'Funnels' }).click();
    await expect(page).toHaveURL('/funnels');
    await expect(menu).toBeHidden();
    await button.click();
    await menu.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/login');
    await page.setViewportSize({ width: 768, height: 900 });
    await signInByForm(page);
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  });

  test('a session that ended elsewhere redirects to /login without a toast', async ({ page, context }) => {
    await signInByForm(page);
    await toastOf(page).getByRole('button', { name: 'Close' }).click();
    const other = await context.newPage();
    await other.goto('/funnels');
    await other.getByRole('banner').getByRole('button', { name: /admin/ }).click();
    await other.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(other).toHaveURL('/login');
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(toastOf(page)).toHaveCount(0);
  });
});

/** Signs a separate account in, here and in a second browser. */
async function danaInTwoBrowsers(page: Page, browser: Browser, product: RunningProduct) {
  const elsewhere = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  const other = await elsewhere.newPage();
  await product.sql("INSERT INTO account (username, password_hash) SELECT 'dana', password_hash FROM account");
  for (const one of [other, page]) await signInByForm(one, 'dana');
  const forget = async () => {
    await elsewhere.close();
    await product.sql("DELETE FROM account WHERE username = 'dana'");
  };
  return { other, forget };
}

async function chooseInMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: /Admin/ }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Goes from the menu to the saved recovery codes. */
async function setUpSecondFactor(page: Page) {
  const dialog = page.getByRole('dialog');
  await chooseInMenu(page, 'Two-factor sign-in');
  await expect(dialog.getByLabel('Current password')).toBeFocused();
  await page.keyboard.type('not this one');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Current password is incorrect.')).toBeVisible();
  await expectAccessible(page, 'second factor with a wrong password');
  await dialog.getByLabel('Current password').fill(CREDENTIALS.password);
  await page.keyboard.press('Enter');

  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expect(dialog.getByLabel('6-digit code')).toBeFocused();
  await expectAccessible(page, 'QR code');
  const phone = new Authenticator(((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', ''));
  await page.keyboard.type(phone.code());
  await page.keyboard.press('Enter');

  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page, 'recovery codes');
  const codes = await dialog.getByRole('listitem').allTextContents();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toContain(codes.join('\n'));
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Back to the codes' }).click();
  await dialog.getByRole('button', { name: "I've saved them" }).click();
  await expect(dialog).toBeHidden();
  return { dialog, phone, codes };
}

async function signInByForm(page: Page, username = CREDENTIALS.username): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(CREDENTIALS.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/');
  await expectToast(page, 'Login Successful');
}
