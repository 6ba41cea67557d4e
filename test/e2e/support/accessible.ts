import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';
import { takePictures } from './pictures.ts';
import { showTheme } from './show-theme.ts';

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Half the size of `axe.source`. */
const axeSource = readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const WIDE = { width: 1440, height: 900 };
const OVERLAY = '[role=dialog], [role=alertdialog], [role=menu]';

interface AccessibleOptions {
  /** In px. Default: 1440 and 375. */
  widths?: readonly number[];
  /**
   * A CSS selector of what is new on a page that was checked before. Default: the open dialog or
   * menu, otherwise the whole page.
   */
  part?: string;
}

/**
 * Expects no violation of WCAG 2.2 AA that axe can detect: all rules at each width in the light
 * theme, and contrast at the first width in the dark theme, which changes colors only.
 */
export async function expectAccessible(
  page: Page,
  screen: string,
  { widths = [1440, 375], part = OVERLAY }: AccessibleOptions = {},
): Promise<void> {
  await prepare(page);
  for (const [index, width] of widths.entries()) {
    await page.setViewportSize({ ...WIDE, width });
    await showTheme(page, 'light');
    await expectNoViolations(page, `${screen}, ${width} px, light`, { part, type: 'tag', values: WCAG_22_AA });
    if (index > 0) continue;
    await showTheme(page, 'dark');
    await expectNoViolations(page, `${screen}, ${width} px, dark`, { part, type: 'rule', values: ['color-contrast'] });
  }
  await takePictures(page, screen);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(WIDE);
}

/**
 * Adds axe, and ends transitions: transitions of nested elements run one after another, which takes
 * longer than axe.
 */
async function prepare(page: Page): Promise<void> {
  if (await page.evaluate<boolean>("'axe' in window")) return;
  await page.evaluate(`{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after, ::backdrop { transition: none !important; }');
    document.adoptedStyleSheets.push(sheet);
  }`);
  await page.evaluate(await axeSource);
}

type Check = axe.RunOnly & { part: string };

/**
 * Runs axe in the page, because the product has no frames. Only violations are reported: describing
 * everything that passed takes longer than the rules. Behind an open dialog or menu nothing is
 * checked again. Without the duration of a video, the rule against videos that start on their own
 * warns.
 */
async function expectNoViolations(page: Page, screen: string, { part, ...runOnly }: Check): Promise<void> {
  const options: axe.RunOptions = { runOnly, resultTypes: ['violations'], preload: false };
  const violations = await page.evaluate<string[]>(`(async () => {
    await Promise.all(
      [...document.querySelectorAll('video')]
        .filter(({ duration }) => !duration)
        .map((video) => new Promise((resolve) => video.addEventListener('durationchange', resolve, { once: true }))),
    );
    const part = ${JSON.stringify(part)};
    if (!document.querySelector(part) && part !== '${OVERLAY}') throw new Error('Nothing matches ' + part);
    const context = document.querySelector(part) ? { include: [part] } : document;
    const { violations } = await axe.run(context, ${JSON.stringify(options)});
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ': ' + failureSummary),
    );
  })()`);
  expect.soft(violations, screen).toEqual([]);
}
