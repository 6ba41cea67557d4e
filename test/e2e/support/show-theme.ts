import type { Page } from '@playwright/test';

/**
 * Switches the theme and waits for the end of animations, because text that is still fading has too
 * little contrast.
 */
export async function showTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(`(async () => {
    await new Promise(requestAnimationFrame);
    const running = document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && effect.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(running.map(({ finished }) => finished));
  })()`);
}
