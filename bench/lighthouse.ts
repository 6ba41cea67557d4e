import lighthouse, { type Config, desktopConfig, type Flags, type Result } from 'lighthouse';
import { startBrowsedProduct } from './lighthouse/browsed-product.ts';
import { startChromium } from './lighthouse/chromium.ts';
import { type BenchRow, benchRow, median, printRows } from './row.ts';

const ROUNDS = 5;
const TRIES = 3;
/** Lighthouse's mobile is a slow phone behind a slow line; both are reckoned from what the page did here (simulated throttling). */
const FORMS = { mobile: undefined, desktop: desktopConfig };
const SCORES = { performance: 95, accessibility: 100, 'best-practices': 100 };
const CATEGORIES = Object.keys(SCORES) as (keyof typeof SCORES)[];
const LAYOUT_SHIFT = 0.02;

/** What Lighthouse says of the login screen and of a dashboard of 1,000 interviews, against the limits. */
export async function run(): Promise<BenchRow[]> {
  const product = await startBrowsedProduct();
  const chromium = await startChromium();
  const rows: BenchRow[] = [];
  try {
    rows.push(...(await screenRows('login', `${product.address}/login`, chromium.port)));
    await chromium.signIn(product);
    rows.push(...(await screenRows('dashboard', `${product.address}/`, chromium.port)));
    return rows;
  } finally {
    await chromium.stop();
    await product.stop();
  }
}

async function screenRows(screen: string, url: string, port: number): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [form, config] of Object.entries(FORMS)) {
    const results: Result[] = [];
    while (results.length < ROUNDS) results.push(await audit(url, port, config));
    rows.push(...rowsOf(`${screen}, ${form}`, results));
  }
  return rows;
}

async function audit(url: string, port: number, config?: Config): Promise<Result> {
  const flags: Flags = { port, logLevel: 'error', onlyCategories: [...CATEGORIES] };
  let result: Result | undefined;
  // Now and then the browser's recording begins too late for the page, and Lighthouse asks to be run again.
  for (let tries = 0; tries < TRIES && (!result || result.runtimeError?.code === 'NO_NAVSTART'); tries += 1) {
    result = (await lighthouse(url, flags, config))?.lhr;
  }
  if (!result || result.runtimeError) throw new Error(`Lighthouse failed: ${result?.runtimeError?.message ?? url}`);
  if (result.finalDisplayedUrl !== url) throw new Error(`${url} led to ${result.finalDisplayedUrl}.`);
  return result;
}

/** Speed differs from run to run and is the median; everything else holds in every run or does not. */
function rowsOf(name: string, results: Result[]): BenchRow[] {
  const scores = (category: string) => results.map(({ categories }) => (categories[category]?.score ?? 0) * 100);
  const shifts = results.map(({ audits }) => audits['cumulative-layout-shift']?.numericValue ?? Number.NaN);
  const lost = CATEGORIES.flatMap((category) => lostIn(category, results));
  if (lost.length > 0) console.log(`  ${name}: ${[...new Set(lost)].join(', ')}`);
  const scored = CATEGORIES.map((category) =>
    benchRow({
      name: `${name}: ${category}, against the limit`,
      ours: category === 'performance' ? median(scores(category)) : Math.min(...scores(category)),
      baseline: SCORES[category],
      unit: 'points',
      aim: { atLeast: 1 },
    }),
  );
  const shift = { ours: Math.max(...shifts), baseline: LAYOUT_SHIFT, unit: 'CLS', aim: { atMost: 1 } };
  return [...scored, benchRow({ name: `${name}: layout shift, against the limit`, ...shift })];
}

/** The audits that cost points, with what they measured. */
const lostIn = (category: string, results: Result[]) =>
  results.flatMap(({ categories, audits }) =>
    (categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const { score = null, displayValue } = audits[id] ?? {};
      return weight > 0 && score !== null && score < 1 ? [`${id}${displayValue ? ` ${displayValue}` : ''}`] : [];
    }),
  );

if (import.meta.main) printRows(await run());
