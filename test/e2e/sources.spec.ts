import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { vendorFunnels } from '../../scripts/demo/fill-demo.ts';
import { cardOf, expect, test } from './support/journey.ts';
import { takeDocsPicture } from './support/pictures.ts';

/** The steps of docs/SOURCES.md, whose pictures `npm run screenshots -- --docs` takes here. */

test.describe.configure({ mode: 'parallel' });
// Tall enough for a whole dialog.
test.use({ viewport: { width: 1100, height: 1700 } });
test.beforeEach(({ signIn }) => signIn());

/** The product looks for due refreshes and for files in the folder every few seconds. */
const SOON = { timeout: 60_000 };
const RECORDING = fileURLToPath(import.meta.resolve('#sandbox/media/files/nurse-family.mp4'));

async function addFunnel(page: Page, source: string): Promise<Locator> {
  await page.goto('/funnels');
  await page.getByRole('button', { name: 'Add New Funnel' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add New Funnel' });
  await dialog.getByLabel('Source').selectOption(source);
  return dialog;
}

async function expectConnection(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByText(/^Connected to /)).toBeVisible();
}

test('a funnel of the interview service is tested, made active and refreshed', async ({ page, product }) => {
  const { apiKey = '', funnelId = '' } = product.sandbox.funnels[0] ?? {};
  const dialog = await addFunnel(page, 'Interview service');
  await dialog.getByLabel('Funnel Name').fill('Senior Frontend Engineer');
  await dialog.getByLabel('API Key').fill(apiKey);
  await dialog.getByLabel('Funnel ID').fill(funnelId);
  await expectConnection(dialog);
  await takeDocsPicture('source-rest', dialog);
  await dialog.getByRole('button', { name: 'Create Funnel' }).click();
  await cardOf(page, 'Senior Frontend Engineer').getByRole('button', { name: 'Set Active' }).click();
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await page.getByRole('button', { name: 'Start Refresh' }).click();
  await expect(page.getByRole('article').first()).toBeVisible();
});

for (const [source, position] of [
  ['Hireflix', 'Product Designer'],
  ['VideoAsk', 'Barista'],
] as const)
  test(`a position of ${source} is chosen from the list and tested`, async ({ page, product }) => {
    const { apiKey = '' } = vendorFunnels(product.sandbox).find(({ name }) => name === position) ?? {};
    const dialog = await addFunnel(page, source);
    await dialog.getByLabel('API Key').fill(apiKey);
    await dialog.getByRole('button', { name: 'List positions' }).click();
    await dialog.getByLabel('Position').selectOption(position);
    await expectConnection(dialog);
    await takeDocsPicture(`source-${source.toLowerCase()}`, dialog);
    await dialog.getByRole('button', { name: 'Create Funnel' }).click();
    await expect(cardOf(page, position)).toBeVisible();
  });

test('recordings are chosen for upload, and taken in from the folder of the funnel', async ({ page, product }) => {
  const form = await addFunnel(page, 'Uploaded recordings');
  await form.getByLabel('Funnel Name').fill('Night Shift Nurses');
  await form.getByRole('button', { name: 'Create Funnel' }).click();
  await cardOf(page, 'Night Shift Nurses').getByRole('button', { name: 'Upload recordings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload recordings' });
  const chosen = ['Ana Silva - Night shift nurse 2026-11-18.mp4', 'Tom Baker - Ward manager 2026-11-17.mp4'];
  await dialog
    .getByLabel(/Drop recordings here/)
    .setInputFiles(chosen.map((name) => ({ name, mimeType: 'video/mp4', buffer: Buffer.alloc(60_000) })));
  await expect(dialog.getByRole('button', { name: 'Upload 2 recordings' })).toBeVisible();
  await takeDocsPicture('source-upload', dialog);

  const folder = join(product.uploadFolder, 'night shift nurses');
  await mkdir(folder);
  await cp(RECORDING, join(folder, 'Dana Moore - Nurse 2026-11-19.mp4'));
  await page.goto('/?search=Dana+Moore');
  await expect(cardOf(page, 'Nurse')).toBeVisible(SOON);
  await takeDocsPicture('source-folder', cardOf(page, 'Nurse'));
});

test('cards show automatic refreshes that succeed, fail, and are paused', async ({ page, product }) => {
  const { recruiter, sandbox } = product;
  const [designer, barista, uploads] = vendorFunnels(sandbox);
  sandbox.control.fail({ kind: 'status', status: 503, on: 'videoask' });
  sandbox.control.fail({ kind: 'status', status: 401, on: 'hireflix' });
  await recruiter.funnel({ ...sandbox.funnels[0], refreshMinutes: 15 });
  await recruiter.funnel(designer);
  await recruiter.funnel({ ...barista, refreshMinutes: 30 });
  await recruiter.funnel(uploads);
  await page.goto('/funnels');
  await cardOf(page, 'Product Designer').getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Funnel' });
  await dialog.getByLabel('When an interview arrives').selectOption('Transcribe');
  await dialog.locator('summary', { hasText: 'Automation' }).click();
  await dialog.getByLabel('Refresh every (minutes)').fill('15');
  await dialog.getByLabel('Daily limit').fill('20');
  await dialog.getByRole('button', { name: 'Show webhook address' }).click();
  const webhookUrl = dialog.getByLabel('Webhook address');
  await expect(webhookUrl).toHaveValue(/\/hooks\/hireflix\//);
  // The real one contains the port of this run.
  await webhookUrl.evaluate((input: { value: string }) => {
    input.value = 'https://interviews.example.com/hooks/hireflix/2x9KcW…';
  });
  await dialog.getByRole('textbox', { name: 'Signing secret' }).fill('a secret of Hireflix');
  await takeDocsPicture('automation', dialog.getByRole('group', { name: 'Automation' }));
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(cardOf(page, 'Senior Frontend Engineer').getByText('Last refresh: ')).toBeVisible(SOON);
  await expect(cardOf(page, 'Barista').getByRole('alert')).toBeVisible(SOON);
  await expect(cardOf(page, 'Product Designer').getByRole('button', { name: 'Retry' })).toBeVisible(SOON);
  await takeDocsPicture('automation-cards', page.getByRole('list').filter({ has: cardOf(page, 'Barista') }));
});
