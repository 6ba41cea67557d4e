import { mkdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { findChromium, HOW_TO_GET_CHROMIUM } from './find-chromium.mjs';
import { NARROW_SCENES, OPEN_SCENES, SCENES, type Scene } from './screenshots/scenes.ts';
import { takeSourcePictures } from './screenshots/source-pictures.ts';
import { type Stage, setStage } from './screenshots/stage.ts';

const FOLDER = resolve(import.meta.dirname, '../screenshots');
const WIDTHS = [1440, 768, 375];
const THEMES = ['light', 'dark'] as const;

/**
 * `npm run screenshots [-- NAME...]`: takes pictures of every screen and dialog, or of the
 * named ones, at three widths in both themes, and in forced colors, into `screenshots/`.
 */
async function main(): Promise<void> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error(HOW_TO_GET_CHROMIUM);
  const wanted = process.argv.slice(2);
  if (wanted.length === 0) await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const stage = await setStage();
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  let failures = 0;
  try {
    for (const width of WIDTHS) failures += await shootAll(browser, stage, { width, wanted });
  } finally {
    await browser.close();
    await stage.stop();
  }
  console.log(`The pictures are in ${FOLDER}.`);
  process.exitCode = failures === 0 ? 0 : 1;
}

async function shootAll(
  browser: Browser,
  stage: Stage,
  { width, wanted }: { width: number; wanted: string[] },
): Promise<number> {
  const isWanted = ({ name }: Scene) => wanted.length === 0 || wanted.includes(name);
  const context = await browser.newContext({
    baseURL: stage.address,
    viewport: { width, height: width === 375 ? 812 : 900 },
    reducedMotion: 'reduce',
    locale: 'en-US',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  let failures = 0;
  for (const scene of OPEN_SCENES.filter(isWanted)) failures += await shoot(page, stage, { scene, width });
  const [name = '', value = ''] = stage.cookie.split('=');
  await context.addCookies([{ name, value, url: stage.address }]);
  const signedIn = [...SCENES, ...(width < 768 ? NARROW_SCENES : [])];
  for (const scene of signedIn.filter(isWanted)) failures += await shoot(page, stage, { scene, width });
  await context.close();
  return failures;
}

/** Returns 1 when the scene cannot be shown; the others are still taken. */
async function shoot(page: Page, stage: Stage, { scene, width }: { scene: Scene; width: number }): Promise<number> {
  try {
    await page.emulateMedia({ colorScheme: 'light' });
    await scene.show(page, stage);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${FOLDER}/${scene.name}-${width}-${colorScheme}.png` });
    }
    if (width === WIDTHS[0]) {
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
      await page.screenshot({ path: `${FOLDER}/${scene.name}-${width}-forced-colors.png` });
    }
    return 0;
  } catch (error) {
    console.error(`${scene.name} at ${width} px: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
    return 1;
  } finally {
    await page.unrouteAll();
    await page.emulateMedia({ forcedColors: 'none' });
    await stage.calm();
  }
}

await (process.argv.includes('--docs') ? takeSourcePictures() : main());
