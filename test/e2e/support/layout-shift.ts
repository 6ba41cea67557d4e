import type { Page } from '@playwright/test';

const WATCH = `(() => {
  let shift = 0;
  const each = (entry) => { if (!entry.hadRecentInput) shift += entry.value; };
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(each));
  observer.observe({ type: 'layout-shift', buffered: true });
  window.takeShift = () => {
    observer.takeRecords().forEach(each);
    const told = shift;
    shift = 0;
    return told;
  };
})()`;

/** The browser tells of a movement once its picture is shown. */
const SETTLED_MS = 300;

/**
 * Watches every page that is opened from now on, and returns how much has moved unexpectedly since it was last asked (Layout
 * Instability; what follows an input within 500 ms does not count).
 */
export async function watchShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(WATCH);
  return async () => {
    await page.waitForTimeout(SETTLED_MS);
    return page.evaluate<number>('takeShift()');
  };
}
