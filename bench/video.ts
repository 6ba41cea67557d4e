import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type BenchProduct, startProduct } from './product.ts';
import { type Aim, type BenchRow, benchRow, median, printRows } from './row.ts';
import { sized } from './scale.ts';
import { cpuSeconds } from './video/cpu-seconds.ts';
import { startFileServer } from './video/nginx.ts';
import { type LoadClient, startBareServer, startLoadClient } from './video/processes.ts';

const MEGABYTE = 1024 * 1024;
const FILE_BYTES = sized(200, 8) * MEGABYTE;
const NAME = 'bench.mp4';
const ROUNDS = sized(7, 1);
const SECONDS = sized(0.6, 0.05);
const AIM = { atLeast: 1.3 };

const SCENARIOS = [
  { name: '64 KB ranges', rangeBytes: 64 * 1024 },
  { name: '1 MB ranges', rangeBytes: MEGABYTE },
  { name: '200 MB whole', rangeBytes: null },
].flatMap((scenario) => [1, 32].map((connections) => ({ ...scenario, connections })));
type Scenario = (typeof SCENARIOS)[number];

interface Target {
  port: number;
  path: string;
  headers: string[];
  /** The process whose processor time is measured, or null. */
  pid: number | null;
}

interface Sample {
  megabytesPerSecond: number;
  cpuMsPerGigabyte: number;
}

/**
 * Our video route, with its session check, against a bare node:http server that pipes a file
 * stream, and against nginx.
 */
export async function run(): Promise<BenchRow[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-video-'));
  const folder = join(dataDir, 'files', 'videos');
  const path = await writeVideo(folder);
  const bare = await startBareServer(path);
  const product = await startProduct({ dataDir });
  const nginx = await startFileServer(folder);
  const client = startLoadClient();
  try {
    const targets: Record<string, Target> = {
      bare: { ...bare, path: '/', headers: [] },
      ...(nginx && { nginx: { ...nginx, path: `/${NAME}`, headers: [], pid: null } }),
    };
    const ours = { ...product, path: `/api/files/video/${NAME}`, headers: [`cookie: ${product.cookie}`] };
    const rows = [];
    for (const scenario of SCENARIOS) rows.push(...(await compare(client, { ours, ...targets }, scenario)));
    return [...rows, await memoryRow(client, product, ours)];
  } finally {
    await Promise.all([client.stop(), bare.stop(), product.stop(), nginx?.stop()]);
    await rm(dataDir, { recursive: true });
  }
}

/**
 * The servers take turns in every round, so that other load on the machine affects them alike.
 */
async function compare(client: LoadClient, targets: Record<string, Target>, scenario: Scenario): Promise<BenchRow[]> {
  const samples = new Map(Object.keys(targets).map((name) => [name, [] as Sample[]]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, target] of Object.entries(targets))
      samples.get(name)?.push(await sample(client, target, scenario));
  }
  const title = `${scenario.name}, ${scenario.connections} connection${scenario.connections > 1 ? 's' : ''}`;
  const { ours = [], ...others } = Object.fromEntries(samples);
  return Object.entries(others).flatMap(([name, baseline]) => [
    row({ name: `${title}, against ${name}`, unit: 'MB/s', aim: name === 'bare' ? AIM : null }, ours, baseline),
    ...(name === 'bare' ? [row({ name: '  processor time for it', unit: 'ms/GB', aim: null }, ours, baseline)] : []),
  ]);
}

/** The medians of both servers, and the median of the rounds' ratios. */
function row(
  what: { name: string; unit: 'MB/s' | 'ms/GB'; aim: Aim | null },
  ours: readonly Sample[],
  baseline: readonly Sample[],
): BenchRow {
  const value = ({ megabytesPerSecond, cpuMsPerGigabyte }: Sample) =>
    what.unit === 'MB/s' ? megabytesPerSecond : cpuMsPerGigabyte;
  const [mine, theirs] = [ours.map(value), baseline.map(value)];
  const ratio = median(mine.map((number, round) => number / (theirs[round] ?? Number.NaN)));
  return benchRow({ ...what, ours: median(mine), baseline: median(theirs), ratio });
}

async function sample(client: LoadClient, target: Target, scenario: Scenario): Promise<Sample> {
  const usedBefore = await cpuOf(target);
  const { bytes, bytesPerSecond } = await client.run({ ...requestOf(target), ...loadOf(scenario) });
  const used = (await cpuOf(target)) - usedBefore;
  return {
    megabytesPerSecond: bytesPerSecond / MEGABYTE,
    cpuMsPerGigabyte: (used * 1000) / (bytes / 1024 / MEGABYTE),
  };
}

const cpuOf = async ({ pid }: Target): Promise<number> => (pid === null ? null : await cpuSeconds(pid)) ?? Number.NaN;

const requestOf = ({ port, path, headers }: Target) => ({ port, path, headers });

const loadOf = ({ rangeBytes, connections }: Scenario) => ({
  rangeBytes,
  connections,
  fileBytes: FILE_BYTES,
  seconds: SECONDS,
});

/** Peak memory under a long load, against a short load of the same kind. 1 means no growth. */
async function memoryRow(client: LoadClient, product: BenchProduct, target: Target): Promise<BenchRow> {
  const load = { ...requestOf(target), ...loadOf({ name: 'whole', rangeBytes: null, connections: 32 }) };
  const short = await peakMemory(product, client.run({ ...load, seconds: 1 }));
  const long = await peakMemory(product, client.run({ ...load, seconds: sized(6, 1) }));
  return benchRow({
    name: 'peak memory in 6 s of whole files, against 1 s',
    ours: long,
    baseline: short,
    unit: 'MB',
    aim: { atMost: 1.1 },
  });
}

async function peakMemory(product: BenchProduct, work: Promise<unknown>): Promise<number> {
  let peak = 0;
  let working = true;
  const stop = () => {
    working = false;
  };
  work.then(stop, stop);
  while (working) {
    peak = Math.max(peak, await product.rssMb());
    await delay(100);
  }
  await work;
  return peak;
}

async function writeVideo(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, NAME);
  const file = await open(path, 'w');
  const block = Buffer.alloc(MEGABYTE, 'interview');
  for (let written = 0; written < FILE_BYTES; written += MEGABYTE) await file.write(block);
  await file.close();
  return path;
}

if (import.meta.main) printRows(await run());
