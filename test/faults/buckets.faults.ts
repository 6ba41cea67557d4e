import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listInterviews } from '#contracts/interviews.ts';
import { startSync } from '#contracts/sync.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { emptyFolder } from '#support/backups.ts';
import { CLI, spawnCommand } from '#support/commands.ts';
import { setUpProcessing } from '#support/processing.ts';
import { filesIn } from '#support/refreshing.ts';
import { startApp } from '#support/start-app.ts';
import { startProcess } from '#support/start-process.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { isSwiftInstalled } from '#support/swift/find-swift.ts';
import { listKeys, listUploads, openStore } from '#support/swift/objects.ts';
import { startRelay } from '#support/swift/relay.ts';
import { type Swift, startSwift } from '#support/swift/start-swift.ts';
import { until } from '#support/until.ts';

describe.skipIf(!isSwiftInstalled())('files in S3', () => {
  let swift: Swift;
  beforeAll(async () => {
    swift = await startSwift();
  });
  afterAll(() => swift?.stop());
  const newBucket = async () => swift.variables(await swift.createBucket());

  test('after a kill in the middle of an upload in parts, no half file is visible, and another machine stores it', async () => {
    const env = await newBucket();
    const sandbox = await startSandbox();
    const [grown] = sandbox.control.grow('warehouse', 1, { videoBytes: 17 * 2 ** 20 });
    const relay = await startRelay(swift.endpoint);
    const prepared = await startApp({ env: { ...productVariables(sandbox), ...env }, jobs: false });
    await prepared.build.activeFunnel(await prepared.signedIn(), sandbox.funnels.at(-1));
    relay.uploads = /^PUT \S*\/videos\/\S*partNumber=2\b/;
    relay.passesLeft = 0;
    const first = await startProcess({ ...prepared.environment, S3_ENDPOINT: relay.endpoint });
    await first.call(startSync, { query: {} });
    await until('the second part is held back', () => relay.heldCount > 0, 30_000);
    await first.kill();
    const half = await listUploads(swift, env);
    expect(half).toHaveLength(1);
    expect(await listKeys(swift, env)).not.toContain(half[0]);

    const [dataDir, { database }] = [await emptyFolder(), prepared];
    const second = await startApp({ database, dataDir, env: { ...productVariables(sandbox), ...env } });
    const recruiter = await second.signedIn();
    const status = await second.refreshEnded(recruiter);
    expect([status.error, status.downloadedFiles]).toEqual([null, status.totalFiles]);
    const { interviews } = await recruiter.call(listInterviews, { query: { limit: 100 } });
    const stored = interviews.find(({ id }) => id === grown?.id)?.videoFile;
    const headers = { range: 'bytes=-1' };
    const last = await recruiter.request({ method: 'GET', url: `/api/files/video/${stored}`, headers });
    expect([last.statusCode, last.headers['content-range']]).toEqual([206, expect.stringMatching(/\/17825792$/)]);
    const used = interviews.flatMap(({ videoFile }) => (videoFile ? [`videos/${videoFile}`] : []));
    const videos = async () => (await listKeys(swift, env)).filter((key) => key.startsWith('videos/')).sort();
    expect(await videos()).toEqual(used.sort());

    expect(await listUploads(swift, env)).toEqual(half);
    await (await openStore(swift, env, { abandonedAfterMs: -60_000 })).removeAbandoned();
    expect([await listUploads(swift, env), await videos()]).toEqual([[], used]);
  });

  test('after a kill in the middle of moving files to the bucket, the next run moves the rest', async () => {
    const { product } = await setUpProcessing();
    await product.stop();
    const env = await newBucket();
    const { FILE_STORE: _, ...settings } = { ...product.environment, ...env };
    const relay = await startRelay(swift.endpoint);
    relay.passesLeft = 2;
    const child = spawn(process.execPath, [CLI, 'files', 'move', '--to', 's3'], {
      env: { PATH: process.env.PATH, ...settings, S3_ENDPOINT: relay.endpoint },
      stdio: 'ignore',
    });
    await until('an upload is held back', () => relay.heldCount > 0, 30_000);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const videos = await filesIn(product, 'videos');
    expect((await listKeys(swift, env)).length).toBeLessThan(
      videos.length + (await filesIn(product, 'thumbnails')).length,
    );

    const { code, printed } = await spawnCommand(['files', 'move', '--to', 's3'], settings);
    expect(code).toBe(0);
    expect(printed).toMatch(/^Moved \d+ files to the bucket "bucket-\S+": \d+ copied, [1-9]\d* already there\.$/m);
    expect((await listKeys(swift, env)).filter((key) => key.startsWith('videos/')).sort()).toEqual(
      videos.map((name) => `videos/${name}`).sort(),
    );
  });
});
