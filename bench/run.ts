import type { BenchRow } from './row.ts';
import { printRows } from './row.ts';

/** Every benchmark: `npm run bench` runs them all, `npm run bench -- video list` only those named. */
const BENCHES: Record<string, () => Promise<{ run(): Promise<BenchRow[]> }>> = {
  queue: () => import('./queue.ts'),
  process: () => import('./process.ts'),
  'first-load': () => import('./first-load.ts'),
  live: () => import('./live.ts'),
  refresh: () => import('./refresh.ts'),
  video: () => import('./video.ts'),
  session: () => import('./session.ts'),
  list: () => import('./list.ts'),
  upload: () => import('./upload.ts'),
  pipeline: () => import('./pipeline.ts'),
  lighthouse: () => import('./lighthouse.ts'),
  interaction: () => import('./interaction.ts'),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !BENCHES[name]);
if (unknown.length > 0) {
  console.error(`No benchmark is called ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(2);
}

let missed = 0;
for (const [name, load] of Object.entries(BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n${name}`);
  const rows = await (await load()).run();
  printRows(rows);
  missed += rows.filter((row) => !row.met).length;
}
console.log(missed === 0 ? '\nEvery aim is met.' : `\n${missed} aims are missed.`);
process.exitCode = missed === 0 ? 0 : 1;
