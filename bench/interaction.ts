import { type Browser, chromium } from '@playwright/test';
import { refreshBusily } from './interaction/busy-refresh.ts';
import { type Responsiveness, type WatchedPage, watchPage } from './interaction/watched-page.ts';
import { type BrowsedProduct, startBrowsedProduct } from './lighthouse/browsed-product.ts';
import { chromiumPath, WITHOUT_NETWORK } from './lighthouse/chromium.ts';
import { startSandboxProcess } from './refresh/sandbox-process.ts';
import { type BenchRow, benchRow, median, percentile, printRows } from './row.ts';
import { sized } from './scale.ts';

const ROUNDS = sized(3, 1);
const KEY_LIMIT_MS = 100;
const SHIFT_LIMIT = 0.02;
const FRAME_LIMIT_MS = 34;
const TASK_LIMIT_MS = 100;
const REFRESH = { seconds: sized(10, 1), perSecond: 50 };

/** Searched in this order; together more than forty keys. */
const WORDS = sized(['engineer', 'okafor', 'nurse', 'kubernetes', 'amara', 'electrician'], ['engineer', 'okafor']);
/** Typing is fast, with a pause after each word: the list renders while the next word begins. */
const KEY_EVERY_MS = 90;
const WORD_EVERY_MS = 400;
const PAGES = sized(5, 1);
/** Longer than the observation of the refresh, so that the service sends nothing during it. */
const SERVICE_ANSWERS_AFTER_MS = 60_000;

/**
 * Responsiveness of a dashboard with 1,000 interviews: loading, typing, paging, and during a
 * refresh.
 */
export async function run(): Promise<BenchRow[]> {
  const sandbox = await startSandboxProcess();
  const product = await startBrowsedProduct({ INTERVIEW_SERVICE_URL: sandbox.interviewServiceUrl });
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: WITHOUT_NETWORK });
  try {
    await sandbox.setLatency(SERVICE_ANSWERS_AFTER_MS);
    const { id } = await product.call<{ id: number }>('POST', '/api/funnels', sandbox.funnels[0]);
    await product.call('POST', `/api/funnels/${id}/activate`);
    const rounds: Round[] = [];
    while (rounds.length < ROUNDS) rounds.push(await round(browser, product));
    return rowsOf(rounds);
  } finally {
    await browser.close();
    await product.stop();
    await sandbox.stop();
  }
}

interface Round {
  loading: Responsiveness;
  typing: Responsiveness;
  paging: Responsiveness;
  refreshing: Responsiveness;
  messages: number;
}

async function round(browser: Browser, product: BrowsedProduct): Promise<Round> {
  const watched = await watchPage(browser, product);
  try {
    const loading = await load(watched);
    const typing = await type(watched);
    const paging = await turnPages(watched);
    const before = watched.messages();
    await refreshBusily(product, REFRESH);
    return { loading, typing, paging, refreshing: await watched.measure(), messages: watched.messages() - before };
  } finally {
    await watched.close();
  }
}

async function load({ page, measure }: WatchedPage): Promise<Responsiveness> {
  await page.goto('/');
  await page.getByRole('article').nth(9).waitFor();
  await page.waitForLoadState('networkidle');
  return measure();
}

async function type({ page, measure }: WatchedPage): Promise<Responsiveness> {
  const box = page.getByRole('searchbox');
  for (const word of WORDS) {
    await box.selectText();
    await page.keyboard.type(word, { delay: KEY_EVERY_MS });
    await page.waitForTimeout(WORD_EVERY_MS);
  }
  await page.waitForURL(`**/?search=${WORDS.at(-1)}`);
  await page.waitForLoadState('networkidle');
  const typing = await measure(WORDS.join('').length);
  await page.getByRole('button', { name: 'Clear search' }).click();
  await page.waitForURL((url) => url.search === '');
  return typing;
}

async function turnPages({ page, measure }: WatchedPage): Promise<Responsiveness> {
  await measure();
  for (let turned = 0; turned < PAGES; turned += 1) {
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText(`Showing ${(turned + 1) * 10 + 1} to`).waitFor();
    await page.waitForLoadState('networkidle');
  }
  await page.getByRole('button', { name: 'Page 1', exact: true }).click();
  await page.getByText('Showing 1 to').waitFor();
  return measure();
}

function rowsOf(rounds: Round[]): BenchRow[] {
  const atMost = (name: string, unit: string, limit: number, of: (round: Round) => number) =>
    benchRow({ name, ours: median(rounds.map(of)), baseline: limit, unit, aim: { atMost: 1 } });
  const frames = 'between two frames during a refresh';
  return [
    atMost('a key in the search box, 95th percentile', 'ms', KEY_LIMIT_MS, ({ typing }) =>
      percentile(typing.keys, 0.95),
    ),
    atMost('layout shift while loading', 'CLS', SHIFT_LIMIT, ({ loading }) => loading.shift),
    atMost('layout shift while typing', 'CLS', SHIFT_LIMIT, ({ typing }) => typing.shift),
    atMost('layout shift while turning pages', 'CLS', SHIFT_LIMIT, ({ paging }) => paging.shift),
    atMost(`${frames}, 95th percentile`, 'ms', FRAME_LIMIT_MS, ({ refreshing }) =>
      percentile(refreshing.frameGaps, 0.95),
    ),
    atMost('the longest task during it', 'ms', TASK_LIMIT_MS, ({ refreshing }) => Math.max(0, ...refreshing.longTasks)),
    benchRow({
      name: 'messages a second during it, sent and arrived',
      ours: median(rounds.map(({ messages }) => messages)) / REFRESH.seconds,
      baseline: REFRESH.perSecond,
      unit: 'a second',
      aim: { atLeast: 0.9 },
    }),
  ];
}

if (import.meta.main) printRows(await run());
