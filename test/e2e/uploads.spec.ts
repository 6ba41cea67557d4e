import { fileURLToPath } from 'node:url';
import { clickAndAwaitResponse, expect, test } from './support/journey.ts';

const RECORDING = fileURLToPath(import.meta.resolve('#sandbox/media/files/eng-microphone-off.mp4'));

test.beforeEach(({ signIn }) => signIn());

test('a recording is uploaded, resumed after a reload, and played', async ({ page, product, console }) => {
  console.allow('cut', '/api/uploads/');
  await page.goto('/funnels');
  await page.getByRole('button', { name: 'Add New Funnel' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add New Funnel' });
  await form.getByLabel('Source').selectOption('Uploaded recordings');
  await expect(form.getByLabel('API Key')).toBeHidden();
  await form.getByLabel('Funnel Name').fill('Night nurses');
  await form.getByRole('button', { name: 'Create Funnel' }).click();
  await clickAndAwaitResponse(page.getByRole('button', { name: 'Set Active' }).first(), '/activate');
  await expect(page.getByRole('button', { name: 'Set Active' })).toHaveCount(0);
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Refresh', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Upload recordings' }).click();

  const dialog = page.getByRole('dialog', { name: 'Upload recordings' });
  // The connection breaks before a byte arrives.
  let isBroken = true;
  await page.route('**/api/uploads/*/content', (route) => (isBroken ? route.abort() : route.fallback()));
  await dialog.getByLabel(/Drop recordings here/).setInputFiles(RECORDING);
  await dialog.getByLabel('Candidate name').fill('Dana Moore');
  page.once('dialog', (question) => question.accept());
  await dialog.getByRole('button', { name: 'Upload 1 recording' }).click();
  await expect(dialog.getByRole('progressbar')).toBeVisible();
  await expect.poll(async () => (await product.recruiter.call<unknown[]>('GET', '/api/uploads')).length).toBe(1);
  // Not before the reload: the browser repeats what failed.
  await page.reload();
  // Not with `unroute`: a request of the new page that it interrupts gets no response.
  isBroken = false;
  await expect(dialog.getByText(/Choose the same file again to resume/)).toBeVisible();
  await dialog.getByLabel(/Drop recordings here/).setInputFiles(RECORDING);
  await expect(dialog.getByText('Added.')).toBeVisible({ timeout: 15_000 });
  await dialog.getByRole('button', { name: 'Close' }).first().click();

  const card = page.getByRole('article').filter({ hasText: 'Dana Moore' });
  await expect(card.locator('img')).toHaveJSProperty('complete', true);
  await card.getByRole('button', { name: /^Play/ }).click();
  await expect(page.getByRole('dialog').locator('video')).toHaveJSProperty('readyState', 4);
});

test('a newcomer adds the sample recording, opens it from the upload and plays it', async ({ page, product }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Try with a sample recording' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload recordings' });
  await expect(dialog.getByText('Added.')).toBeVisible({ timeout: 15_000 });
  await dialog.getByRole('link', { name: 'Open' }).click();
  const player = page.getByRole('dialog', { name: 'Warehouse Team Lead' });
  await expect(player.locator('video')).toHaveJSProperty('readyState', 4);
  expect(await product.recruiter.call('GET', '/api/funnels')).toMatchObject([
    { name: 'Sample', source: 'upload', isActive: true, interviewCount: 1 },
  ]);
});
