import { mkdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { findChromium, HOW_TO_GET_CHROMIUM } from './find-chromium.ts';
import { LOGIN_SCENES, NARROW_SCENES } from './screenshots/account-scenes.ts';
import type { Scene } from './screenshots/scene.ts';
import { SCENES } from './screenshots/scenes.ts';
import { takeSourcePictures } from './screenshots/source-pictures.ts';
import { type Stage, setStage } from './screenshots/stage.ts';

const FOLDER = resolve(import.meta.dirname, '../screenshots');
/** The last size is that of a screen of 1280 × 1024 px at 400 % zoom. */
const SIZES = [
  { width: 1440, height: 900 },
  { width: 768, height: 900 },
  { width: 375, height: 812 },
  { width: 320, height: 256 },
];
const THEMES = ['light', 'dark'] as const;

type Size = (typeof SIZES)[number];

/**
 * `npm run screenshots [-- NAME... WIDTH...]`: takes pictures of every screen and dialog, or of the
 * named ones, at all or the given widths, in both themes and in forced colors, into `screenshots/`.
 * Reports scenes that fail and elements that scroll sideways.
 */
async function main(): Promise<void> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error(HOW_TO_GET_CHROMIUM);
  const wanted = process.argv.slice(2);
  const sizes = SIZES.filter(({ width }) => wanted.includes(String(width)));
  const names = wanted.filter((word) => !/^\d+$/.test(word));
  if (wanted.length === 0) await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const stage = await setStage();
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  let problems = 0;
  try {
    for (const size of sizes.length > 0 ? sizes : SIZES) problems += await shootAll(browser, stage, { size, names });
  } finally {
    await browser.close();
    await stage.stop();
  }
  console.log(`The pictures are in ${FOLDER}.`);
  process.exitCode = problems === 0 ? 0 : 1;
}

async function shootAll(
  browser: Browser,
  stage: Stage,
  { size, names }: { size: Size; names: string[] },
): Promise<number> {
  const isWanted = ({ name }: Scene) => names.length === 0 || names.includes(name);
  const context = await browser.newContext({
    baseURL: stage.address,
    viewport: size,
    reducedMotion: 'reduce',
    locale: 'en-US',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  let problems = 0;
  for (const scene of LOGIN_SCENES.filter(isWanted)) problems += await shoot(page, stage, { scene, size });
  const [name = '', value = ''] = stage.cookie.split('=');
  await context.addCookies([{ name, value, url: stage.address }]);
  const signedIn = [...SCENES, ...(size.width < 768 ? NARROW_SCENES : [])];
  for (const scene of signedIn.filter(isWanted)) problems += await shoot(page, stage, { scene, size });
  await context.close();
  return problems;
}

/** Returns the number of problems. It does not throw, so that the other scenes are still taken. */
async function shoot(page: Page, stage: Stage, { scene, size }: { scene: Scene; size: Size }): Promise<number> {
  const path = `${FOLDER}/${scene.name}-${size.width}`;
  const report = (problem: unknown) => {
    const text = problem instanceof Error ? problem.message.split('\n')[0] : problem;
    console.error(`${scene.name} at ${size.width} px: ${text}`);
  };
  try {
    await page.emulateMedia({ colorScheme: 'light' });
    await scene.show(page, stage);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${path}-${colorScheme}.png` });
    }
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
    await page.screenshot({ path: `${path}-forced-colors.png` });
    const wide = await page.evaluate<string[]>(SIDEWAYS);
    for (const what of wide) report(`scrolls sideways: ${what}`);
    return wide.length;
  } catch (error) {
    report(error);
    await page.screenshot({ path: `${path}-failed.png` });
    return 1;
  } finally {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // Drafts would be restored in other scenes.
    await page.evaluate('sessionStorage.clear()');
    await page.emulateMedia({ forcedColors: 'none' });
    await stage.reset();
  }
}

/** The elements that a user must scroll sideways, without strips of tabs. */
const SIDEWAYS = `[...document.querySelectorAll('*')]
  .filter((element) => element.scrollWidth > element.clientWidth + 1 && !element.matches('[role=tablist], nav > ul'))
  .filter((element) => element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX))
  .map((element) => element.localName + '.' + element.className)`;

await (process.argv.includes('--docs') ? takeSourcePictures() : main());
