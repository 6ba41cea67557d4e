import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateMultipartUploadCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { deleteFunnel } from '#contracts/funnels.ts';
import { listInterviews } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import type { S3StoreOptions } from '#server/adapters/file-store-s3/s3-file-store.ts';
import { checkConfigCommand } from '#server/cli/check-config-command.ts';
import { filesCommand } from '#server/cli/files-command.ts';
import { backUp, emptyFolder, restore } from './support/backups.ts';
import type { Person } from './support/call.ts';
import { runCommand } from './support/commands.ts';
import { setUpProcessing } from './support/processing.ts';
import { filesIn, refresh } from './support/refreshing.ts';
import { startApp, type TestApp } from './support/start-app.ts';
import { isSwiftInstalled } from './support/swift/find-swift.ts';
import { listKeys, listUploads, openStore } from './support/swift/objects.ts';
import { startRelay } from './support/swift/relay.ts';
import { type Swift, startSwift } from './support/swift/start-swift.ts';
import { createEmptyDatabase } from './support/test-database.ts';
import { until } from './support/until.ts';

let swift: Swift;
let s3: Record<string, string>;

beforeAll(async () => {
  if (!isSwiftInstalled()) return;
  swift = await startSwift();
  s3 = swift.variables(await swift.createBucket());
});
afterAll(() => swift?.stop());

let prefixes = 0;
/** Variables with an empty prefix of the bucket. */
function newPrefix(): Record<string, string> & { S3_PREFIX: string } {
  prefixes += 1;
  return { ...s3, S3_PREFIX: `test-${prefixes}/` };
}

const keysIn = (variables: Record<string, string>) => listKeys(swift, variables);
const uploadsIn = (variables: Record<string, string>) => listUploads(swift, variables);
const storeIn = (variables: Record<string, string>, more: Partial<S3StoreOptions> = {}) =>
  openStore(swift, variables, more);

const get = (person: Person, url: string, headers: Record<string, string> = {}) =>
  person.request({ method: 'GET', url, headers });

async function videoOf(person: Person): Promise<string> {
  const { interviews } = await person.call(listInterviews, { query: { limit: 100 } });
  return interviews.find(({ videoFile }) => videoFile)?.videoFile ?? '';
}

const askReadiness = (product: TestApp) => product.anonymous().request({ method: 'GET', url: '/readyz' });
const readiness = async (product: TestApp) => (await askReadiness(product)).json();

describe.skipIf(!isSwiftInstalled())('files in S3', { timeout: 90_000 }, () => {
  const cleanup = new AsyncDisposableStack();
  let env: ReturnType<typeof newPrefix>;
  /** A product with refreshed interviews, for tests that remove nothing. */
  let stored: Awaited<ReturnType<typeof setUpProcessing>>;
  beforeAll(async () => {
    env = newPrefix();
    stored = await setUpProcessing({ env, onFinished: (clear) => cleanup.defer(clear) });
  });
  afterAll(() => cleanup.disposeAsync());

  test('a refresh stores files in the bucket, ranges of them play, and a conversion publishes one', async () => {
    const { sandbox, product, recruiter, id, read, done } = stored;
    const keys = await keysIn(env);
    const { videoFile } = await read();
    expect(keys).toContain(`videos/${videoFile}`);
    expect(keys.some((key) => key.startsWith('thumbnails/'))).toBe(true);
    expect([await filesIn(product, 'videos'), await readdir(join(product.dataDir, 'spool', 'videos'))]).toEqual([
      [],
      [],
    ]);

    const whole = await get(recruiter, `/api/files/video/${videoFile}`);
    expect([whole.statusCode, whole.headers['content-type']]).toEqual([200, 'video/mp4']);
    const size = whole.rawPayload.length;
    const part = await get(recruiter, `/api/files/video/${videoFile}`, { range: 'bytes=1000-1999' });
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 1000-1999/${size}`]);
    expect(part.rawPayload).toEqual(whole.rawPayload.subarray(1_000, 2_000));
    const etag = String(whole.headers.etag);
    expect((await get(recruiter, `/api/files/video/${videoFile}`, { 'if-none-match': etag })).statusCode).toBe(304);

    expect((await done('convert')).youtubeStatus).toBe('completed');
    expect(sandbox.control.published()).toMatchObject([{ sizeBytes: size }]);
    expect((await done('transcribe')).transcriptionStatus).toBe('completed');
    expect((await read()).id).toBe(id);
    const { interviews } = await recruiter.call(listInterviews, { query: { limit: 100 } });
    expect(interviews.find(({ videoFile: file }) => file === videoFile)?.duration).not.toBeNull();
  });

  test('deleting a funnel removes its objects', async () => {
    const env = newPrefix();
    const { recruiter, funnelId } = await setUpProcessing({ env });
    const video = await videoOf(recruiter);
    expect((await keysIn(env)).length).toBeGreaterThan(1);
    await recruiter.call(deleteFunnel, { params: { id: funnelId } });
    await until('the objects are removed', async () => (await keysIn(env)).length === 0);
    expect((await get(recruiter, `/api/files/video/${video}`)).statusCode).toBe(404);
  });

  test('uploads in parts that were abandoned are aborted once, recent ones are kept', async () => {
    const env = newPrefix();
    const [Bucket, Key] = [env.S3_BUCKET, `${env.S3_PREFIX}videos/large.mp4`];
    const { UploadId } = await swift.client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    await swift.client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: 'part' }));
    await (await storeIn(env)).removeAbandoned();
    expect(await uploadsIn(env)).toEqual(['videos/large.mp4']);
    const sweeping = await storeIn(env, { abandonedAfterMs: -60_000 });
    await Promise.all([sweeping.removeAbandoned(), sweeping.removeAbandoned()]);
    expect(await uploadsIn(env)).toEqual([]);
  });

  test('a file above 16 MB is uploaded in parts and read back unchanged', async () => {
    const store = await storeIn(newPrefix());
    const block = Buffer.alloc(2 ** 20, 'interview');
    const partial = await store.resume('video', 'large.mp4');
    for (let block0 = 0; block0 < 34; block0 += 1) {
      block.writeUInt32BE(block0);
      await partial.append(block);
    }
    await partial.commit();
    const another = await storeIn({ ...s3, S3_PREFIX: `test-${prefixes}/` });
    const file = await another.open('video', 'large.mp4');
    if (!file) throw new Error('The file should be there');
    expect([file.file.size, file.file.etag]).toEqual([34 * 2 ** 20, expect.stringMatching(/^[0-9a-f]{32}-3$/)]);
    const start = Buffer.alloc(4);
    for (const at of [0, 17, 33]) {
      await file.read(start, at * 2 ** 20);
      expect(start.readUInt32BE()).toBe(at);
    }
    expect(await another.hasContent('video', 'large.mp4', file)).toBe(true);
    await file.close();
  });

  test('an upload whose connection breaks is repeated', async () => {
    const relay = await startRelay(swift.endpoint);
    const env = newPrefix();
    const partial = await (await storeIn(env, { endpoint: relay.endpoint })).resume('video', 'a.mp4');
    await partial.append(Buffer.from('0123456789'));
    relay.breaksLeft = 1;
    await partial.commit();
    expect([relay.breaksLeft, (await (await storeIn(env)).stat('video', 'a.mp4'))?.size]).toEqual([0, 10]);
  });

  test('a file that another process replaces is sent with its new content at once', async () => {
    const env = newPrefix();
    const product = await startApp({ env });
    const recruiter = await product.signedIn();
    const other = await storeIn(env);
    const write = async (text: string) => {
      const partial = await other.resume('video', 'a.mp4');
      await partial.append(Buffer.from(text));
      await partial.commit();
    };
    await write('old content');
    expect((await get(recruiter, '/api/files/video/a.mp4')).payload).toBe('old content');
    await write('new');
    expect((await get(recruiter, '/api/files/video/a.mp4')).payload).toBe('new');
    await other.remove('video', ['a.mp4']);
    expect((await get(recruiter, '/api/files/video/a.mp4')).statusCode).toBe(404);
  });

  test('with S3_DELIVERY=redirect, browsers are sent to signed addresses that the page allows', async () => {
    const webFolder = await mkdtemp(join(tmpdir(), 'web-'));
    onTestFinished(() => rm(webFolder, { recursive: true }));
    await writeFile(join(webFolder, 'index.html'), '<!doctype html>');
    const env = { ...newPrefix(), S3_DELIVERY: 'redirect' };
    const product = await startApp({ env, webFolder });
    const recruiter = await product.signedIn();
    const partial = await (await storeIn(env)).resume('video', 'a.mp4');
    await partial.append(Buffer.from('0123456789'));
    await partial.commit();

    const [first, second] = [
      await get(recruiter, '/api/files/video/a.mp4'),
      await get(recruiter, '/api/files/video/a.mp4'),
    ];
    expect([first.statusCode, first.headers['cache-control']]).toEqual([302, 'no-store']);
    const url = new URL(String(first.headers.location));
    expect(url.origin).toBe(swift.endpoint);
    expect(Number(url.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(300);
    expect(second.headers.location).toBe(url.href);
    const response = await fetch(url, { headers: { range: 'bytes=2-4' } });
    expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([
      206,
      '234',
      'video/mp4',
    ]);
    const head = await recruiter.request({ method: 'HEAD', url: '/api/files/video/a.mp4' });
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, '10']);
    const page = await recruiter.request({ method: 'GET', url: '/' });
    for (const directive of ['img-src', 'media-src'])
      expect(page.headers['content-security-policy']).toMatch(new RegExp(`${directive} [^;]*${swift.endpoint}`));
    expect((await get(recruiter, '/api/files/video/b.mp4')).statusCode).toBe(404);
    expect((await get(product.anonymous(), '/api/files/video/a.mp4')).statusCode).toBe(401);
  });

  test.each([
    ['bucket_missing', { S3_BUCKET: 'nowhere' }, 'There is no bucket "nowhere" at http://127.0.0.1'],
    ['credentials_refused', { S3_SECRET_ACCESS_KEY: 'wrong' }, 'refused the credentials for the bucket "bucket-'],
    ['unreachable', { S3_ENDPOINT: 'http://127.0.0.1:9' }, 'http://127.0.0.1:9 does not answer (ECONNREFUSED)'],
  ])('%s is reported at the start, by readiness and by check:config', async (kind, wrong, message) => {
    const product = await startApp({ env: { ...newPrefix(), ...wrong } });
    const ready = await askReadiness(product);
    expect(ready.statusCode).toBe(503);
    const { checks } = ready.json();
    expect(checks.files).toBe(`cannot be written (${kind.replace('_', ' ')})`);
    const recruiter = await product.signedIn();
    const entry = await until('the outage is logged', async () =>
      (await recruiter.call(listLogs, { query: {} })).logs.find(({ action }) => action === 'file-store-outage'),
    );
    expect(JSON.stringify(entry)).toContain(JSON.stringify(message).slice(1, -1));
    await expect(runCommand(checkConfigCommand, [], product.environment)).rejects.toThrow(message);
  });

  test('files of interviews and of their answers are moved to the bucket and back, even after an interrupted move', async () => {
    const { product, recruiter, id } = await setUpProcessing();
    const segment = { interview_id: id, source_id: 'answer', position: 0, video_file: 'answer.mp4' };
    await product.db.insertInto('interview_segment').values(segment).execute();
    await writeFile(join(product.dataDir, 'files/videos/answer.mp4'), 'an answer');
    const env = newPrefix();
    const { FILE_STORE: _, ...settings } = env;
    const video = await videoOf(recruiter);
    const original = (await get(recruiter, `/api/files/video/${video}`)).rawPayload;
    const move = (to: string) =>
      runCommand(filesCommand, ['move', '--to', to], { ...product.environment, ...settings });
    await expect(move('s3')).rejects.toThrow('The product is running.');
    await product.stop();

    // This file was copied before a kill, and the others were not.
    const videos = await filesIn(product, 'videos');
    const partial = await (await storeIn(env)).resume('video', video);
    await partial.append(original);
    await partial.commit();

    const { result } = await move('s3');
    expect(result).toMatch(/^Moved \d+ files to the bucket "bucket-\S+": \d+ copied, 1 already there\.$/m);
    expect((await keysIn(env)).filter((key) => key.startsWith('videos/')).sort()).toEqual(
      videos.map((name) => `videos/${name}`).sort(),
    );
    expect((await move('s3')).result).toContain(' 0 copied');
    await rm(join(product.dataDir, 'files'), { recursive: true });
    const { database, dataDir } = product;
    const moved = await startApp({ database, dataDir, env: settings });
    expect((await get(await moved.signedIn(), `/api/files/video/${video}`)).rawPayload).toEqual(original);
    await moved.stop();

    expect((await move('local')).result).toContain('already there.');
    const back = await startApp({ database, dataDir });
    expect((await get(await back.signedIn(), `/api/files/video/${video}`)).rawPayload).toEqual(original);
    expect((await filesIn(back, 'videos')).sort()).toEqual(videos.sort());
  });

  test('a move ends when a file cannot be copied', async () => {
    const { product, id } = await setUpProcessing();
    const names = Array.from({ length: 60 }, (_, n) => `answer-${n}.mp4`);
    const rows = names.map((name, position) => ({ interview_id: id, source_id: name, position, video_file: name }));
    await product.db.insertInto('interview_segment').values(rows).execute();
    for (const [n, name] of names.entries()) {
      const path = join(product.dataDir, 'files/videos', name);
      await (n < 3 ? symlink(name, path) : writeFile(path, 'an answer'));
    }
    await product.stop();
    const env = newPrefix();
    const { FILE_STORE: _, ...settings } = env;
    const moving = runCommand(filesCommand, ['move', '--to', 's3'], { ...product.environment, ...settings });
    await expect(moving).rejects.toThrow('The file store is unavailable (ELOOP)');
    await sleep(2_000);
    expect((await keysIn(env)).length).toBeLessThan(50);
  });

  test('a backup contains the files that interviews use, and a restore writes them into an empty prefix only', async () => {
    const { product, recruiter } = stored;
    await (await (await storeIn(env)).resume('video', 'unused.mp4')).commit();
    const { file, result } = await backUp({ ...product.environment, ...env });
    const { interviews } = await recruiter.call(listInterviews, { query: { limit: 100 } });
    const used = interviews.flatMap(({ videoFile, thumbnailFile }) => [
      `videos/${videoFile}`,
      `thumbnails/${thumbnailFile}`,
    ]);
    expect(result).toContain(` ${used.length} files`);
    const database = await createEmptyDatabase();
    onTestFinished(database.drop);
    const target = newPrefix();
    const urls = { DATABASE_URL: database.applicationUrl, DATABASE_OWNER_URL: database.url };
    const elsewhere = { ...product.environment, ...target, ...urls, DATA_DIR: await emptyFolder() };
    const other = await (await storeIn(target)).resume('video', 'other.mp4');
    await other.commit();
    await expect(restore(elsewhere, file)).rejects.toThrow('already contains files in test-');
    await (await storeIn(target)).remove('video', ['other.mp4']);
    await restore(elsewhere, file);
    expect((await keysIn(target)).sort()).toEqual(used.sort());
  });

  // The last one, because it stops the service.
  test('while the service is stopped, files return 503 and a refresh reports it; afterwards everything works', async () => {
    const { sandbox, product, recruiter } = stored;
    const video = await videoOf(recruiter);
    expect((await readiness(product)).status).toBe('ok');
    await swift.pause();
    await until('the file cannot be read', async () => {
      const { statusCode } = await get(recruiter, `/api/files/video/${video}`);
      return statusCode === 503;
    });
    const degraded = await until('readiness reports it', async () => {
      const response = await askReadiness(product);
      return response.json().checks.files !== 'ok' && response;
    });
    // With 503, a load balancer would stop sending requests to all processes.
    expect([degraded.statusCode, degraded.json().status]).toEqual([200, 'degraded']);
    const [grown] = sandbox.control.grow('warehouse', 1, { videoBytes: 50_000 });
    const failed = await refresh(product, recruiter);
    expect(failed.downloadedFiles).toBeLessThan(failed.totalFiles);

    await swift.resume();
    await until('readiness is ok again', async () => (await readiness(product)).checks.files === 'ok');
    expect((await get(recruiter, `/api/files/video/${video}`)).statusCode).toBe(200);
    const status = await refresh(product, recruiter);
    expect(status.downloadedFiles).toBe(status.totalFiles);
    const { interviews } = await recruiter.call(listInterviews, { query: { limit: 100 } });
    const grownFile = interviews.find(({ id }) => id === grown?.id)?.videoFile;
    expect(await keysIn(env)).toContain(`videos/${grownFile}`);
    expect(await readdir(join(product.dataDir, 'spool', 'videos'))).toEqual([]);
  });
});
