import lighthouse, { type Config, desktopConfig, type Flags, type Result } from 'lighthouse';
import { startBrowsedProduct } from './lighthouse/browsed-product.ts';
import { startChromium } from './lighthouse/chromium.ts';
import { type BenchRow, benchRow, limitRow, median, printRows } from './row.ts';
import { isSmoke, sized } from './scale.ts';

const ROUNDS = sized(5, 1);
const TRIES = 3;
/** Lighthouse simulates a slow phone on a slow network for mobile (simulated throttling). */
const FORMS: Record<string, { config?: Config; performance: number }> = {
  mobile: { performance: 90 },
  ...sized({ desktop: { config: desktopConfig, performance: 95 } }, {}),
};
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const LAYOUT_SHIFT = 0.02;

/**
 * Lighthouse scores of the login screen and of a dashboard with 1,000 interviews, against the
 * limits.
 */
export async function run(): Promise<BenchRow[]> {
  const product = await startBrowsedProduct();
  const chromium = await startChromium();
  const rows: BenchRow[] = [];
  try {
    if (!isSmoke) rows.push(...(await screenRows('login', `${product.address}/login`, chromium.port)));
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
  for (const [form, { config, performance }] of Object.entries(FORMS)) {
    const results: Result[] = [];
    while (results.length < ROUNDS) results.push(await audit(url, port, config));
    rows.push(...rowsOf(`${screen}, ${form}`, results, { performance, accessibility: 100, 'best-practices': 100 }));
  }
  return rows;
}

async function audit(url: string, port: number, config?: Config): Promise<Result> {
  const flags: Flags = { port, logLevel: 'error', onlyCategories: [...CATEGORIES] };
  let result: Result | undefined;
  // Sometimes the recording begins after the navigation; Lighthouse then asks for another run.
  for (let tries = 0; tries < TRIES && (!result || result.runtimeError?.code === 'NO_NAVSTART'); tries += 1) {
    result = (await lighthouse(url, flags, config))?.lhr;
  }
  if (!result || result.runtimeError) throw new Error(`Lighthouse failed: ${result?.runtimeError?.message ?? url}`);
  if (result.finalDisplayedUrl !== url) throw new Error(`${url} led to ${result.finalDisplayedUrl}.`);
  return result;
}

/** Performance is the median of the runs; every other score is the lowest. */
function rowsOf(name: string, results: Result[], limits: Record<(typeof CATEGORIES)[number], number>): BenchRow[] {
  const scores = (category: string) => results.map(({ categories }) => (categories[category]?.score ?? 0) * 100);
  const shifts = results.map(({ audits }) => audits['cumulative-layout-shift']?.numericValue ?? Number.NaN);
  const lost = CATEGORIES.flatMap((category) => lostIn(category, results));
  if (lost.length > 0) console.log(`  ${name}: ${[...new Set(lost)].join(', ')}`);
  const scored = CATEGORIES.map((category) =>
    benchRow({
      name: `${name}: ${category}, against the limit`,
      ours: category === 'performance' ? median(scores(category)) : Math.min(...scores(category)),
      baseline: limits[category],
      unit: 'points',
      aim: { atLeast: 1 },
    }),
  );
  const shift = { ours: Math.max(...shifts), limit: LAYOUT_SHIFT, unit: 'CLS' };
  return [...scored, limitRow({ name: `${name}: layout shift`, ...shift })];
}

/** The audits that lost points, with their values. */
const lostIn = (category: string, results: Result[]) =>
  results.flatMap(({ categories, audits }) =>
    (categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const { score = null, displayValue } = audits[id] ?? {};
      return weight > 0 && score !== null && score < 1 ? [`${id}${displayValue ? ` ${displayValue}` : ''}`] : [];
    }),
  );

if (import.meta.main) printRows(await run());
