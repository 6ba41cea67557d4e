import { setTimeout } from 'node:timers/promises';
import { isSmoke } from './measure.ts';
import { type BenchRow, printRows } from './row.ts';

/** `npm run bench` runs all benchmarks, `npm run bench -- video list` only the named ones. */
const BENCHES = [
  'process',
  'first-load',
  'cluster',
  'refresh',
  'video',
  's3',
  'list',
  'links',
  'restore',
  'uploads',
  'webhooks',
];
const named = process.argv.slice(2).filter((argument) => argument !== '--smoke');
// Many processes need a bucket, so `cluster` includes `s3`.
const names = named.flatMap((name) => (name === 'cluster' ? ['cluster', 's3'] : [name]));
const unknown = names.filter((name) => !BENCHES.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown benchmark: ${unknown.join(', ')}. Available: ${BENCHES.join(', ')}.`);
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
for (const name of BENCHES.filter((each) => names.length === 0 || names.includes(each))) {
  console.log(`\n${name}`);
  const start = performance.now();
  try {
    const bench = (await import(`./${name}.ts`)) as { run(): Promise<BenchRow[]> };
    const rows = await withinLimit(name, bench.run());
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
