import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { expect, expectToast, test } from './support/journey.ts';
import { CREDENTIALS, type RunningProduct, startProduct } from './support/product.ts';

test.describe.configure({ mode: 'parallel' });

/** From the login to the provider, and as a person back. */
async function signInAs(page: Page, name: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Sign in with Demo Company' }).click();
  await expect(page.getByRole('heading', { name: 'Sandbox: sign in' })).toBeVisible();
  await page.getByRole('link', { name, exact: true }).click();
}

const header = (page: Page) => page.getByRole('banner');

test('a recruiter signs in at the provider, and is signed out by it in every window', async ({
  page,
  product,
  context,
  console,
}) => {
  // Requests that the page sends while its session ends.
  console.allow(401, '/api/');
  await signInAs(page, 'Riley Chen');
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: 'Interviews', level: 1 })).toBeVisible();
  await expect(header(page).getByRole('button', { name: /riley/ })).toContainText('Recruiter');
  const [cookie] = (await context.cookies()).filter(({ name }) => name === 'session');
  expect(cookie).toMatchObject({ expires: -1, httpOnly: true, sameSite: 'Lax' });

  const provider = await context.newPage();
  await provider.goto(`${product.sandbox.url}/oidc/signed-out?person=person-riley`);
  await expect(provider.getByRole('heading', { name: 'Riley Chen is signed out' })).toBeVisible();
  await expect(page).toHaveURL('/login');
});

test('a group at the provider makes an administrator, whom the accounts page lists', async ({ page }) => {
  await signInAs(page, 'Alex Kim');
  await expect(header(page).getByRole('button', { name: /alex/ })).toContainText('Admin');
  await page.goto('/accounts');
  const row = page.getByRole('row').filter({ hasText: 'alex@example.com' });
  await expect(row).toContainText('Single sign-on');
});

test('an administrator with a password confirms it once', async ({ page, product, console }) => {
  console.allow(401, '/api/login/oidc/confirm');
  await product.sql("UPDATE account SET email = 'jordan@example.com' WHERE username = 'admin'");
  await product.sql("DELETE FROM identity WHERE subject = 'person-jordan'");
  const jordan = { id: 'person-jordan', name: 'Jordan Bell', username: 'jordan', email: 'jordan@example.com' };
  product.sandbox.identity.state.people.push({
    ...{ ...jordan, isEmailVerified: true, groups: ['interviews-admins'], note: 'Has an account' },
  });
  await signInAs(page, 'Jordan Bell');
  await expect(page).toHaveURL('/login?confirm=admin');
  await expect(page.getByRole('heading', { name: 'Link your account' })).toBeVisible();
  await expectAccessible(page, 'link your account');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Link and sign in' }).click();
  await expect(page.getByText('Wrong password')).toBeVisible();
  await page.getByLabel('Password').fill(CREDENTIALS.password);
  await page.getByRole('button', { name: 'Link and sign in' }).click();
  await expectToast(page, 'Login Successful', 'From now on, you can sign in with Demo Company.');
  await expect(page).toHaveURL('/');

  await page.context().clearCookies();
  await signInAs(page, 'Jordan Bell');
  await expect(header(page).getByRole('button', { name: /admin/ })).toContainText('Admin');
});

test('a rejected sign-in is explained, and the password still works', async ({ page }) => {
  await signInAs(page, 'Cancel');
  await expect(page.getByRole('alert')).toContainText("Demo Company didn't sign you in");
  await page.goto('/login?refused=unreachable');
  await expect(page.getByRole('alert')).toContainText('Try again in a moment, or sign in with your password.');
  await expectAccessible(page, 'login after a refused sign-in');
  await page.getByLabel('Username').fill(CREDENTIALS.username);
  await page.getByLabel('Password').fill(CREDENTIALS.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/');
});

test.describe('single sign-on only', () => {
  let product: RunningProduct;
  test.beforeAll(async () => {
    product = await startProduct({ OIDC_ONLY: 'true', OIDC_BREAK_GLASS: 'admin', OIDC_CREATE: 'false' });
  });
  test.afterAll(() => product.stop());

  test('the password form is hidden, and opens at the emergency URL', async ({ page }) => {
    const outage = product.sandbox.control.fail({ kind: 'status', status: 503, on: 'identity' });
    await page.goto(`${product.url}/login`);
    await page.getByRole('link', { name: 'Sign in with Demo Company' }).click();
    await expect(page.getByRole('alert')).toContainText("Couldn't reach Demo Company");
    await expect(page.getByLabel('Password')).toBeHidden();
    await expectAccessible(page, 'login without passwords');
    outage.stop();
    await page.getByRole('link', { name: 'Sign in with Demo Company' }).click();
    await page.getByRole('link', { name: 'Robin Diaz' }).click();
    await expect(page.getByRole('alert')).toContainText("You don't have an account yet");
    await page.goto(`${product.url}/login?password`);
    await page.getByLabel('Username').fill(CREDENTIALS.username);
    await page.getByLabel('Password').fill(CREDENTIALS.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { name: 'Interviews', level: 1 })).toBeVisible();
  });
});
