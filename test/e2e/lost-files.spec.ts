import type { Page } from '@playwright/test';
import { cardOf, expect, expectToast, test } from './support/journey.ts';

const FILES = '**/assets/*.js';
const failure = (page: Page) => page.getByRole('dialog', { name: "Couldn't load this" });

/** Opens a dialog through the URL, as its button does. */
const openDialog = (page: Page, name: string, id: string | number = '') =>
  page.evaluate(`
    history.pushState({ addedByDialog: true }, '', '?dialog=${name}&id=${id}');
    dispatchEvent(new PopStateEvent('popstate'));
  `);

test.beforeEach(async ({ signIn, console: { allow, allowText } }) => {
  await signIn();
  allow('cut', '/assets/');
  allow(404, '/assets/');
  allowText('dynamically imported module');
});

const SHELL_DIALOGS = [
  ...['menu', 'shortcuts', 'commands', 'change-password'],
  ...['second-factor', 'devices', 'api-tokens', 'sign-out-everywhere'],
];
const INTERVIEW_DIALOGS = ['questions', 'video', 'transcript', 'destination'];
const FUNNEL_DIALOGS = ['create-funnel', 'edit-funnel', 'delete-funnel'];

/** Opens each dialog of the page, which fails, and closes the message. */
async function expectFailures(page: Page, dialogs: [name: string, id?: string | number][], title: string) {
  const message = page.getByRole('dialog', { name: title });
  for (const [name, id] of dialogs) {
    await openDialog(page, name, id);
    await expect(message, name).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(message, name).toBeHidden();
    await expect(page.getByRole('article').first(), name).toBeVisible();
  }
}

/** The dialogs of the dashboard, and of an upload, which `offerUploads` enables. */
const dialogsOf = (interviewId = '', funnelId: number | undefined = 0): [string, (string | number)?][] => [
  ...[...SHELL_DIALOGS, 'save-view'].map((name): [string] => [name]),
  ['upload', funnelId],
  ...INTERVIEW_DIALOGS.map((name): [string, string] => [name, interviewId]),
];

/** Shows the active funnel as one with uploads. */
const offerUploads = (page: Page) =>
  page.route('**/api/funnels/active', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), source: 'upload' } });
  });

test('without a connection every dialog offers Retry, and the page stays', async ({
  page,
  twoFunnels: { product, nursing },
}) => {
  const [interview] = await product.recruiter.interviews();
  const card = cardOf(page, interview?.title ?? '');
  await page.goto('/funnels');
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.route(FILES, (route) => route.abort('internetdisconnected'));
  await expectFailures(
    page,
    FUNNEL_DIALOGS.map((name) => [name, nursing.id]),
    "Couldn't load this",
  );
  await page.unroute(FILES);
  await page.goto('/');
  await expect(card).toBeVisible();
  await page.route(FILES, (route) => route.abort('internetdisconnected'));
  // A funnel of uploads has no refresh.
  await expectFailures(page, [['refresh']], "Couldn't load this");
  await page.unroute(FILES);
  await offerUploads(page);
  await page.goto('/');
  await expect(card).toBeVisible();
  await page.route(FILES, (route) => route.abort('internetdisconnected'));
  const dialogs = dialogsOf(interview?.id, nursing.id);
  await expectFailures(
    page,
    dialogs.filter(([name]) => name !== 'video'),
    "Couldn't load this",
  );
  await expectFailures(page, [['video', interview?.id ?? '']], "Couldn't open the player");
  await page.getByRole('checkbox', { name: `Select ${interview?.title}` }).check({ force: true });
  await expect(page.getByRole('main')).toContainText("Couldn't load this");
  await expect(card).toBeVisible();
  await openDialog(page, 'questions', interview?.id);
  await page.unroute(FILES);
  await failure(page).getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('dialog', { name: 'Interview Questions' })).toBeVisible();
});

test('without a connection a page and the calendar offer Retry in their place', async ({ page, twoFunnels }) => {
  const { recruiter } = twoFunnels.product;
  const [interview] = await recruiter.interviews();
  await page.goto('/');
  await expect(cardOf(page, interview?.title ?? '')).toBeVisible();
  await page.route(FILES, (route) => route.abort('internetdisconnected'));
  await page.getByRole('button', { name: 'Any date range' }).click();
  const calendar = page.getByRole('dialog', { name: 'Date range' });
  await expect(calendar).toContainText("Couldn't load this");
  await page.unroute(FILES);
  await calendar.getByRole('button', { name: 'Retry' }).click();
  await expect(calendar).toBeHidden();
  await page.getByRole('button', { name: 'Any date range' }).click();
  await expect(calendar.getByRole('grid').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await page.route(FILES, (route) => route.abort('internetdisconnected'));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Funnels' }).click();
  await expect(page.getByRole('main')).toContainText("Couldn't load this");
  await expect(page.getByRole('banner')).toBeVisible();
  await page.unroute(FILES);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Funnel Management' })).toBeVisible();
});

test('an action without a connection shows its toast, and the page stays', async ({
  page,
  context,
  twoFunnels,
  console,
}) => {
  const [interview] = await twoFunnels.product.recruiter.interviews();
  await page.goto('/');
  const card = cardOf(page, interview?.title ?? '');
  await expect(card).toBeVisible();
  console.allow('cut', '/');
  console.allowText('The live connection');
  console.allowText('WebSocket connection');
  await context.setOffline(true);
  await card.getByRole('button', { name: 'Convert to YouTube' }).click();
  await expectToast(page, 'Conversion Failed');
  await expect(card).toBeVisible();
  await context.setOffline(false);
});

test('after an update of the server an open tab offers Reload instead of what it cannot load', async ({
  page,
  twoFunnels: { product, nursing },
}) => {
  const [interview] = await product.recruiter.interviews();
  await offerUploads(page);
  await page.goto('/');
  await expect(cardOf(page, interview?.title ?? '')).toBeVisible();
  // The new build has other file names, and the old files are gone.
  await page.route(FILES, (route) => route.fulfill({ status: 404, body: '' }));
  await page.route('/', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/assets\/index-[\w-]+\.js/, 'assets/index-newer.js');
    await route.fulfill({ response, body });
  });
  await expectFailures(page, dialogsOf(interview?.id, nursing.id), 'A new version is available');
  await expect(page.getByText('A new version is available.')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(cardOf(page, interview?.title ?? '')).toBeVisible();
  await expect(page.getByText('A new version is available.')).toBeHidden();
});

test.describe('with parts fetched in advance', () => {
  test.use({ prefetchesParts: true });

  test('what the browser fetched while it was idle opens without a connection', async ({
    page,
    context,
    twoFunnels: _,
    console,
  }) => {
    const fetched = page.waitForResponse(/\/assets\/shortcuts-dialog/);
    await page.goto('/');
    await expect(page.getByRole('article').first()).toBeVisible();
    await (await fetched).finished();
    console.allow('cut', '/');
    console.allowText('The live connection');
    console.allowText('WebSocket connection');
    await context.setOffline(true);
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await context.setOffline(false);
  });
});

test('without a connection the login offers Retry for the help with a forgotten password', async ({
  page,
  context,
}) => {
  await context.clearCookies();
  await page.goto('/login');
  const help = page.getByRole('button', { name: 'Forgot password?' });
  await expect(help).toBeVisible();
  await page.route(FILES, (route) => route.abort('internetdisconnected'));
  await help.click();
  await expect(failure(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
});
