import type { Page } from '@playwright/test';

const WATCH = `(() => {
  let shift = 0;
  const each = (entry) => { if (!entry.hadRecentInput) shift += entry.value; };
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(each));
  observer.observe({ type: 'layout-shift', buffered: true });
  window.takeShift = () => {
    observer.takeRecords().forEach(each);
    const total = shift;
    shift = 0;
    return total;
  };
})()`;

/** The browser reports a shift only after the frame was painted. */
const REPORT_DELAY_MS = 300;

/**
 * Measures unexpected layout shifts (Layout Instability API) of pages opened from now on. The
 * returned function resolves to the shift since its last call. Shifts within 500 ms of an input do
 * not count.
 */
export async function watchShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(WATCH);
  return async () => {
    await page.waitForTimeout(REPORT_DELAY_MS);
    return page.evaluate<number>('takeShift()');
  };
}
