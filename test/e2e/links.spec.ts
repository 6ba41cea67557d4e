import type { Page } from '@playwright/test';
import type { NewLink, Share } from '#contracts/shares.ts';
import { expectAccessible } from './support/accessible.ts';
import { expect, expectSoon, test } from './support/journey.ts';
import type { RunningProduct } from './support/product.ts';

/** The recordings of the team leads have speech. */
async function prepare({ recruiter, sandbox }: RunningProduct): Promise<string[]> {
  const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
  if (warehouse) await recruiter.refresh(warehouse);
  const [first, second] = (await recruiter.interviews()).filter(({ videoFile }) => videoFile !== null);
  await recruiter.call('PUT', `/api/interviews/${first?.id}/transcript`, { transcriptionText: 'I plan ahead.' });
  await recruiter.call('PUT', `/api/interviews/${first?.id}/summary`, { summaryText: 'Overview\nPlans [0:02] ahead.' });
  return [first?.id ?? '', second?.id ?? ''];
}

async function share({ recruiter }: RunningProduct, interviewIds: string[], passcode?: string): Promise<string> {
  const [created] = await recruiter.call<NewLink[]>('POST', '/api/shares', {
    recipients: [{ name: 'Ann Lee', email: 'ann@client.example' }],
    ...{ interviewIds, passcode, title: 'Two team leads', message: 'Have a look.' },
    expiresAt: new Date(Date.now() + 14 * 86_400_000).toISOString(),
    shows: { name: 'first', contact: false, transcript: true, summary: true, questions: true },
    ...{ mayComment: true, mayDecide: true },
  });
  return created?.link ?? '';
}

const play = (page: Page) => page.getByRole('button', { name: 'Play', exact: true });
const linksOf = ({ recruiter }: RunningProduct) => recruiter.call<Share[]>('GET', '/api/shares');

test('A client opens a link, watches, decides, comments and continues with the next candidate', async ({
  page,
  product,
}) => {
  const link = await share(product, await prepare(product));
  await page.goto(link);
  await expect(page.getByRole('heading')).toHaveText('admin shared candidates with you');
  expect((await linksOf(product))[0]?.state).toBe('waiting');
  await page.getByRole('button', { name: 'Continue as Ann Lee' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Two team leads');
  await expect(page.locator('[data-watermark]')).toContainText('Ann Lee');

  await play(page).click();
  await expect.poll(() => page.evaluate<number>("document.querySelector('video').currentTime")).toBeGreaterThan(1.6);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect.poll(async () => (await linksOf(product))[0]?.interviews[0]?.watched).toBeGreaterThan(0);

  await page.getByRole('button', { name: 'Play from 0:02' }).click();
  await page.getByLabel('Add a comment').fill('A good example');
  await page.getByRole('button', { name: 'Comment at 0:02' }).click();
  await expect(page.getByText('Your comments (1)')).toBeVisible();
  await page.getByRole('button', { name: 'Interested', exact: true }).click();
  await expect(page.getByText('Saved. admin can see your decision.')).toBeVisible();
  await page.getByLabel('A note for admin (optional)').fill('When can we meet?');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();

  const stored = async () => (await linksOf(product))[0]?.interviews ?? [];
  await expect.poll(async () => (await stored())[0]?.verdictNote).toBe('When can we meet?');
  const [first, second] = await stored();
  expect(first).toMatchObject({ verdict: 'yes', comments: [{ body: 'A good example' }] });
  await page.getByRole('button', { name: 'Next candidate' }).click();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(second?.candidateName?.split(' ')[0] ?? '');
  await expect(page.getByRole('heading', { level: 2 })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('navigation')).toContainText('Interested');
});

test('The last of two quick choices is stored, also over a slow connection', async ({ page, product }) => {
  await page.goto(await share(product, await prepare(product)));
  await page.getByRole('button', { name: 'Continue as Ann Lee' }).click();
  const chosen = Promise.withResolvers<void>();
  await page.route(
    '**/verdict',
    async (route) => {
      await chosen.promise;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await route.continue();
    },
    { times: 1 },
  );
  const stored: string[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/verdict')) stored.push(response.request().postDataJSON().verdict);
  });
  await page.getByRole('button', { name: 'Interested', exact: true }).click();
  await page.getByRole('button', { name: 'Not interested' }).click();
  chosen.resolve();
  await expect.poll(() => stored).toEqual(['yes', 'no']);
  expect((await linksOf(product))[0]?.interviews[0]?.verdict).toBe('no');
});

test('The last of two quick choices is shown, also when the first could not be saved', async ({
  page,
  product,
  console,
}) => {
  console.allow(503, '/verdict');
  await page.goto(await share(product, await prepare(product)));
  await page.getByRole('button', { name: 'Continue as Ann Lee' }).click();
  const chosen = Promise.withResolvers<void>();
  await page.route(
    '**/verdict',
    async (route) => {
      await chosen.promise;
      await route.fulfill({ status: 503, json: { message: 'Not now.' } });
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Interested', exact: true }).click();
  await page.getByRole('button', { name: 'Not interested' }).click();
  chosen.resolve();
  await expect(page.getByText('Saved. admin can see your decision.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Not interested', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  expect((await linksOf(product))[0]?.interviews[0]?.verdict).toBe('no');
});

test('A video that could not be loaded can be tried again by a client', async ({ page, product, console }) => {
  console.allow(503, '/video/');
  await page.goto(await share(product, await prepare(product)));
  await page.route('**/video/*', (route) => route.fulfill({ status: 503 }), { times: 1 });
  await page.getByRole('button', { name: 'Continue as Ann Lee' }).click();
  await page.getByRole('button', { name: 'Retry' }).click();
  await play(page).click();
  await expect.poll(() => page.evaluate<number>("document.querySelector('video').currentTime")).toBeGreaterThan(0);
});

test('A note that a client has not saved is saved with the next candidate', async ({ page, product }) => {
  await page.goto(await share(product, await prepare(product)));
  await page.getByRole('button', { name: 'Continue as Ann Lee' }).click();
  await page.getByRole('button', { name: 'Maybe' }).click();
  await page.getByLabel('A note for admin (optional)').fill('After a call');
  await page.getByRole('button', { name: 'Next candidate' }).click();
  await expect
    .poll(async () => (await linksOf(product))[0]?.interviews[0])
    .toMatchObject({ verdict: 'maybe', verdictNote: 'After a call' });
  await page.getByRole('navigation').getByRole('button').first().click();
  await expect(page.getByLabel('A note for admin (optional)')).toHaveValue('After a call');
});

test('A note that a client has not saved is saved when the client reloads the page', async ({ page, product }) => {
  await page.goto(await share(product, await prepare(product)));
  await page.getByRole('button', { name: 'Continue as Ann Lee' }).click();
  await page.getByRole('button', { name: 'Maybe' }).click();
  await expect(page.getByText('Saved. admin can see your decision.')).toBeVisible();
  await page.getByLabel('A note for admin (optional)').fill('After a call');
  await page.reload();
  await expect
    .poll(async () => (await linksOf(product))[0]?.interviews[0])
    .toMatchObject({ verdict: 'maybe', verdictNote: 'After a call' });
});

test('A comment that a client has not sent is kept with its moment, for each candidate', async ({ page, product }) => {
  await page.goto(await share(product, await prepare(product)));
  await page.getByRole('button', { name: 'Continue as Ann Lee' }).click();
  const comment = page.getByLabel('Add a comment');
  await page.getByRole('button', { name: 'Play from 0:02' }).click();
  await comment.fill('A good exam');
  await page.getByRole('button', { name: 'Next candidate' }).click();
  await expect(comment).toHaveValue('');
  await comment.fill('Speaks');
  const candidates = page.getByRole('navigation').getByRole('button');
  await candidates.first().click();
  await expect(comment).toHaveValue('A good exam');
  await page.getByRole('button', { name: 'Comment at 0:02' }).click();
  await expect(page.getByText('Your comments (1)')).toBeVisible();
  await expect(comment).toHaveValue('');
  await candidates.nth(1).click();
  await expect(comment).toHaveValue('Speaks');
});

test('A link reports a wrong passcode, and stops working as soon as it is revoked', async ({
  page,
  product,
  console,
}) => {
  console.allow(401, '/open');
  console.allow(404, '/s/');
  const link = await share(product, await prepare(product), '4711');
  await page.goto(link);
  await page.getByLabel('Passcode').fill('0000');
  await page.getByRole('button', { name: 'Continue as Ann Lee' }).click();
  await expect(page.getByRole('alert')).toContainText('The passcode is wrong');
  await page.getByLabel('Passcode').fill('4711');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Two team leads');
  await product.recruiter.call('PUT', `/api/shares/${(await linksOf(product))[0]?.id}`, { revoked: true });
  await page.getByRole('button', { name: 'Maybe' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
});

test('A client does everything with the keyboard', async ({ page, product }) => {
  await page.goto(await share(product, await prepare(product)));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Two team leads');
  await page.getByRole('navigation').getByRole('button').nth(1).focus();
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { level: 2 });
  await expect(heading).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('slider', { name: 'Seek' })).toBeFocused();
  await page.keyboard.press('k');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.keyboard.press('k');
  await page.getByRole('button', { name: 'Maybe' }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('Saved. admin can see your decision.')).toBeVisible();
});

test.describe('No violation of WCAG 2.2 AA', () => {
  test.slow();

  test('No violation of WCAG 2.2 AA on the page of a link', async ({ page, product, console }) => {
    console.allow(404, '/s/unknown');
    const link = await share(product, await prepare(product), '4711');
    await page.goto(link);
    await expectAccessible(page, 'greeting');
    await page.getByLabel('Passcode').fill('4711');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Interested', exact: true }).click();
    await expect(page.getByText('Saved. admin can see your decision.')).toBeVisible();
    await expectAccessible(page, 'candidate');
    await page.goto(`${new URL(link).origin}/s/unknown`);
    await expectAccessible(page, 'link that no longer works');
  });
});

test("A recruiter shares two selected candidates with two people, and sees the client's response immediately", async ({
  page,
  product,
  signIn,
  browser,
}) => {
  await prepare(product);
  await signIn();
  await page.goto('/');
  const boxes = page.getByRole('checkbox', { name: /^Select / });
  await boxes.nth(0).check({ force: true });
  await boxes.nth(1).check({ force: true });
  await page.keyboard.press('h');
  const dialog = page.getByRole('dialog', { name: 'Share 2 candidates' });
  await dialog.getByLabel('Name of recipient 1').fill('Ann Lee');
  await dialog.getByRole('button', { name: 'Add recipient' }).click();
  await dialog.getByLabel('Name of recipient 2').fill('Bo Park');
  await dialog.getByLabel('Name of the candidate').selectOption('hidden');
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('Candidate 2');
  await dialog.getByRole('button', { name: 'Create links' }).click();
  const link = await page.getByRole('textbox', { name: 'Link of Ann Lee' }).inputValue();
  await page.keyboard.press('Escape');

  await page.getByRole('banner').getByRole('button', { name: /admin/ }).click();
  await page.getByRole('menuitem', { name: 'Links' }).click();
  const card = page.getByRole('article', { name: /^Ann Lee/ });
  await expect(card).toContainText('Not opened');
  const guest = await browser.newPage();
  await guest.goto(link);
  await guest.getByRole('button', { name: 'Continue as Ann Lee' }).click();
  await guest.getByRole('button', { name: 'Interested', exact: true }).click();
  await expectSoon('a verdict', card.getByText('Interested', { exact: true }));
  await guest.close();

  await card.getByRole('button', { name: 'Actions for the link of Ann Lee' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await expect(card).toContainText('Revoked');
});

test('A link that already lasts as long as possible cannot be extended', async ({ page, product, signIn }) => {
  const ids = await prepare(product);
  await share(product, ids);
  await signIn();
  await page.goto('/links');
  const actions = page.getByRole('button', { name: 'Actions for the link of Ann Lee' });
  const extend = page.getByRole('menuitem', { name: 'Extend by 14 days' });
  const expiry = async () => (await linksOf(product))[0]?.expiresAt ?? '';
  const before = Date.parse(await expiry());
  await actions.click();
  await extend.click();
  await expect.poll(async () => Date.parse(await expiry()) - before).toBe(14 * 86_400_000);
  const expiresAt = new Date(Date.now() + 179.5 * 86_400_000).toISOString();
  await product.recruiter.call('PUT', `/api/shares/${(await linksOf(product))[0]?.id}`, { expiresAt });
  await page.reload();
  await actions.click();
  await expect(extend).toBeDisabled();
});

test('A revoked link gets no new link until it works again', async ({ page, product, signIn }) => {
  await share(product, await prepare(product));
  await signIn();
  await page.goto('/links');
  const actions = page.getByRole('button', { name: 'Actions for the link of Ann Lee' });
  const newLink = page.getByRole('menuitem', { name: 'New link' });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await expect(page.getByRole('article')).toContainText('Revoked');
  await actions.click();
  await expect(page.getByRole('menuitem', { name: 'Restore' })).toBeVisible();
  await expect(newLink).toBeHidden();
  await page.getByRole('menuitem', { name: 'Restore' }).click();
  await expect(page.getByRole('article')).toContainText('Not opened');
  await actions.click();
  await newLink.click();
  await expect(page.getByRole('textbox', { name: 'Link of Ann Lee' })).toHaveValue(/\/s\//);
});

test('Three candidates are shared with two people with four clicks and one key, and the answers are read with two clicks', async ({
  page,
  product,
  browser,
  signIn,
}) => {
  await prepare(product);
  const { recruiter } = product;
  const listed = await recruiter.interviews();
  // The last share for this client has the choices of the next one.
  await recruiter.call('POST', '/api/shares', {
    recipients: ['Ann Lee', 'Bo Park'].map((name, nth) => ({ name, email: `${nth}@client.example` })),
    ...{ interviewIds: [listed[0]?.id], title: 'Team leads', message: 'Have a look.' },
    expiresAt: new Date(Date.now() + 14 * 86_400_000).toISOString(),
    shows: { name: 'first', contact: false, transcript: true, summary: true, questions: true },
    ...{ mayComment: true, mayDecide: true },
  });
  await signIn();
  await page.goto('/');
  const boxes = page.locator('[data-select]');
  await expect(boxes.nth(2)).toBeAttached();
  const began = Date.now();
  for (const nth of [0, 1, 2]) await boxes.nth(nth).check({ force: true });
  await page.keyboard.press('h');
  const dialog = page.getByRole('dialog', { name: 'Share 3 candidates' });
  await expect(dialog.getByLabel('Name of recipient 2')).toHaveValue('Bo Park');
  await dialog.getByRole('button', { name: 'Create links' }).click();
  const link = await page.getByRole('textbox', { name: 'Link of Ann Lee' }).inputValue();
  await expect(page.getByRole('textbox', { name: 'Link of Bo Park' })).toHaveValue(/\/s\//);
  test.info().annotations.push({ type: 'seconds', description: String((Date.now() - began) / 1000) });
  await page.keyboard.press('Escape');

  const guest = await browser.newPage();
  await guest.goto(link);
  await guest.getByRole('button', { name: 'Continue as Ann Lee' }).click();
  await guest.getByRole('button', { name: 'Interested', exact: true }).click();
  await expect(guest.getByText(/^Saved\./)).toBeVisible();
  await guest.close();
  const read = Date.now();
  await page.getByRole('banner').getByRole('button', { name: /admin/ }).click();
  await page.getByRole('menuitem', { name: 'Links' }).click();
  await expect(page.getByRole('article', { name: /^Ann Lee/ }).getByText('Interested', { exact: true })).toBeVisible();
  test.info().annotations.push({ type: 'seconds', description: String((Date.now() - read) / 1000) });
});

test.describe('No violation of WCAG 2.2 AA, for staff', () => {
  test.slow();

  test('No violation of WCAG 2.2 AA on the dialog that shares and on the links', async ({ page, product, signIn }) => {
    const ids = await prepare(product);
    await signIn();
    await page.goto(`/?dialog=share&id=${ids[0]}`);
    const dialog = page.getByRole('dialog', { name: 'Share 1 candidate' });
    await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('Available until');
    await expectAccessible(page, 'share');
    await share(product, ids);
    await page.goto('/links');
    await expect(page.getByRole('article')).toHaveCount(1);
    await expectAccessible(page, 'links');
  });
});
