import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { HOW_TO_GET_SWIFT, isSwiftInstalled } from '#support/swift/find-swift.ts';
import { type Swift, startSwift } from '#support/swift/start-swift.ts';
import { Child } from './child.ts';
import { startProduct } from './product.ts';
import { bareRefresh } from './refresh/bare-client.ts';
import { startRefreshProduct } from './refresh/refresh-product.ts';
import { type FunnelAccess, type SandboxProcess, startSandboxProcess } from './refresh/sandbox-process.ts';
import { type BenchRow, printRows, rowOfRounds } from './row.ts';
import { sized } from './scale.ts';
import type { Load, LoadResult } from './video/load-client.ts';

const MEGABYTE = 2 ** 20;
/** Many short rounds, because the speed of the service varies from second to second. */
const ROUNDS = sized(15, 1);
const SECONDS = sized(1, 0.2);
const REFRESHES = sized(3, 1);
const FILE_BYTES = sized(64, 2) * MEGABYTE;
const NAME = 'bench.mp4';
const VIDEOS = sized(300, 3);
const VIDEO_BYTES = 2 * MEGABYTE;
const RANGES = [
  { name: '64 KB ranges', rangeBytes: 64 * 1024 },
  { name: '1 MB ranges', rangeBytes: MEGABYTE },
].flatMap((range) => [1, 8].map((connections) => ({ ...range, connections })));

/**
 * Files in S3, against a client that uses the bucket directly. The service is OpenStack Swift on
 * this machine, so its own work takes most of the time.
 */
export async function run(): Promise<BenchRow[]> {
  if (!isSwiftInstalled()) {
    console.log(`  skipped: ${HOW_TO_GET_SWIFT}`);
    return [];
  }
  const swift = await startSwift();
  try {
    return [...(await rangeRows(swift)), await refreshRow(swift)];
  } finally {
    await swift.stop();
  }
}

/** Ranges through the product, against signed requests to the bucket. */
async function rangeRows(swift: Swift): Promise<BenchRow[]> {
  const Bucket = await swift.createBucket();
  const Key = `videos/${NAME}`;
  await swift.client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.alloc(FILE_BYTES, 'interview') }));
  const signed = new URL(await getSignedUrl(swift.client, new GetObjectCommand({ Bucket, Key }), { expiresIn: 3_600 }));
  const product = await startProduct({ env: swift.variables(Bucket) });
  const client = new Child(new URL('./video/load-client.ts', import.meta.url));
  try {
    const ours = { port: product.port, path: `/api/files/video/${NAME}`, headers: [`cookie: ${product.cookie}`] };
    const bare = { port: Number(signed.port), path: signed.pathname + signed.search, headers: [] };
    const rows = [];
    for (const scenario of RANGES) rows.push(await rangeRow(client, { ours, bare }, scenario));
    return rows;
  } finally {
    await Promise.all([client.stop(), product.stop()]);
  }
}

type Target = Pick<Load, 'port' | 'path' | 'headers'>;

async function rangeRow(
  client: Child,
  { ours, bare }: { ours: Target; bare: Target },
  { name, rangeBytes, connections }: (typeof RANGES)[number],
): Promise<BenchRow> {
  const load = { rangeBytes, connections, fileBytes: FILE_BYTES, seconds: SECONDS };
  const rates = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.bare.push((await client.ask<LoadResult>({ ...bare, ...load })).bytesPerSecond / MEGABYTE);
    rates.ours.push((await client.ask<LoadResult>({ ...ours, ...load })).bytesPerSecond / MEGABYTE);
  }
  return rowOfRounds({
    name: `${name}, ${connections} connection${connections > 1 ? 's' : ''}, against a signed GET`,
    ours: rates.ours,
    baseline: rates.bare,
    unit: 'MB/s',
    aim: { atLeast: 0.8 },
  });
}

/** A first refresh, against a client that downloads into a folder and uploads from there. */
async function refreshRow(swift: Swift): Promise<BenchRow> {
  const sandbox = await startSandboxProcess();
  const times = { ours: [] as number[], bare: [] as number[] };
  try {
    const [funnel] = sandbox.funnels;
    if (!funnel) throw new Error('The sandbox has no funnels.');
    await sandbox.fill(funnel.funnelId, VIDEOS, VIDEO_BYTES);
    for (let round = 0; round < REFRESHES; round += 1) {
      times.bare.push(await bareUploads(swift, sandbox, funnel));
      times.ours.push(await productUploads(swift, sandbox, funnel));
    }
  } finally {
    await sandbox.stop();
  }
  return rowOfRounds({
    name: `refresh of ${VIDEOS} videos of 2 MB into the bucket, against a bare client`,
    ours: times.ours,
    baseline: times.bare,
    unit: 'ms',
    aim: { atMost: 1.3 },
  });
}

async function bareUploads(swift: Swift, sandbox: SandboxProcess, funnel: FunnelAccess): Promise<number> {
  const Bucket = await swift.createBucket();
  const storeIn = await mkdtemp(join(tmpdir(), 'bench-bare-'));
  const upload = async (path: string) => {
    const { size: ContentLength } = await stat(path);
    const Body = createReadStream(path);
    await swift.client.send(new PutObjectCommand({ Bucket, Key: basename(path), Body, ContentLength }));
    await rm(path);
  };
  try {
    return await bareRefresh(sandbox, funnel, { withFiles: true, storeIn, upload });
  } finally {
    await rm(storeIn, { recursive: true, force: true });
  }
}

async function productUploads(swift: Swift, sandbox: SandboxProcess, funnel: FunnelAccess): Promise<number> {
  const product = await startRefreshProduct(sandbox, funnel, swift.variables(await swift.createBucket()));
  try {
    const took = await product.refresh();
    if ((await sandbox.countFileRequests()) === 0) throw new Error('The refresh downloaded no files.');
    return took;
  } finally {
    await product.stop();
  }
}

if (import.meta.main) printRows(await run());
