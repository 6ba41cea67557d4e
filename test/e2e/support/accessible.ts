import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const DIALOG = '[role=dialog], [role=alertdialog]';

/**
 * Nothing on the page breaks a rule of WCAG 2.2 AA that a machine can check: at 1440 and 375 px, in light and dark.
 * The theme changes colours only, so in the dark only those are looked at again.
 */
export async function expectAccessible(
  page: Page,
  what: string,
  widths: readonly number[] = [1440, 375],
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await show(page, 'light');
    await expectNoViolations((await axe(page)).withTags(WCAG_22_AA), `${what}, ${width} px, light`);
    await show(page, 'dark');
    await expectNoViolations((await axe(page)).withRules(['color-contrast']), `${what}, ${width} px, dark`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/**
 * Colours change in a transition that begins with the next frame, and what inherits a colour in one of its own after that: until the
 * last has ended, some are those of the theme before.
 */
async function show(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(`(async () => {
    for (let calm = 0; calm < 3; calm += 1) {
      await new Promise(requestAnimationFrame);
      const running = document
        .getAnimations()
        .filter(({ playState, effect }) => playState === 'running' && effect.getComputedTiming().endTime !== Infinity);
      if (running.length > 0) calm = -1;
      await Promise.allSettled(running.map(({ finished }) => finished));
    }
  })()`);
}

/**
 * In the page itself: the product has no frames, and another page for every look takes longer than the look.
 * What lies behind an open dialog has had its own look.
 */
async function axe(page: Page): Promise<AxeBuilder> {
  const look = new AxeBuilder({ page }).setLegacyMode(true);
  return (await page.locator(DIALOG).count()) > 0 ? look.include(DIALOG) : look;
}

async function expectNoViolations(look: AxeBuilder, what: string): Promise<void> {
  const { violations } = await look.analyze();
  const broken = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
  expect.soft(broken, what).toEqual([]);
}
