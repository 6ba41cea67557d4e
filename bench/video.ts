import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchRow, benchRow, median, printRows } from './row.ts';
import { startNginx } from './video/nginx.ts';
import { type LoadClient, type MeasuredServer, startLoadClient, startServer } from './video/processes.ts';

const MEGABYTE = 1024 * 1024;
const FILE_BYTES = 200 * MEGABYTE;
const NAME = 'bench.mp4';
const ROUNDS = 7;
const SECONDS = 0.6;
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
}

/** Our video route, with its session check, against a bare node:http server that pipes a file stream, and against nginx. */
export async function run(): Promise<BenchRow[]> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-video-'));
  const path = await writeVideo(directory);
  const bare = await startServer('bare-server.ts', path);
  const product = await startServer('product-server.ts', directory);
  const nginx = await startNginx(join(directory, 'videos'));
  const client = startLoadClient();
  try {
    const targets = {
      bare: { port: bare.port, path: '/', headers: [] },
      ours: { port: product.port, path: `/api/files/video/${NAME}`, headers: ['cookie: session=bench'] },
      ...(nginx && { nginx: { port: nginx.port, path: `/${NAME}`, headers: [] } }),
    };
    const rows = [];
    for (const scenario of SCENARIOS) rows.push(...(await compare(client, targets, scenario)));
    return [...rows, await memoryRow(client, product, targets.ours)];
  } finally {
    await Promise.all([client.stop(), bare.stop(), product.stop(), nginx?.stop()]);
    await rm(directory, { recursive: true });
  }
}

/** The servers take turns in every round, so that what else the machine does falls on all of them alike. */
async function compare(client: LoadClient, targets: Record<string, Target>, scenario: Scenario): Promise<BenchRow[]> {
  const speeds = new Map(Object.keys(targets).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, target] of Object.entries(targets)) {
      const { bytesPerSecond } = await client.run({ ...target, ...loadOf(scenario) });
      speeds.get(name)?.push(bytesPerSecond / MEGABYTE);
    }
  }
  const title = `${scenario.name}, ${scenario.connections} connection${scenario.connections > 1 ? 's' : ''}`;
  const { ours = [], ...others } = Object.fromEntries(speeds);
  return Object.entries(others).map(([name, baseline]) =>
    benchRow({
      name: `${title}, against ${name}`,
      ours: median(ours),
      baseline: median(baseline),
      unit: 'MB/s',
      ratio: median(ours.map((speed, round) => speed / (baseline[round] ?? Number.NaN))),
      aim: name === 'bare' ? AIM : null,
    }),
  );
}

const loadOf = ({ rangeBytes, connections }: Scenario) => ({
  rangeBytes,
  connections,
  fileBytes: FILE_BYTES,
  seconds: SECONDS,
});

/** Memory after a long load against the memory after a short one of the same kind: flat means 1. */
async function memoryRow(client: LoadClient, product: MeasuredServer, target: Target): Promise<BenchRow> {
  const load = { ...target, ...loadOf({ name: 'whole', rangeBytes: null, connections: 32 }) };
  await client.run({ ...load, seconds: 1 });
  const before = await product.use();
  await client.run({ ...load, seconds: 6 });
  const after = await product.use();
  return benchRow({
    name: 'peak memory in 6 s of whole files, against the first second',
    ours: after.peak,
    baseline: before.peak,
    unit: 'MB',
    aim: { atMost: 1.1 },
  });
}

async function writeVideo(directory: string): Promise<string> {
  await mkdir(join(directory, 'videos'));
  const path = join(directory, 'videos', NAME);
  const file = await open(path, 'w');
  const block = Buffer.alloc(MEGABYTE, 'interview');
  for (let written = 0; written < FILE_BYTES; written += MEGABYTE) await file.write(block);
  await file.close();
  return path;
}

if (import.meta.main) printRows(await run());
