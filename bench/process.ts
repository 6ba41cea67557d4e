import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { timed } from './keep-alive-client.ts';
import { startProduct } from './product.ts';
import { type BenchRow, limitRow, median, printRows, rowOfRounds } from './row.ts';
import { sized } from './scale.ts';

const ROUNDS = sized(7, 1);
const START_LIMIT_MS = 1_500;
const IDLE_LIMIT_MB = 130;
/** After this time the garbage of the start has been collected. */
const SETTLED_MS = sized(3_000, 100);

/**
 * Measures the time until the product is ready, with the database of an earlier start, and its
 * memory when idle. `node -e 0` shows how fast the machine was in the same round.
 */
export async function run(): Promise<BenchRow[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-process-'));
  const times = { ours: [] as number[], node: [] as number[], idleMb: [] as number[] };
  try {
    // Creates the database and fills the compile cache.
    await (await startProduct({ dataDir })).stop();
    for (let round = 0; round < ROUNDS; round += 1) {
      times.node.push(await timed(async () => spawnSync(process.execPath, ['-e', '0'])));
      const product = await startProduct({ dataDir });
      times.ours.push(product.startMs);
      if (round < 3) {
        await sleep(SETTLED_MS);
        times.idleMb.push(await product.rssMb());
      }
      await product.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return [
    limitRow({ name: 'cold start', ours: median(times.ours), limit: START_LIMIT_MS, unit: 'ms' }),
    rowOfRounds({
      name: 'cold start, against node -e 0',
      ours: times.ours,
      baseline: times.node,
      unit: 'ms',
      aim: null,
    }),
    limitRow({ name: 'resident memory when idle', ours: median(times.idleMb), limit: IDLE_LIMIT_MB, unit: 'MB' }),
  ];
}

if (import.meta.main) printRows(await run());
