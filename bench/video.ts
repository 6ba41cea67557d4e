import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isNginxInstalled, startNginx } from '#support/nginx.ts';
import { type Child, startBareServer, startLoadClient } from './child.ts';
import type { Load } from './load-client.ts';
import { inRounds, sized } from './measure.ts';
import { type BenchProduct, startProduct } from './product.ts';
import { peakMb } from './resident-mb.ts';
import { type BenchRow, benchRow, rowOfRounds } from './row.ts';

const MEGABYTE = 1024 * 1024;
const FILE_BYTES = sized(200, 8) * MEGABYTE;
const NAME = 'bench.mp4';
const ROUNDS = sized(7, 1);
const SECONDS = sized(0.6, 0.05);
const AIM = { atLeast: 1.3 };

const SCENARIOS = [
  { name: '64 KB ranges', rangeBytes: 64 * 1024 },
  { name: '1 MB ranges', rangeBytes: MEGABYTE },
  { name: '200 MB whole', rangeBytes: undefined },
].flatMap((scenario) => [1, 32].map((connections) => ({ ...scenario, connections })));

type Target = Pick<Load, 'port' | 'path' | 'cookie'>;

/**
 * Our video route, with its session check, against a bare node:http server that pipes a file
 * stream, and against nginx.
 */
export async function run(): Promise<BenchRow[]> {
  await using stack = new AsyncDisposableStack();
  const product = stack.use(await startProduct());
  const videos = join(product.dataDir, 'files', 'videos');
  await mkdir(videos, { recursive: true });
  await writeFile(join(videos, NAME), Buffer.alloc(FILE_BYTES, 'interview'));
  const { port } = stack.use(await startBareServer(join(videos, NAME)));
  const nginx = isNginxInstalled() ? await startNginx(nginxSettings(videos)) : null;
  stack.defer(() => nginx?.stop());
  const client = stack.use(startLoadClient());
  const ours = { port: product.port, path: `/api/files/video/${NAME}`, cookie: product.cookie };
  const targets = { ours, bare: { port, path: '/' }, ...(nginx && { nginx: { port: nginx.port, path: `/${NAME}` } }) };
  const rows = await Array.fromAsync(SCENARIOS, (scenario) => compare(client, targets, scenario));
  return [...rows.flat(), await memoryRow(client, product, ours)];
}

async function compare(
  client: Child,
  targets: Record<string, Target>,
  { name, ...load }: (typeof SCENARIOS)[number],
): Promise<BenchRow[]> {
  const rate = async (target: Target) =>
    (await client.ask<number>({ ...target, ...load, fileBytes: FILE_BYTES, seconds: SECONDS })) / MEGABYTE;
  const { ours = [], ...others } = await inRounds(
    ROUNDS,
    Object.fromEntries(Object.entries(targets).map(([name, target]) => [name, () => rate(target)])),
  );
  const title = `${name}, ${load.connections} connection${load.connections > 1 ? 's' : ''}, against`;
  return Object.entries(others).map(([other, baseline]) =>
    rowOfRounds({ name: `${title} ${other}`, ours, baseline, unit: 'MB/s', aim: other === 'bare' ? AIM : null }),
  );
}

/** Peak memory under a long load, against a short load of the same kind. 1 means no growth. */
async function memoryRow(client: Child, { pid }: BenchProduct, target: Target): Promise<BenchRow> {
  const peakIn = (seconds: number) =>
    peakMb(pid, () => client.ask({ ...target, connections: 32, fileBytes: FILE_BYTES, seconds }));
  const baseline = await peakIn(1);
  const ours = await peakIn(sized(6, 1));
  const name = 'peak memory in 6 s of whole files, against 1 s';
  return benchRow({ name, ours, baseline, unit: 'MB', aim: { atMost: 1.1 } });
}

/** The usual settings of an nginx that serves a folder. */
const nginxSettings = (root: string) => `sendfile on; keepalive_requests 1000000; server { root ${root}; }`;
