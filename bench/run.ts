import { setTimeout } from 'node:timers/promises';
import { type BenchRow, printRows } from './row.ts';
import { isSmoke } from './scale.ts';

/** `npm run bench` runs all benchmarks, `npm run bench -- video list` only the named ones. */
const BENCHES: Record<string, () => Promise<{ run(): Promise<BenchRow[]> }>> = {
  process: () => import('./process.ts'),
  'first-load': () => import('./first-load.ts'),
  cluster: () => import('./cluster.ts'),
  refresh: () => import('./refresh.ts'),
  video: () => import('./video.ts'),
  s3: () => import('./s3.ts'),
  list: () => import('./list.ts'),
  links: () => import('./links.ts'),
  restore: () => import('./restore.ts'),
  uploads: () => import('./uploads.ts'),
  webhooks: () => import('./webhooks.ts'),
};

/** Names that run several benchmarks. Many processes need a bucket, so `cluster` includes `s3`. */
const TOGETHER: Record<string, string[]> = { cluster: ['cluster', 's3'] };

const names = process.argv
  .slice(2)
  .filter((argument) => argument !== '--smoke')
  .flatMap((name) => (Object.hasOwn(TOGETHER, name) && TOGETHER[name]) || [name]);
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`Unknown benchmark: ${unknown.join(', ')}. Available: ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(2);
}

/** Fails a benchmark that does not end, so that the others still run. */
const SMOKE_LIMIT_MS = 300_000;

async function withinLimit(name: string, rows: Promise<BenchRow[]>): Promise<BenchRow[]> {
  if (!isSmoke) return rows;
  const late = setTimeout(SMOKE_LIMIT_MS).then((): never => {
    throw new Error(`${name} did not end within ${SMOKE_LIMIT_MS / 60_000} minutes.`);
  });
  return Promise.race([rows, late]);
}

let missed = 0;
const failed: string[] = [];
for (const [name, load] of Object.entries(BENCHES)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(`\n${name}`);
  const start = performance.now();
  try {
    const rows = await withinLimit(name, (await load()).run());
    if (isSmoke) console.log(`  ran in ${((performance.now() - start) / 1_000).toFixed(1)} s, ${rows.length} figures`);
    else printRows(rows);
    missed += rows.filter((row) => !row.met).length;
  } catch (error) {
    // The others still run, so one run reports every broken benchmark.
    console.error(error);
    failed.push(name);
  }
}
if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}.`);
else if (isSmoke) console.log('\nEvery benchmark runs.');
else console.log(missed === 0 ? '\nEvery aim is met.' : `\n${missed} aims are missed.`);
// A handle that a benchmark left open must not keep the run from ending.
process.exit(failed.length > 0 || (!isSmoke && missed > 0) ? 1 : 0);
