import type { Browser, Page } from '@playwright/test';
import type { BenchProduct } from '../product.ts';

/** What a page felt like since it was last asked. Times in milliseconds. */
export interface Felt {
  /** From a key to the next picture, one for each keystroke (Event Timing). */
  keys: number[];
  /** Unexpected movement, all of it added up (Layout Instability; what follows an input within 500 ms does not count). */
  shift: number;
  longTasks: number[];
  /** Between one picture and the next. */
  frameGaps: number[];
}

/** Keeps what the browser observes. Events that take less than 16 ms are not told by the browser. */
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
  window.takeFelt = () => {
    flush.forEach((each) => each());
    const told = seen;
    seen = fresh();
    return told;
  };
})()`;

/** The least that the browser tells; a keystroke that it does not tell took no longer. */
const UNTOLD_MS = 16;

/** A signed-in page of its own, watched from its first moment. */
export async function watchedPage(browser: Browser, { address, cookie }: BenchProduct): Promise<WatchedPage> {
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
    async felt(keystrokes = 0) {
      // The browser tells of an event once its picture is shown.
      await page.waitForTimeout(300);
      const { events, ...felt } = await page.evaluate<Omit<Felt, 'keys'> & { events: [number, number][] }>(
        'takeFelt()',
      );
      const longest = new Map<number, number>();
      for (const [id, duration] of events) longest.set(id, Math.max(duration, longest.get(id) ?? 0));
      const told = [...longest.values()].slice(0, keystrokes);
      return { ...felt, keys: [...told, ...Array(keystrokes - told.length).fill(UNTOLD_MS)] };
    },
    close: () => context.close(),
  };
}

export interface WatchedPage {
  page: Page;
  /** How many live messages it has received. */
  messages(): number;
  /** What it felt like since the last call, in which somebody struck so many keys. */
  felt(keystrokes?: number): Promise<Felt>;
  close(): Promise<void>;
}
