import { type BrowserContext, test as base, expect, type Locator, type Page } from '@playwright/test';
import { type ConsoleWatch, watchConsole } from './console-watch.ts';
import { type RunningProduct, startProduct } from './product.ts';

interface WorkerFixtures {
  running: RunningProduct;
}

interface Fixtures {
  /** The product without funnels and interviews. */
  product: RunningProduct;
  /** What the console of the journey's browser may say. */
  console: ConsoleWatch;
  /** Makes the journey's browser that of somebody who has signed in. */
  signIn: (context?: BrowserContext) => Promise<void>;
  /** Another browser in front of the same product, of somebody who has signed in. */
  secondBrowser: () => Promise<Page>;
}

/** A journey through the built product. Each worker has a product and a sandbox of its own. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  running: [
    async ({ playwright: _playwright }, use) => {
      const product = await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  product: async ({ running }, use) => {
    await running.reset();
    await use(running);
  },
  // Movement is for people; a journey looks at what is there when it has ended.
  contextOptions: { reducedMotion: 'reduce' },
  baseURL: async ({ running }, use) => use(running.address),
  console: [
    async ({ context }, use) => {
      const watch = watchConsole(context);
      await use(watch);
      expect(watch.problems, 'the console stays silent').toEqual([]);
    },
    { auto: true },
  ],
  signIn: async ({ context, running }, use) => {
    await use(async (where = context) => {
      const [name = '', value = ''] = running.recruiter.cookie.split('=');
      await where.addCookies([{ name, value, url: running.address, httpOnly: true, sameSite: 'Lax' }]);
    });
  },
  secondBrowser: async ({ browser, running, signIn }, use) => {
    const contexts: BrowserContext[] = [];
    const watches: ConsoleWatch[] = [];
    await use(async () => {
      const context = await browser.newContext({ baseURL: running.address, reducedMotion: 'reduce' });
      contexts.push(context);
      watches.push(watchConsole(context));
      await signIn(context);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
    expect(
      watches.flatMap(({ problems }) => problems),
      'the second console stays silent',
    ).toEqual([]);
  },
});

export { expect };

/** For what stands at the end of a step: the video host is asked every two seconds, and a busy machine takes its time. */
export const AT_THE_END = { timeout: 25_000 };

/** The toast that is shown. */
export const toastOf = (page: Page): Locator =>
  page.getByRole('region', { name: /^Notification/ }).getByRole('listitem');

/** Title and description in one look: the next toast may already be on its way. */
export const expectToast = (page: Page, title: string, description = ''): Promise<void> =>
  expect(toastOf(page).filter({ hasText: title })).toContainText(description);

/** Collects every toast from now on, also one that the next replaces at once. Call it before the page is opened. */
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
