import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isNginxInstalled, startNginx } from '#support/nginx.ts';
import { Child } from './child.ts';
import { type BenchProduct, startProduct } from './product.ts';
import { type BenchRow, benchRow, printRows, rowOfRounds } from './row.ts';
import { sized } from './scale.ts';
import { cpuSeconds } from './video/cpu-seconds.ts';
import type { Load, LoadResult } from './video/load-client.ts';

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
  const bare = new Child(new URL('./video/bare-server.ts', import.meta.url), path);
  const { port } = await bare.receive<{ port: number }>();
  const product = await startProduct({ dataDir });
  const nginx = isNginxInstalled() ? await startNginx(nginxSettings(folder)) : null;
  const client = new Child(new URL('./video/load-client.ts', import.meta.url));
  try {
    const targets: Record<string, Target> = {
      bare: { port, pid: bare.pid, path: '/', headers: [] },
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
async function compare(client: Child, targets: Record<string, Target>, scenario: Scenario): Promise<BenchRow[]> {
  const samples = new Map(Object.keys(targets).map((name) => [name, [] as Sample[]]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, target] of Object.entries(targets))
      samples.get(name)?.push(await sample(client, target, scenario));
  }
  const title = `${scenario.name}, ${scenario.connections} connection${scenario.connections > 1 ? 's' : ''}`;
  const { ours = [], ...others } = Object.fromEntries(samples);
  return Object.entries(others).flatMap(([name, baseline]) => rowsAgainst(name, title, ours, baseline));
}

function rowsAgainst(name: string, title: string, ours: readonly Sample[], baseline: readonly Sample[]): BenchRow[] {
  const rates = (samples: readonly Sample[]) => samples.map(({ megabytesPerSecond }) => megabytesPerSecond);
  const costs = (samples: readonly Sample[]) => samples.map(({ cpuMsPerGigabyte }) => cpuMsPerGigabyte);
  const throughput = { name: `${title}, against ${name}`, ours: rates(ours), baseline: rates(baseline), unit: 'MB/s' };
  if (name !== 'bare') return [rowOfRounds({ ...throughput, aim: null })];
  const cost = { name: '  processor time for it', ours: costs(ours), baseline: costs(baseline), unit: 'ms/GB' };
  return [rowOfRounds({ ...throughput, aim: AIM }), rowOfRounds({ ...cost, aim: null })];
}

async function sample(client: Child, target: Target, scenario: Scenario): Promise<Sample> {
  const usedBefore = await cpuOf(target);
  const { bytes, bytesPerSecond } = await client.ask<LoadResult>(loadOf(target, scenario));
  const used = (await cpuOf(target)) - usedBefore;
  return {
    megabytesPerSecond: bytesPerSecond / MEGABYTE,
    cpuMsPerGigabyte: (used * 1000) / (bytes / 1024 / MEGABYTE),
  };
}

const cpuOf = async ({ pid }: Target): Promise<number> => (pid === null ? null : await cpuSeconds(pid)) ?? Number.NaN;

const loadOf = (
  { port, path, headers }: Target,
  { rangeBytes, connections }: Pick<Scenario, 'rangeBytes' | 'connections'>,
): Load => ({ port, path, headers, rangeBytes, connections, fileBytes: FILE_BYTES, seconds: SECONDS });

/** Peak memory under a long load, against a short load of the same kind. 1 means no growth. */
async function memoryRow(client: Child, product: BenchProduct, target: Target): Promise<BenchRow> {
  const load = loadOf(target, { rangeBytes: null, connections: 32 });
  const short = await peakMemory(product, client.ask({ ...load, seconds: 1 }));
  const long = await peakMemory(product, client.ask({ ...load, seconds: sized(6, 1) }));
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

/** The usual settings of an nginx that serves a folder. */
const nginxSettings = (root: string) => `sendfile on; keepalive_requests 1000000; server { root ${root}; }`;

if (import.meta.main) printRows(await run());
