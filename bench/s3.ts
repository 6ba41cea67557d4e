import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { HOW_TO_GET_SWIFT, isSwiftInstalled } from '#support/swift/find-swift.ts';
import { type Swift, startSwift } from '#support/swift/start-swift.ts';
import { startLoadClient } from './child.ts';
import { inRounds, sized } from './measure.ts';
import { startProduct } from './product.ts';
import { bareRefreshStoring } from './refresh/bare-client.ts';
import { startRefreshProduct } from './refresh/refresh-product.ts';
import { type SandboxProcess, startSandboxProcess } from './refresh/sandbox-process.ts';
import { type BenchRow, rowOfRounds } from './row.ts';

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
  await using started = new AsyncDisposableStack();
  const swift = started.adopt(await startSwift(), (running) => running.stop());
  return [...(await rangeRows(swift)), await refreshRow(swift)];
}

/** Ranges through the product, against signed requests to the bucket. */
async function rangeRows(swift: Swift): Promise<BenchRow[]> {
  const Bucket = await swift.createBucket();
  const Key = `videos/${NAME}`;
  await swift.client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.alloc(FILE_BYTES, 'interview') }));
  const signed = new URL(await getSignedUrl(swift.client, new GetObjectCommand({ Bucket, Key }), { expiresIn: 3_600 }));
  await using product = await startProduct({ env: swift.variables(Bucket) });
  await using client = startLoadClient();
  return await Array.fromAsync(RANGES, async ({ name, rangeBytes, connections }) => {
    const load = { rangeBytes, connections, fileBytes: FILE_BYTES, seconds: SECONDS };
    const rate = async (target: { port: number; path: string; cookie?: string }) =>
      (await client.ask<number>({ ...target, ...load })) / MEGABYTE;
    const { ours, bare } = await inRounds(ROUNDS, {
      bare: () => rate({ port: Number(signed.port), path: signed.pathname + signed.search }),
      ours: () => rate({ port: product.port, path: `/api/files/video/${NAME}`, cookie: product.cookie }),
    });
    const title = `${name}, ${connections} connection${connections > 1 ? 's' : ''}, against a signed GET`;
    return rowOfRounds({ name: title, ours, baseline: bare, unit: 'MB/s', aim: { atLeast: 0.8 } });
  });
}

/** A first refresh, against a client that downloads into a folder and uploads from there. */
async function refreshRow(swift: Swift): Promise<BenchRow> {
  using sandbox = await startSandboxProcess();
  await sandbox.fill(VIDEOS, VIDEO_BYTES);
  const { ours, bare } = await inRounds(REFRESHES, {
    bare: () => bareUploads(swift, sandbox),
    ours: () => productUploads(swift, sandbox),
  });
  const name = `refresh of ${VIDEOS} videos of 2 MB into the bucket, against a bare client`;
  return rowOfRounds({ name, ours, baseline: bare, aim: { atMost: 1.3 } });
}

async function bareUploads(swift: Swift, sandbox: SandboxProcess): Promise<number> {
  const Bucket = await swift.createBucket();
  return bareRefreshStoring(sandbox, async (path) => {
    const { size: ContentLength } = await stat(path);
    const Body = createReadStream(path);
    await swift.client.send(new PutObjectCommand({ Bucket, Key: basename(path), Body, ContentLength }));
    await rm(path);
  });
}

async function productUploads(swift: Swift, sandbox: SandboxProcess): Promise<number> {
  await using product = await startRefreshProduct(sandbox, swift.variables(await swift.createBucket()));
  const { ms, files } = await product.refresh();
  if (files === 0) throw new Error('The refresh downloaded no files.');
  return ms;
}
