import { type BrowserContext, test as base, expect, type Locator, type Page, type Response } from '@playwright/test';
import type { Funnel } from '#contracts/funnels.ts';
import { type ConsoleWatch, watchConsole } from './console-watch.ts';
import { type RunningProduct, startProduct } from './product.ts';

interface TwoFunnels {
  product: RunningProduct;
  nursing: Funnel;
  warehouse: Funnel;
}

interface WorkerFixtures {
  running: RunningProduct;
  /** The data that the last journey left unchanged, if it did. */
  shared: { name: string; data: unknown };
}

interface Fixtures {
  /** The product without funnels and interviews. */
  product: RunningProduct;
  /**
   * Returns what `create` has returned for this name. Journeys of a worker share this data, so they
   * must not change it.
   */
  shareData: <Data>(name: string, create: (product: RunningProduct) => Promise<Data>) => Promise<Data>;
  /** Shared: eight nurses and four team leads; the funnel of the nurses is active. */
  twoFunnels: TwoFunnels;
  /**
   * Lets pages fetch all parts while the browser is idle. False by default: it uses the processor,
   * and a journey opens few of these parts.
   */
  prefetchesParts: boolean;
  console: ConsoleWatch;
  /** Signs the browser in with the session cookie of the recruiter. */
  signIn: (context?: BrowserContext) => Promise<void>;
  /** Opens a page in another signed-in browser. */
  secondBrowser: () => Promise<Page>;
}

const NEVER_IDLE = 'window.requestIdleCallback = () => 0';

/** A journey through the built product. Each worker has its own product and sandbox. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  running: [
    async ({ playwright: _playwright }, use) => {
      const product = await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a destructured parameter
  shared: [async ({}, use) => use({ name: '', data: null }), { scope: 'worker' }],
  product: async ({ running, shared }, use) => {
    shared.name = '';
    await running.reset();
    await use(running);
  },
  shareData: async ({ running, shared }, use) => {
    await use(async (name, create) => {
      if (shared.name !== name) {
        shared.name = '';
        await running.reset();
        Object.assign(shared, { data: await create(running), name });
      }
      return shared.data as Awaited<ReturnType<typeof create>>;
    });
  },
  twoFunnels: async ({ shareData }, use) => use(await shareData('two funnels', createTwoFunnels)),
  // Journeys check the result of an animation, not its course.
  contextOptions: { reducedMotion: 'reduce' },
  prefetchesParts: [false, { option: true }],
  context: async ({ context, prefetchesParts }, use) => {
    if (!prefetchesParts) await context.addInitScript(NEVER_IDLE);
    await use(context);
  },
  baseURL: async ({ running }, use) => use(running.url),
  console: [
    async ({ context }, use) => {
      const watch = watchConsole(context);
      await use(watch);
      expect(watch.problems, 'console errors').toEqual([]);
    },
    { auto: true },
  ],
  signIn: async ({ context, running }, use) => {
    await use(async (target = context) => {
      const [name = '', value = ''] = running.recruiter.cookie.split('=');
      await target.addCookies([{ name, value, url: running.url, httpOnly: true, sameSite: 'Lax' }]);
    });
  },
  secondBrowser: async ({ browser, running, signIn }, use) => {
    const contexts: BrowserContext[] = [];
    const watches: ConsoleWatch[] = [];
    await use(async () => {
      const context = await browser.newContext({ baseURL: running.url, reducedMotion: 'reduce' });
      await context.addInitScript(NEVER_IDLE);
      contexts.push(context);
      watches.push(watchConsole(context));
      await signIn(context);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
    expect(
      watches.flatMap(({ problems }) => problems),
      'console errors of the other browser',
    ).toEqual([]);
  },
});

/** Creates the data of the fixture `twoFunnels`. */
export async function createTwoFunnels(product: RunningProduct): Promise<TwoFunnels> {
  const { recruiter, sandbox } = product;
  const [nursing, warehouse] = await recruiter.connect(sandbox.funnels[2], sandbox.funnels[3]);
  if (!nursing || !warehouse) throw new Error('The sandbox lacks a funnel.');
  await recruiter.refresh(nursing, warehouse);
  return { product, nursing, warehouse };
}

export { expect };

/** The end of a step takes longer than an action: the video host is polled every two seconds. */
export const STEP_TIMEOUT = { timeout: 25_000 };

/**
 * Waits for what another browser has caused, and reports how long it took: the aim is two seconds,
 * which a busy machine may miss.
 */
export async function expectSoon(what: string, locator: Locator): Promise<void> {
  const began = Date.now();
  await expect(locator).toBeVisible({ timeout: 20_000 });
  test.info().annotations.push({ type: 'milliseconds', description: `${what}: ${Date.now() - began}` });
}

/** The toast that is shown. */
export const toastOf = (page: Page): Locator =>
  page.getByRole('region', { name: /^Notification/ }).getByRole('listitem');

/** Checks title and description in one query, because the next toast can replace this one. */
export const expectToast = (page: Page, title: string, description = ''): Promise<void> =>
  expect(toastOf(page).filter({ hasText: title })).toContainText(description);

/**
 * Clicks and waits for the response of a URL with `path`. The page shows the result of some
 * actions before the response; a page load in between would cancel the request.
 */
export async function clickAndAwaitResponse(button: Locator, path: string): Promise<void> {
  const isResponse = (response: Response) => response.url().includes(path) && response.ok();
  await Promise.all([button.page().waitForResponse(isResponse), button.click()]);
}

/** Collects all toasts, including quickly replaced ones. Call it before the page is opened. */
export async function recordToasts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(`
    window.toastsSeen = [];
    new MutationObserver(() => {
      const text = document.querySelector('[aria-label^="Notification"] li')?.textContent;
      if (text && text !== window.toastsSeen.at(-1)) window.toastsSeen.push(text);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  `);
  return () => page.evaluate('window.toastsSeen');
}

/** The card, or the row of the compact layout, of an interview or a funnel. */
export const cardOf = (page: Page, title: string | RegExp): Locator => page.getByRole('article', { name: title });

/** Opens a card's menu and chooses from it. */
export async function chooseAction(card: Locator, action: string): Promise<void> {
  await card.getByRole('button', { name: /^Actions for/ }).click();
  await card.page().getByRole('menuitem', { name: action }).click();
}
