import type { Locator, Page } from '@playwright/test';
import { cardOf, chooseAction, expect, test, toastOf } from './support/journey.ts';
import { watchShift } from './support/layout-shift.ts';

test.describe.configure({ mode: 'parallel' });

const LONG = 'A very long title that does not fit into two lines of a card '.repeat(6).trim();

/** Returns the number of columns of a grid at a width of the window. */
async function columnsAt(page: Page, grid: Locator, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 900 });
  return grid.evaluate((element) => {
    const tops = [...(element as unknown as { children: Iterable<{ offsetTop: number }> }).children];
    return tops.filter(({ offsetTop }) => offsetTop === tops[0]?.offsetTop).length;
  });
}

const boxesOf = async (elements: Locator) => {
  const boxes = await Promise.all((await elements.all()).map((element) => element.boundingBox()));
  return boxes.filter((box) => box !== null);
};

/** Returns the number of visible lines of a text, and of all its lines. */
const linesOf = (text: Locator) =>
  text.evaluate((element) => {
    const { clientHeight, scrollHeight } = element as unknown as { clientHeight: number; scrollHeight: number };
    const lineHeight = Number.parseFloat(getComputedStyle(element as never).lineHeight);
    return { shown: Math.round(clientHeight / lineHeight), all: Math.round(scrollHeight / lineHeight) };
  });
declare const getComputedStyle: (element: never) => { lineHeight: string; backgroundColor: string };

test('the footer of a page does not jump when its content appears, at 375 px', async ({ page, product, signIn }) => {
  for (let n = 0; n < 6; n += 1) {
    const person = { username: `riley-${n}`, role: 'reviewer', allFunnels: true, funnelIds: [] };
    await product.recruiter.call('POST', '/api/accounts', person);
  }
  await signIn();
  await page.setViewportSize({ width: 375, height: 800 });
  const shift = await watchShift(page);
  await page.route('**/api/{accounts,funnels,shares}*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  for (const [path, content] of [
    ['/accounts', 'riley-5'],
    ['/funnels', 'No funnels found'],
    ['/links', 'No links yet'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(content).first()).toBeVisible();
    expect.soft(await shift(), path).toBeLessThan(0.02);
  }
});

test('the login card is in the middle of the screen', async ({ page }) => {
  await page.goto('/login');
  await page.setViewportSize({ width: 1440, height: 900 });
  const title = page.getByRole('heading', { name: 'Video Interview Management' });
  await expect(page.getByText('Default credentials')).toBeVisible();
  const card = await title.locator('..').boundingBox();
  if (!card) throw new Error('The card is not shown.');
  expect(Math.abs(card.x + card.width / 2 - 720)).toBeLessThan(2);
  expect(Math.abs(card.y + card.height / 2 - 450)).toBeLessThan(2);
  expect(card.width).toBeLessThan(500);
});

/** Returns the scripts of the first load, which the HTML page names, by URL. */
async function namedScripts(page: Page): Promise<Map<string, string>> {
  const html = await (await page.request.get('/')).text();
  const scripts = new Map<string, string>();
  for (const [path] of html.matchAll(/\/assets\/[\w-]+\.js/g))
    scripts.set(path, await (await page.request.get(path)).text());
  return scripts;
}

test('the page names every script of the dashboard, so that all load in parallel, and none contains the schemas', async ({
  page,
}) => {
  const named = await namedScripts(page);
  expect(named.size).toBeGreaterThan(0);
  for (const [path, script] of named) {
    const imported = [...script.matchAll(/(?:from|import)\s*["'`]\.\/([\w-]+\.js)["'`]/g)];
    for (const [, file] of imported) expect([...named.keys()], path).toContain(`/assets/${file}`);
    expect(script, path).not.toContain('ZodObject');
  }
});

/** Parts that load on first use, a string that only their scripts contain, and their use. */
const LOADED_WHEN_USED: [string, string, (page: Page, card: Locator) => Promise<void>][] = [
  [
    'the player',
    'playbackRate',
    async (page, card) => {
      await card.getByRole('button', { name: /^Play / }).click();
      await expect(page.locator('video')).toBeVisible();
    },
  ],
  [
    'the calendar',
    'rdp-',
    async (page) => {
      await page.getByRole('button', { name: 'Any date range' }).click();
      await expect(page.getByRole('grid')).toHaveCount(2);
    },
  ],
  [
    'a dialog',
    'No questions available',
    async (page, card) => {
      await chooseAction(card, 'View Questions');
      await expect(page.getByRole('dialog', { name: 'Interview Questions' })).toBeVisible();
    },
  ],
];

for (const [what, word, use] of LOADED_WHEN_USED) {
  test(`${what} is loaded on first use, not with the dashboard`, async ({ page, twoFunnels, signIn }) => {
    await signIn();
    const [first] = await twoFunnels.product.recruiter.interviews();
    for (const [path, script] of await namedScripts(page)) expect(script.includes(word), path).toBe(false);

    const loaded = new Map<string, Promise<string>>();
    page.on('response', (response) => {
      if (/\/assets\/[\w-]+\.js$/.test(response.url())) loaded.set(response.url(), response.text());
    });
    /** Returns the loaded scripts that contain the string. */
    const loadedScripts = async () => {
      const scripts = await Promise.all([...loaded].map(async ([url, text]) => [url, await text] as const));
      return scripts.filter(([, script]) => script.includes(word)).map(([url]) => url);
    };
    await page.goto('/');
    const card = cardOf(page, first?.title ?? '');
    await expect(card).toBeVisible();
    expect(await loadedScripts()).toEqual([]);
    // Otherwise the string may be in no script at all, and the check above would prove nothing.
    await use(page, card);
    expect(await loadedScripts()).not.toEqual([]);
  });
}

test('opening a dialog does not move the page behind it', async ({ page, signIn }) => {
  await signIn();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/funnels');
  const title = page.getByRole('heading', { name: 'Funnel Management' });
  const before = await title.boundingBox();
  await page.getByRole('button', { name: 'Add New Funnel' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await page.getByText('Funnel Management', { exact: true }).boundingBox()).toEqual(before);
  // Waits until the dialog has its size: it opens with an animation.
  await page.getByRole('tab').first().click({ trial: true });
  // The tabs of the dialog stay where they are, with equal widths.
  const places = async () =>
    (await boxesOf(page.getByRole('tab'))).map(({ x, y, width }) => [Math.round(x), Math.round(y), Math.round(width)]);
  const [first, ...others] = await places();
  expect(others.map(([, y, width]) => [y, width])).toEqual([first?.slice(1), first?.slice(1)]);
  for (const name of ['Description', 'Expectations']) {
    await page.getByRole('tab', { name }).click();
    expect(await places()).toEqual([first, ...others]);
  }
});

test('the link of the active route is highlighted', async ({ page, signIn }) => {
  await signIn();
  const header = page.getByRole('banner');
  const looks = (name: string) =>
    header.getByText(name, { exact: true }).evaluate((element) => getComputedStyle(element as never).backgroundColor);
  for (const [path, active] of [
    ['/funnels', 'Funnels'],
    ['/system-logs', 'System'],
    ['/', 'Interviews'],
  ] as const) {
    await page.goto(path);
    await expect(header.getByText(active, { exact: true })).toBeVisible();
    for (const other of ['Interviews', 'Funnels', 'System'].filter((name) => name !== active)) {
      expect(await looks(active), `${active} next to ${other}`).not.toBe(await looks(other));
    }
  }
  // High contrast themes have no backgrounds.
  await page.emulateMedia({ forcedColors: 'active' });
  await expect(header.getByRole('link', { name: 'Interviews' })).toHaveCSS('outline-style', 'solid');
  await expect(header.getByRole('link', { name: 'Funnels' })).toHaveCSS('outline-style', 'none');
});

test('interviews have one column on small screens, two on medium and large, three on extra-large, and titles end after two lines', async ({
  page,
  product,
  signIn,
}) => {
  await signIn();
  const { recruiter, sandbox } = product;
  const [warehouse] = await recruiter.connect(sandbox.funnels[3]);
  if (warehouse) await recruiter.refresh(warehouse);
  const [first] = await recruiter.interviews();
  await product.sql('UPDATE interview SET title = $2 WHERE id = $1', [first?.id, LONG]);
  await page.goto('/');
  await expect(cardOf(page, LONG)).toBeVisible();
  const grid = page.getByRole('list', { name: 'Interviews' });
  for (const [width, columns] of [
    [375, 1],
    [767, 1],
    [768, 2],
    [1_024, 2],
    [1_279, 2],
    [1_280, 3],
    [1_920, 3],
  ] as const) {
    expect([width, await columnsAt(page, grid, width)]).toEqual([width, columns]);
    const { shown, all } = await linesOf(page.getByRole('heading', { name: LONG }));
    expect([width, shown, all > 2]).toEqual([width, 2, true]);
  }

  // The second row is visible on a laptop, although the first has a title of two lines, and the
  // tabs of a row align.
  await page.setViewportSize({ width: 1_440, height: 900 });
  const boxes = await boxesOf(page.getByRole('article'));
  expect(Math.max(...boxes.map(({ height }) => height))).toBeLessThanOrEqual(380);
  expect(boxes.filter(({ y, height }) => y + height <= 920)).toHaveLength(4);
  const strips = await boxesOf(page.getByRole('tablist'));
  expect(new Set(strips.slice(0, 3).map(({ y }) => y)).size).toBe(1);

  // A toast is over the header, where it covers no button of a card.
  await page.getByRole('tab', { name: 'Scores' }).first().click();
  await page.getByRole('button', { name: 'View Scores' }).click();
  await expect(toastOf(page)).toBeVisible();
  const [toast] = await boxesOf(toastOf(page));
  expect((toast?.y ?? 900) + (toast?.height ?? 0)).toBeLessThanOrEqual(60);

  // A compact row has one line; on phones a second one for badges, and a third one for long titles.
  await page.getByRole('button', { name: 'Compact' }).click();
  await expect(page.getByRole('list', { name: 'Steps' }).first()).toBeVisible();
  for (const [width, height] of [
    [1_440, 52],
    [768, 52],
    [375, 76],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const rows = await boxesOf(page.getByRole('article'));
    expect([width, Math.max(...rows.map((row) => row.height)) <= height]).toEqual([width, true]);
    // The name and, next to it, the title.
    const titles = await boxesOf(page.getByRole('article').getByRole('heading').locator('..'));
    expect([width, Math.min(...titles.map((title) => title.width)) >= 150]).toEqual([width, true]);
  }
});

test('funnels are shown in a grid, and a description ends after two lines', async ({ page, product, signIn }) => {
  await signIn();
  await product.recruiter.funnel({ name: 'Long', description: LONG });
  for (const name of ['Second', 'Third']) await product.recruiter.funnel({ name });
  await page.goto('/funnels');
  await expect(page.getByRole('article')).toHaveCount(3);
  const grid = page.getByRole('list').filter({ has: page.getByRole('article') });
  for (const [width, columns] of [
    [375, 1],
    [1_024, 2],
    [1_440, 3],
  ] as const) {
    expect([width, await columnsAt(page, grid, width)]).toEqual([width, columns]);
    const { shown, all } = await linesOf(page.getByText(LONG));
    expect([width, shown, all > 2]).toEqual([width, 2, true]);
  }
});
