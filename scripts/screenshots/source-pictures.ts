import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium, type Locator, type Page } from '@playwright/test';
import { MEDIA_DIR } from '#sandbox/interviews/recordings.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import { CREDENTIALS, startProduct } from '../../test/e2e/support/product.ts';
import { findChromium, HOW_TO_GET_CHROMIUM } from '../find-chromium.ts';

const IMAGES = resolve(import.meta.dirname, '../../docs/images');
/** Tall enough for a whole dialog. */
const VIEWPORT = { width: 1100, height: 1700 };
const QUALITY = 85;
/** Automatic refreshes and the folder are looked for every few seconds. */
const PATIENCE_MS = 60_000;
const RECORDING = 'Dana Moore - Nurse 2026-11-19.mp4';
const UPLOADS = 'Night Shift Nurses';

interface Tour {
  page: Page;
  sandbox: Sandbox;
  uploadFolder: string;
}

/** Follows docs/SOURCES.md from an empty product, and takes its pictures into `docs/images`. */
export async function takeSourcePictures(): Promise<void> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error(HOW_TO_GET_CHROMIUM);
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  const uploadFolder = await mkdtemp(join(tmpdir(), 'interviews-pictures-'));
  const { address, sandbox, stop } = await startProduct({ UPLOAD_FOLDER: uploadFolder });
  try {
    const page = await browser.newPage({ baseURL: address, viewport: VIEWPORT, locale: 'en-US' });
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    const tour = { page, sandbox, uploadFolder };
    await signIn(page);
    for (const part of [showRest, showHireflix, showVideoAsk, showUploads, showFolder, showAutomation])
      await part(tour);
  } finally {
    await browser.close();
    await stop();
    await rm(uploadFolder, { recursive: true, force: true });
  }
  console.log(`The pictures are in ${IMAGES}.`);
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByLabel('Username').fill(CREDENTIALS.username);
  await page.getByLabel('Password').fill(CREDENTIALS.password);
  await button(page, 'Sign in').click();
  await page.getByRole('link', { name: 'Funnels' }).click();
}

async function showRest({ page, sandbox }: Tour): Promise<void> {
  const [funnel] = sandbox.funnels;
  const dialog = await addFunnel(page, 'Interview service');
  await dialog.getByLabel('Funnel Name').fill('Senior Frontend Engineer');
  await dialog
    .getByLabel('API Key', { exact: false })
    .first()
    .fill(funnel?.apiKey ?? '');
  await dialog.getByLabel('Funnel ID').fill(funnel?.funnelId ?? '');
  await test(dialog);
  await shoot('source-rest', dialog);
  await button(dialog, 'Create Funnel').click();
  await button(card(page, 'Senior Frontend Engineer'), 'Set Active').click();
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await button(page, 'Refresh').click();
  await button(page, 'Start Refresh').click();
  await page.getByRole('article').first().waitFor();
  await page.getByRole('link', { name: 'Funnels' }).click();
}

const showHireflix = ({ page, sandbox }: Tour) =>
  showVendor(page, {
    name: 'Hireflix',
    apiKey: sandbox.hireflix.apiKey,
    position: 'Product Designer',
    picture: 'source-hireflix',
  });

const showVideoAsk = ({ page, sandbox }: Tour) =>
  showVendor(page, {
    name: 'VideoAsk',
    apiKey: sandbox.videoask.organization,
    position: 'Barista',
    picture: 'source-videoask',
  });

interface Vendor {
  name: string;
  apiKey: string;
  position: string;
  picture: string;
}

async function showVendor(page: Page, { name, apiKey, position, picture }: Vendor): Promise<void> {
  const dialog = await addFunnel(page, name);
  await dialog.getByLabel('API Key', { exact: false }).first().fill(apiKey);
  await button(dialog, 'List positions').click();
  await dialog.getByLabel('Position').selectOption(position);
  await test(dialog);
  await shoot(picture, dialog);
  await button(dialog, 'Create Funnel').click();
  await card(page, position).waitFor();
}

async function showUploads({ page }: Tour): Promise<void> {
  const form = await addFunnel(page, 'Uploaded recordings');
  await form.getByLabel('Funnel Name').fill(UPLOADS);
  await button(form, 'Create Funnel').click();
  await button(card(page, UPLOADS), 'Upload recordings').click();
  const dialog = page.getByRole('dialog');
  const buffer = await readFile(new URL('eng-microphone-off.mp4', MEDIA_DIR));
  await dialog.getByLabel('Drop recordings here, or choose files').setInputFiles(
    ['Ana Silva - Night shift nurse 2026-11-18.mp4', 'Tom Baker - Ward manager 2026-11-17.mp4'].map((name) => ({
      name,
      mimeType: 'video/mp4',
      buffer,
    })),
  );
  await button(dialog, 'Upload 2 recordings').waitFor();
  await shoot('source-upload', dialog);
  await page.goto('/funnels');
}

async function showFolder({ page, uploadFolder }: Tour): Promise<void> {
  const folder = join(uploadFolder, UPLOADS.toLowerCase());
  await mkdir(folder);
  await cp(new URL('nurse-family.mp4', MEDIA_DIR), join(folder, RECORDING));
  await page.goto('/?search=Dana+Moore');
  const interview = page.getByRole('article', { name: 'Nurse' });
  await interview.waitFor({ timeout: PATIENCE_MS });
  await shoot('source-folder', interview);
  await page.goto('/funnels');
}

async function showAutomation({ page, sandbox }: Tour): Promise<void> {
  await refreshEvery(page, 'Senior Frontend Engineer', 15);
  sandbox.control.fail({ kind: 'status', status: 503, on: 'videoask' });
  await refreshEvery(page, 'Barista', 30);
  const dialog = await edit(page, 'Product Designer');
  await dialog.getByLabel('When an interview arrives').selectOption('Transcribe');
  await dialog.locator('summary').click();
  await dialog.getByLabel('Refresh every (minutes)').fill('15');
  await dialog.getByLabel('Daily limit').fill('20');
  await button(dialog, 'Show webhook address').click();
  const address = dialog.getByLabel('Webhook address');
  await address.waitFor();
  // The real one is a secret of this product and contains its port.
  await address.evaluate((input: { value: string }) => {
    input.value = 'https://interviews.example.com/hooks/hireflix/2x9KcW…';
  });
  await dialog.getByRole('textbox', { name: 'Signing secret' }).fill('a secret of Hireflix');
  await shoot('automation', dialog.getByRole('group', { name: 'Automation' }));
  sandbox.control.fail({ kind: 'status', status: 401, on: 'hireflix' });
  await button(dialog, 'Save Changes').click();
  await card(page, 'Product Designer').getByRole('alert').waitFor({ timeout: PATIENCE_MS });
  await card(page, 'Barista').getByRole('alert').waitFor({ timeout: PATIENCE_MS });
  await card(page, 'Senior Frontend Engineer').getByText('Last refresh: ').waitFor({ timeout: PATIENCE_MS });
  await page.goto('/funnels');
  await card(page, 'Product Designer').getByRole('alert').waitFor();
  await shoot('automation-cards', page.getByRole('list').filter({ has: card(page, 'Barista') }));
}

async function refreshEvery(page: Page, name: string, minutes: number): Promise<void> {
  const dialog = await edit(page, name);
  await dialog.locator('summary').click();
  await dialog.getByLabel('Refresh every (minutes)').fill(String(minutes));
  await button(dialog, 'Save Changes').click();
  await dialog.waitFor({ state: 'hidden' });
}

async function edit(page: Page, name: string): Promise<Locator> {
  await button(card(page, name), 'Edit').click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return dialog;
}

async function addFunnel(page: Page, source: string): Promise<Locator> {
  await button(page, 'Add New Funnel').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Source').selectOption(source);
  return dialog;
}

async function test(dialog: Locator): Promise<void> {
  await button(dialog, 'Test connection').click();
  await dialog.getByText(/^Connected to /).waitFor();
}

const button = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true }).first();
const card = (page: Page, name: string) => page.getByRole('article', { name });

/** WebP of the browser: a picture of a dialog has about 30 KB. */
async function shoot(name: string, element: Locator): Promise<void> {
  const page = element.page();
  // Messages of earlier steps would cover the element.
  await page.locator('[aria-live=off] li').first().waitFor({ state: 'hidden' });
  const clip = await element.boundingBox();
  if (!clip) throw new Error(`There is nothing to see for ${name}.`);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    clip: { ...clip, scale: 1 },
  });
  await writeFile(join(IMAGES, `${name}.webp`), Buffer.from(data, 'base64'));
}
