import type { Browser, Page } from '@playwright/test';
import type { BenchProduct } from '../product.ts';

/** Measurements since the previous call. Times are in milliseconds. */
export interface Responsiveness {
  /** From a keystroke to the next frame (Event Timing). */
  keys: number[];
  /** Sum of layout shifts (Layout Instability), except within 500 ms after an input. */
  shift: number;
  longTasks: number[];
  /** Time between frames. */
  frameGaps: number[];
}

/** Collects performance entries. The browser omits events shorter than 16 ms. */
const WATCH = `(() => {
  const fresh = () => ({ events: [], shift: 0, longTasks: [], frameGaps: [] });
  let seen = fresh();
  const watch = (type, each, options = {}) => {
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(each));
    observer.observe({ type, buffered: true, ...options });
    return () => observer.takeRecords().forEach(each);
  };
  const flush = [
    watch('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.shift += entry.value; }),
    watch('longtask', (entry) => seen.longTasks.push(entry.duration)),
    watch('event', (entry) => {
      if (entry.interactionId && entry.name.startsWith('key')) seen.events.push([entry.interactionId, entry.duration]);
    }, { durationThreshold: 16 }),
  ];
  let before;
  const frame = (now) => {
    if (before !== undefined) seen.frameGaps.push(now - before);
    before = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.takeMeasurements = () => {
    flush.forEach((each) => each());
    const taken = seen;
    seen = fresh();
    return taken;
  };
})()`;

/** Assumed for keystrokes that the browser omits. */
const UNREPORTED_MS = 16;

/** Opens a signed-in page and measures it from its first moment. */
export async function watchPage(browser: Browser, { address, cookie }: BenchProduct): Promise<WatchedPage> {
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
  });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: address }]);
  await context.addInitScript(WATCH);
  const page = await context.newPage();
  let messages = 0;
  page.on('websocket', (socket) => socket.on('framereceived', () => (messages += 1)));
  return {
    page,
    messages: () => messages,
    async measure(keystrokes = 0) {
      // The browser reports an event after its frame was shown.
      await page.waitForTimeout(300);
      const { events, ...rest } = await page.evaluate<Omit<Responsiveness, 'keys'> & { events: [number, number][] }>(
        'takeMeasurements()',
      );
      const longest = new Map<number, number>();
      for (const [id, duration] of events) longest.set(id, Math.max(duration, longest.get(id) ?? 0));
      const reported = [...longest.values()].slice(0, keystrokes);
      return { ...rest, keys: [...reported, ...Array(keystrokes - reported.length).fill(UNREPORTED_MS)] };
    },
    close: () => context.close(),
  };
}

export interface WatchedPage {
  page: Page;
  /** Returns the number of received live messages. */
  messages(): number;
  /** Returns the measurements since the last call. `keystrokes` is the number of keys pressed. */
  measure(keystrokes?: number): Promise<Responsiveness>;
  close(): Promise<void>;
}
