import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { timed } from './keep-alive-client.ts';
import { startProduct } from './product.ts';
import { type BenchRow, benchRow, median, printRows } from './row.ts';

const ROUNDS = 7;
const IDLE_LIMIT_MB = 130;
/** What the first seconds need, they no longer need then. */
const SETTLED_MS = 3_000;

/** Starting the product on the database of an earlier start, against starting Node with nothing to do; and what it holds when idle. */
export async function run(): Promise<BenchRow[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-process-'));
  const times = { ours: [] as number[], node: [] as number[], idleMb: [] as number[] };
  try {
    // Makes the database, and leaves the compiled code that every later start finds.
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
    benchRow({
      name: 'cold start, against node -e 0',
      ours: median(times.ours),
      baseline: median(times.node),
      unit: 'ms',
      ratio: median(times.ours.map((ms, round) => ms / (times.node[round] ?? Number.NaN))),
      aim: { atMost: 12 },
    }),
    benchRow({
      name: 'resident memory when idle, against the limit',
      ours: median(times.idleMb),
      baseline: IDLE_LIMIT_MB,
      unit: 'MB',
      aim: { atMost: 1 },
    }),
  ];
}

if (import.meta.main) printRows(await run());
