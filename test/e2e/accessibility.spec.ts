import { expectAccessible } from './support/accessible.ts';
import { cardOf, chooseAction, clickAndAwaitResponse, expect, STEP_TIMEOUT, test } from './support/journey.ts';
import type { RunningProduct } from './support/product.ts';

test.describe.configure({ mode: 'parallel' });

/**
 * Four interviews: one sent, one with a failed step, one new, and one ready to be sent, whose title
 * is returned.
 */
async function allBadges({ recruiter, sandbox, sql }: RunningProduct): Promise<string> {
  const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
  if (warehouse) await recruiter.refresh(warehouse);
  const [sent, failed, , ready] = await recruiter.interviews();
  await sql("UPDATE interview SET destination_id = 'BUB-ACME-7' WHERE id = $1", [sent?.id]);
  await sql("UPDATE interview SET summary_status = 'failed', transcription_status = 'in-progress' WHERE id = $1", [
    failed?.id,
  ]);
  await recruiter.call('PUT', `/api/interviews/${ready?.id}/transcript`, { transcriptionText: 'I plan ahead.' });
  await recruiter.call('PUT', `/api/interviews/${ready?.id}/summary`, { summaryText: 'Plans ahead.' });
  await sql("UPDATE interview SET youtube_id = 'abc123', youtube_status = 'completed' WHERE id = $1", [ready?.id]);
  return ready?.title ?? '';
}

/** A run in progress, with everything that its report will have. */
const BULK_RUN = {
  ...{ id: 7, action: 'convert', status: 'running', total: 4, done: 1, started: 2, failed: 0, skipped: 1 },
  ...{ cancelRequested: false, error: null, startedBy: null, createdAt: new Date().toISOString(), finishedAt: null },
  reasons: [
    { outcome: 'skipped', reason: 'Already converted.', count: 1 },
    { outcome: 'failed', reason: 'This interview has no video.', count: 1 },
  ],
  items: [
    { interviewId: 'a', title: 'Nurse – Ada', outcome: 'skipped', reason: 'Already converted.' },
    { interviewId: 'b', title: 'Nurse – Ben', outcome: 'failed', reason: 'This interview has no video.' },
  ],
};

/** The lists, with their requests and their texts while loading and after a failure. */
const LISTS = [
  {
    path: '/',
    request: '**/api/interviews?*',
    loading: 'Loading interviews...',
    failed: 'Error loading interviews: Out of order.',
  },
  { path: '/funnels', request: '**/api/funnels', loading: 'Loading funnels...', failed: 'Error Loading Funnels' },
  {
    path: '/system-logs',
    request: '**/api/logs?*',
    loading: 'Loading logs...',
    failed: 'Failed to load logs. Please try again.',
  },
];

const fileOf = (name: string, content = 'no recording') => ({
  name,
  mimeType: name.endsWith('.csv') ? 'text/csv' : 'video/mp4',
  buffer: Buffer.from(content),
});

test.describe('No violation of WCAG 2.2 AA', () => {
  // One run of axe takes half a second, and several seconds on a busy machine.
  test.slow();

  test('No violation of WCAG 2.2 AA on the login, its dialog, the choice of a new password and the 404 card', async ({
    page,
    console,
  }) => {
    console.allow(404, '/nowhere');
    await page.goto('/login');
    await expect(page.getByText('Default credentials')).toBeVisible();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByText('Please enter both username and password').first()).toBeVisible();
    await expectAccessible(page, 'login with a toast');
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page, 'Forgot password?');
    await page.goto('/nowhere');
    await expectAccessible(page, '404');
    console.allow(401, '/api/login');
    const json = { message: 'Choose a new password to continue.', code: 'password_change_required', requestId: 'x' };
    await page.route('**/api/login', (route) => route.fulfill({ status: 401, json }));
    await page.goto('/login');
    await page.getByLabel('Username').fill('admin');
    await page.getByLabel('Password').fill('admin123');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Change password and sign in' }).click();
    await expect(page.getByText('Start code is required')).toBeVisible();
    await expectAccessible(page, 'new password, refused');
  });

  test('No violation of WCAG 2.2 AA on the dashboard and its layouts', async ({ page, product, signIn }) => {
    const title = await allBadges(product);
    await signIn();
    await page.goto('/');
    await expect(cardOf(page, title)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Failed steps' })).toBeVisible();
    await expectAccessible(page, 'cards with the strip of failed steps');
    await page.getByRole('button', { name: 'Compact' }).click();
    const details = page.getByRole('button', { name: /^Details of/ }).first();
    await details.click();
    await expectAccessible(page, 'compact layout with details');
    // Three folded rows leave room for the bar, which otherwise covers a part of one.
    await details.click();
    await page.getByRole('checkbox', { name: `Select ${title}` }).check({ force: true });
    await expect(page.getByRole('region', { name: '1 selected' })).toBeVisible();
    await expectAccessible(page, 'compact layout with a selection', {
      part: 'li:has([data-select]), [data-bulk-bar]',
    });
    const run = { ...BULK_RUN };
    await page.route('**/api/bulk', (route) => route.fulfill({ status: 202, json: run }));
    await page.route('**/api/bulk/7', (route) => route.fulfill({ json: run }));
    await page.getByRole('button', { name: 'Convert', exact: true }).click();
    await expect(page.getByRole('progressbar')).toBeVisible();
    await expectAccessible(page, 'bulk run', { part: '[data-bulk-bar]' });
    Object.assign(run, { status: 'completed', done: 2, started: 0, failed: 1 });
    await page.getByRole('button', { name: 'Report' }).click();
    await expect(page.getByRole('dialog')).toContainText('Already converted.');
    await expectAccessible(page, 'report of a bulk run');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('option').first()).toBeVisible();
    await expectAccessible(page, 'command palette', { widths: [1440] });
    await page.goto('/?status=error');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Failed');
    await expectAccessible(page, 'save view', { widths: [1440] });
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Views: Failed' }).click();
    await expectAccessible(page, 'saved views', { widths: [1440], part: '[role="menu"]' });
    await clickAndAwaitResponse(page.getByRole('menuitem', { name: 'Delete view' }), '/api/saved-views/');
    await page.goto('/?search=nobody+at+all');
    await expect(page.getByText('No interviews found')).toBeVisible();
    await expectAccessible(page, 'no matches', { part: 'main' });
  });

  test('No violation of WCAG 2.2 AA on the pickers and menus of the dashboard', async ({ page, product, signIn }) => {
    await allBadges(product);
    await signIn();
    await page.goto('/');
    await page.getByRole('button', { name: 'Funnels: All Funnels' }).click();
    await expect(page.getByRole('dialog', { name: 'Funnels' })).toBeVisible();
    await expectAccessible(page, 'funnel picker');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Any date range' }).click();
    await expect(page.getByRole('grid')).toHaveCount(2);
    await expectAccessible(page, 'date range picker');
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectAccessible(page, 'actions menu');
    await page.keyboard.press('Escape');
    await page.getByRole('banner').getByRole('button', { name: /admin/ }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectAccessible(page, 'user menu');
    await page.setViewportSize({ width: 375, height: 900 });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
    await expectAccessible(page, 'mobile menu', { widths: [375] });
  });

  test('No violation of WCAG 2.2 AA on every dialog of an interview', async ({ page, product, signIn }) => {
    const title = await allBadges(product);
    await signIn();
    await page.goto('/');
    const card = cardOf(page, title);
    const dialog = page.getByRole('dialog');
    const inspect = async (what: string) => {
      await expect(dialog).toBeVisible();
      await expectAccessible(page, what);
    };
    await chooseAction(card, 'View Questions');
    await inspect('questions');
    await page.keyboard.press('Escape');
    await card.getByRole('button', { name: /^Play / }).click();
    await expect(dialog.locator('video')).toBeVisible();
    await inspect('player');
    await dialog.getByRole('tab', { name: 'Edit' }).click();
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await inspect('editing');
    await page.keyboard.press('Escape');
    await card.getByRole('tab', { name: 'Transcript' }).click();
    await card.getByRole('button', { name: 'View Transcript' }).click();
    await expect(dialog).toContainText('I plan ahead.');
    await inspect('transcript');
    await dialog.getByRole('button', { name: 'Edit' }).click();
    await inspect('transcript editor');
    await page.keyboard.press('Escape');
    await card.getByRole('tab', { name: 'Destination' }).click();
    await card.getByRole('button', { name: 'Set Destination' }).click();
    await dialog.getByRole('button', { name: 'Set Destination' }).click();
    await inspect('destination, refused');
    await dialog.getByRole('tab', { name: 'Additional Notes' }).click();
    await inspect('destination notes');
  });

  test('No violation of WCAG 2.2 AA on a reviewed interview: transcript next to the video, summary, shortcuts and the test page', async ({
    page,
    product,
    signIn,
  }) => {
    const { recruiter, sandbox } = product;
    const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
    if (warehouse) await recruiter.refresh(warehouse);
    const [interview] = await recruiter.interviews();
    await recruiter.call('POST', `/api/interviews/${interview?.id}/summarize`);
    await signIn();
    await page.goto('/');
    const card = cardOf(page, interview?.title ?? '');
    await card.getByRole('tab', { name: 'Summary' }).click();
    await expect(card.getByRole('button', { name: 'View Summary' })).toBeVisible(STEP_TIMEOUT);
    await card.getByRole('button', { name: 'View Summary' }).click();
    await expect(page.getByRole('dialog').getByRole('heading', { name: 'Overview' })).toBeVisible();
    await expectAccessible(page, 'summary');
    await page.keyboard.press('Escape');
    await card.getByRole('button', { name: /^Play / }).click();
    await page.getByRole('searchbox', { name: 'Search the transcript' }).fill('shift');
    await expectAccessible(page, 'player with its transcript');
    // The first press empties the search.
    await page.keyboard.press('Escape');
    for (const tab of ['Questions', 'Summary']) {
      await page.getByRole('dialog').getByRole('tab', { name: tab }).click();
      await expectAccessible(page, `player, ${tab}`, { widths: [1440] });
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expectAccessible(page, 'keyboard shortcuts');
    await page.keyboard.press('Escape');
    await page.getByRole('banner').getByRole('button').last().click();
    await page.getByRole('menuitem', { name: 'Change password' }).click();
    await page
      .getByRole('dialog', { name: 'Change password' })
      .getByRole('button', { name: 'Change password' })
      .click();
    await expect(page.getByText('Current password is required')).toBeVisible();
    await expectAccessible(page, 'change password');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.goto('/test-destination');
    await expect(page.getByRole('heading', { name: 'Test Destination' })).toBeVisible();
    await expectAccessible(page, 'test page');
  });

  test('No violation of WCAG 2.2 AA on the first run and a refresh, from its dialog to its error', async ({
    page,
    product,
    signIn,
  }) => {
    const { recruiter, sandbox } = product;
    await signIn();
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Add your first job' })).toBeVisible();
    await expectAccessible(page, 'first run');
    await recruiter.connect(sandbox.funnels[2]);
    await page.reload();
    await expect(page.getByText('No interviews found')).toBeVisible();
    await expectAccessible(page, 'no interviews');
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page, 'Refresh Options');
    // Not a thumbnail, for which the product waits less.
    sandbox.control.fail({ kind: 'hang', on: 'media', path: '/media/videos/*', times: 1 });
    await page.getByRole('button', { name: 'Start Refresh' }).click();
    await expect(page.getByText(/^Refresh in Progress/)).toBeVisible();
    await expectAccessible(page, 'refresh in progress', { part: ':has(> [data-busy])' });
    await page.getByRole('button', { name: 'Cancel Refresh' }).click();
    await recruiter.refreshEnded();
    sandbox.control.fail({ kind: 'status', status: 401 });
    await recruiter.startRefresh();
    await expect(page.getByRole('alert').filter({ hasText: 'Refresh Error' })).toBeVisible();
    await expectAccessible(page, 'refresh error', { part: ':has(> [data-busy])' });
  });

  test('No violation of WCAG 2.2 AA on Funnel Management', async ({ page, product, signIn, console }) => {
    console.allow(409, '/api/funnels/check');
    await signIn();
    await page.goto('/funnels');
    await expect(page.getByText('No funnels found')).toBeVisible();
    await expectAccessible(page, 'no funnels');
    await product.recruiter.connect(...product.sandbox.funnels);
    await product.recruiter.funnel({ name: 'Fair', source: 'upload' });
    await page.reload();
    await expect(page.getByRole('article')).toHaveCount(5);
    await expectAccessible(page, 'funnels');
    await page.getByRole('button', { name: 'Upload recordings' }).click();
    await page
      .getByLabel(/Drop recordings here/)
      .setInputFiles([fileOf('Dana.mp4'), fileOf('details.csv', 'file,name\nBen.mp4,Ben\n')]);
    await expect(page.getByText('The CSV file and the recordings differ')).toBeVisible();
    await page.getByLabel('Candidate name').fill('');
    await page.getByRole('button', { name: 'Upload 1 recording' }).click();
    await expect(page.getByText('Candidate name is required')).toBeVisible();
    await expectAccessible(page, 'upload dialog, refused');
    await page.getByRole('button', { name: 'Remove Dana.mp4' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add New Funnel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create Funnel' }).click();
    await expectAccessible(page, 'funnel form with errors');
    for (const tab of ['Description', 'Expectations']) {
      await dialog.getByRole('tab', { name: tab }).click();
      await expectAccessible(page, `funnel form, ${tab}`);
    }
    await dialog.getByRole('tab', { name: 'Basic Settings' }).click();
    const positions = [{ id: 'p1', name: 'Night nurse', isArchived: true }];
    await page.route('**/api/funnels/positions', (route) => route.fulfill({ json: { positions } }));
    const json = { message: 'Hireflix rejected the API key.', code: 'unauthenticated', requestId: 'x' };
    await page.route('**/api/funnels/check', (route) => route.fulfill({ status: 409, json }));
    for (const source of ['Hireflix', 'VideoAsk']) {
      await dialog.getByLabel('Source').selectOption(source);
      await dialog.getByLabel('Funnel Name').fill(`Funnel of ${source}`);
      await dialog.getByLabel('API Key').fill('key');
      await dialog.getByRole('button', { name: 'List positions' }).click();
      await dialog.getByLabel('Position').selectOption('Night nurse (archived)');
      await dialog.getByRole('button', { name: 'Test connection' }).click();
      await expect(dialog.getByText("Couldn't read from")).toBeVisible();
      await expectAccessible(page, `funnel form, ${source}`, { widths: [1440] });
    }
    await dialog.getByLabel('Source').selectOption('Uploaded recordings');
    await expectAccessible(page, 'funnel form, uploads', { widths: [1440] });
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Delete' }).first().click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectAccessible(page, 'delete confirmation');
  });

  test('No violation of WCAG 2.2 AA on the summary editor, Edit Funnel with errors, and the questions before text is discarded', async ({
    page,
    product,
    signIn,
  }) => {
    const card = cardOf(page, await allBadges(product));
    const dialog = page.getByRole('dialog');
    const question = page.getByRole('alertdialog');
    await signIn();
    await page.goto('/');
    await card.getByRole('tab', { name: 'Summary' }).click();
    await card.getByRole('button', { name: 'View Summary' }).click();
    await dialog.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByRole('textbox', { name: 'Summary text' }).fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByRole('textbox', { name: 'Summary text' })).toHaveAttribute('aria-invalid', 'true');
    await expectAccessible(page, 'summary editor, refused');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toHaveAccessibleName('Discard changes?');
    await expectAccessible(page, 'Discard changes?');
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('banner').getByRole('button', { name: /admin/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
    await expect(question).toHaveAccessibleName('Sign out everywhere?');
    await expectAccessible(page, 'Sign out everywhere?');
    await page.goto('/funnels');
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.locator('summary', { hasText: 'Automation' }).click();
    await dialog.getByRole('button', { name: 'Show webhook address' }).click();
    await expect(dialog.getByLabel('Webhook address')).toBeVisible();
    await dialog.getByLabel('Funnel Name').fill('');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog.getByText('Funnel Name is required')).toBeVisible();
    await expectAccessible(page, 'Edit Funnel with errors');
  });

  test('No violation of WCAG 2.2 AA on the lists while they load and after a failure', async ({
    page,
    signIn,
    console,
  }) => {
    await signIn();
    await page.clock.install();
    for (const { path, request, loading, failed } of LISTS) {
      console.allow(500, request.replace(/[*?]/g, ''));
      const answered = Promise.withResolvers<void>();
      await page.route(request, async (route) => {
        await answered.promise;
        await route.fulfill({ status: 500, json: { message: 'Out of order.' } });
      });
      await page.goto(path);
      await expect(page.getByText(loading)).toBeVisible();
      await expectAccessible(page, loading, { part: 'main' });
      answered.resolve();
      await expect(async () => {
        await page.clock.runFor(5_000);
        await expect(page.getByText(failed)).toBeVisible({ timeout: 250 });
      }).toPass({ timeout: 20_000 });
      await expectAccessible(page, failed, { part: 'main' });
      await page.unroute(request);
    }
    await page.route('**/api/interviews?*', () => new Promise(() => {}));
    await page.goto('/');
    await page.getByRole('button', { name: 'Compact' }).click();
    await expect(page.getByText('Loading interviews...')).toBeVisible();
    await expectAccessible(page, 'compact layout, loading', { part: 'main' });
  });
});
