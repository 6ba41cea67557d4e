import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../scripts/steps/workspace.ts';
import { inRounds, sized, timed } from './measure.ts';
import { startProduct } from './product.ts';
import { residentMb } from './resident-mb.ts';
import { type BenchRow, limitRow, median, rowOfRounds } from './row.ts';

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
  await using folder = await temporaryFolder('process');
  const idleMb: number[] = [];
  const start = async (isSettled: boolean) => {
    await using product = await startProduct({ dataDir: folder.path });
    if (isSettled) await sleep(SETTLED_MS);
    if (isSettled) idleMb.push(await residentMb(product.pid));
    return product.startMs;
  };
  // Creates the database and fills the compile cache.
  await start(false);
  const { node, ours } = await inRounds(ROUNDS, {
    node: () => timed(async () => spawnSync(process.execPath, ['-e', '0'])),
    ours: (round) => start(round < 3),
  });
  return [
    limitRow({ name: 'cold start', ours: median(ours), limit: START_LIMIT_MS }),
    rowOfRounds({ name: 'cold start, against node -e 0', ours, baseline: node }),
    limitRow({ name: 'resident memory when idle', ours: median(idleMb), limit: IDLE_LIMIT_MB, unit: 'MB' }),
  ];
}
