import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepAliveClient, timed } from './keep-alive-client.ts';
import { bareRefresh } from './refresh/bare-client.ts';
import { type RefreshProduct, startRefreshProduct } from './refresh/refresh-product.ts';
import { type FunnelAccess, type SandboxProcess, startSandboxProcess } from './refresh/sandbox-process.ts';
import { peakOf } from './resident-mb.ts';
import { type Aim, type BenchRow, benchRow, median, printRows } from './row.ts';

const MEGABYTE = 2 ** 20;
const ROUNDS = 3;
const AIM = { atMost: 1.2 };
/** What a service across the internet takes to answer. */
const REALISTIC_MS = 40;
const MEMORY_LIMIT_MB = 250;

interface Stage {
  sandbox: SandboxProcess;
  funnel: FunnelAccess;
}

/** Refreshes through the whole product against a bare client that fetches the same and throws it away. */
export async function run(): Promise<BenchRow[]> {
  const sandbox = await startSandboxProcess();
  const funnel = sandbox.funnels[0];
  if (!funnel) throw new Error('The sandbox has no funnels.');
  const stage = { sandbox, funnel };
  try {
    await sandbox.fill(funnel.funnelId, 5_000);
    const rows = [...(await compare(stage, '5,000 interviews', { withFiles: false })), await listRow(stage)];
    await sandbox.fill(funnel.funnelId, 300, 2 * MEGABYTE);
    rows.push(...(await compare(stage, '300 videos of 2 MB', { withFiles: true })));
    return [...rows, ...(await memoryRows(stage))];
  } finally {
    await sandbox.stop();
  }
}

/** A first refresh and one with nothing changed, on a service that answers at once and on a realistic one. */
async function compare(stage: Stage, title: string, { withFiles }: { withFiles: boolean }): Promise<BenchRow[]> {
  const { sandbox, funnel } = stage;
  const product = await startRefreshProduct(sandbox, funnel);
  const rows = [];
  try {
    for (const latency of [REALISTIC_MS, 0]) {
      await sandbox.setLatency(latency);
      const times = { first: [] as number[], second: [] as number[], bare: [] as number[], bareList: [] as number[] };
      const stored: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await product.empty();
        times.bare.push(await bareRefresh(sandbox, funnel, { withFiles }));
        if (withFiles) stored.push(await storing(stage));
        times.first.push(await first(stage, product, { withFiles }));
        times.bareList.push(await bareRefresh(sandbox, funnel, { withFiles: false }));
        times.second.push(await unchanged(stage, product));
      }
      const name = `${title}, ${latency} ms a page`;
      // A service that answers at once only shows what our own work costs.
      rows.push(ratioRow(name, times.first, times.bare, latency > 0 ? AIM : null));
      // What the disk alone costs, which the client that throws everything away does without.
      if (withFiles) rows.push(ratioRow(`${name}, against a bare client that stores them`, times.first, stored, null));
      rows.push(ratioRow(`${name}, nothing changed`, times.second, times.bareList, null));
    }
    return rows;
  } finally {
    await product.stop();
  }
}

/** The bare client into a folder that is gone afterwards. */
async function storing({ sandbox, funnel }: Stage): Promise<number> {
  const storeIn = await mkdtemp(join(tmpdir(), 'bench-bare-'));
  try {
    return await bareRefresh(sandbox, funnel, { withFiles: true, storeIn });
  } finally {
    await rm(storeIn, { recursive: true, force: true });
  }
}

/** @throws Error when a refresh that has files to fetch fetches none */
async function first(
  { sandbox }: Stage,
  product: RefreshProduct,
  { withFiles }: { withFiles: boolean },
): Promise<number> {
  await sandbox.filesAsked();
  const took = await product.refresh();
  if (withFiles && (await sandbox.filesAsked()) === 0)
    throw new Error('The files of an earlier round were still there.');
  return took;
}

/** @throws Error when a refresh without changes writes a row or fetches a file */
async function unchanged({ sandbox }: Stage, product: RefreshProduct): Promise<number> {
  await sandbox.filesAsked();
  const before = await product.versions();
  const took = await product.refresh();
  const files = await sandbox.filesAsked();
  if (files > 0) throw new Error(`A refresh with nothing changed fetched ${files} files.`);
  if ((await product.versions()) !== before) throw new Error('A refresh with nothing changed wrote rows.');
  return took;
}

/** Medians, and the median of the ratios of the rounds. */
function ratioRow(name: string, ours: number[], bare: number[], aim: Aim | null): BenchRow {
  const ratio = median(ours.map((ms, round) => ms / (bare[round] ?? Number.NaN)));
  return benchRow({ name, ours: median(ours), baseline: median(bare), unit: 'ms', ratio, aim });
}

/** What somebody notices who reads the list while a refresh runs. */
async function listRow({ sandbox, funnel }: Stage): Promise<BenchRow> {
  await sandbox.setLatency(REALISTIC_MS);
  const product = await startRefreshProduct(sandbox, funnel);
  const http = keepAliveClient(product);
  const look = () => timed(() => http.get('/api/interviews?texts=false'));
  try {
    await product.refresh();
    const [idle, busy]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let n = 0; n < 60; n += 1) idle.push(await pausedAfter(look));
      await product.empty();
      let running = true;
      const refreshing = product.refresh().finally(() => {
        running = false;
      });
      while (running) busy.push(await pausedAfter(look));
      await refreshing;
    }
    const name = 'list during a refresh, against idle';
    return benchRow({ name, ours: median(busy), baseline: median(idle), unit: 'ms', aim: { atMost: 2 } });
  } finally {
    await http.close();
    await product.stop();
  }
}

/** A person does not read the list without pause. */
async function pausedAfter(look: () => Promise<number>): Promise<number> {
  const took = await look();
  await sleep(10);
  return took;
}

/** The most memory during a refresh: below a limit, and the same for ten times as many rows or bytes. */
async function memoryRows(stage: Stage): Promise<BenchRow[]> {
  await stage.sandbox.setLatency(0);
  const rows = await peaksMb(stage, [{ count: 4_000 }, { count: 40_000 }]);
  // As many bytes in all: a process grows for a while, whatever passes through it.
  const files = await peaksMb(stage, [
    { count: 600, videoBytes: 2 * MEGABYTE },
    { count: 6, videoBytes: 200 * MEGABYTE },
  ]);
  const unit = 'MB';
  const flat = { atMost: 1.2 };
  const [few = 0, many = 0] = rows;
  const [small = 0, large = 0] = files;
  return [
    benchRow({
      name: 'memory during a refresh, against the limit',
      ours: Math.max(...rows, ...files),
      baseline: MEMORY_LIMIT_MB,
      unit,
      aim: { atMost: 1 },
    }),
    benchRow({ name: 'memory, 40,000 interviews against 4,000', ours: many, baseline: few, unit, aim: flat }),
    benchRow({ name: 'memory, videos of 200 MB against 2 MB', ours: large, baseline: small, unit, aim: flat }),
  ];
}

/** One process does it all, and warms up first: a young process grows whatever it does. */
async function peaksMb(
  { sandbox, funnel }: Stage,
  fillings: { count: number; videoBytes?: number }[],
): Promise<number[]> {
  const product = await startRefreshProduct(sandbox, funnel);
  const peaks = [];
  try {
    for (const { count, videoBytes } of [fillings[0], ...fillings].filter((each) => each !== undefined)) {
      await sandbox.fill(funnel.funnelId, count, videoBytes);
      await product.empty();
      const peak = peakOf(product.pid);
      await product.refresh();
      peaks.push(await peak.stop());
    }
    return peaks.slice(1);
  } finally {
    await product.stop();
  }
}

if (import.meta.main) printRows(await run());
