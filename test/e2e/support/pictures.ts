import { expect, type Locator, type Page } from '@playwright/test';
import { showTheme } from './show-theme.ts';

/** The last size equals a screen of 1280 × 1024 px at 400 % zoom. */
const SIZES = [
  { width: 1440, height: 900 },
  { width: 768, height: 900 },
  { width: 375, height: 812 },
  { width: 320, height: 256 },
];

/**
 * With PICTURES, the name of a folder, takes pictures of a screen at all sizes in both themes and
 * in forced colors, and expects that nothing has to be scrolled sideways. Otherwise does nothing.
 */
export async function takePictures(page: Page, screen: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (!folder) return;
  const name = screen.replaceAll(/[^\w]+/g, '-').toLowerCase();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const theme of ['light', 'dark'] as const) {
      await showTheme(page, theme);
      await page.screenshot({ path: `${folder}/${name}-${size.width}-${theme}.png` });
    }
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
    await page.screenshot({ path: `${folder}/${name}-${size.width}-forced-colors.png` });
    await page.emulateMedia({ forcedColors: 'none' });
    expect.soft(await page.evaluate<string[]>(SIDEWAYS), `${screen}, ${size.width} px, scrolls sideways`).toEqual([]);
  }
}

/** The elements that a user must scroll sideways, without strips of tabs. */
const SIDEWAYS = `[...document.querySelectorAll('*')]
  .filter((element) => element.scrollWidth > element.clientWidth + 1 && !element.matches('[role=tablist], nav > ul'))
  .filter((element) => element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX))
  .map((element) => element.localName + '.' + element.className)`;

/** With DOCS_PICTURES, the name of a folder, takes a picture for the documentation. */
export async function takeDocsPicture(name: string, element: Locator): Promise<void> {
  const folder = process.env.DOCS_PICTURES;
  if (!folder) return;
  // Toasts of earlier steps would cover the element.
  await expect(element.page().locator('[aria-live=off] li')).toHaveCount(0);
  await element.screenshot({ path: `${folder}/${name}.webp`, type: 'webp', quality: 85 });
}
