import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { getInterview } from '#contracts/interviews.ts';
import { createUpload, deleteUpload, keepDuplicate, listUploads, type Upload } from '#contracts/uploads.ts';
import type { Person } from '#support/call.ts';
import { sample } from '#support/make-recording.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { isSwiftInstalled } from '#support/swift/find-swift.ts';
import { listKeys, listUploads as listMultipartUploads } from '#support/swift/objects.ts';
import { type Swift, startSwift } from '#support/swift/start-swift.ts';
import { until } from '#support/until.ts';

const MAX_BYTES = 30_000_000;
const MB = 2 ** 20;

let swift: Swift;
let s3: Record<string, string>;
let web: TestApp;
let otherWeb: TestApp;
let recruiter: Person;
let funnelId: number;
let mp4: Buffer;
/** A recording of several parts: players skip the box at its end. */
let large: Buffer;
const cleanup = new AsyncDisposableStack();

beforeAll(async () => {
  if (!isSwiftInstalled()) return;
  swift = await startSwift();
  cleanup.defer(() => swift.stop());
  s3 = { ...swift.variables(await swift.createBucket()), MAX_VIDEO_BYTES: String(MAX_BYTES) };
  const onFinished = (stop: () => Promise<void>) => void cleanup.defer(stop);
  // Each process has its own DATA_DIR.
  web = await startApp({ env: { ...s3, ROLES: 'web' }, isAlone: false, onFinished });
  const { database } = web;
  otherWeb = await startApp({ env: { ...s3, ROLES: 'web' }, isAlone: false, database, onFinished });
  await startApp({ env: { ...s3, ROLES: 'worker' }, isAlone: false, database, onFinished });
  recruiter = await web.signedIn();
  funnelId = await web.build.activeFunnel(recruiter, { source: 'upload' });
  mp4 = await sample('eng-microphone-off.mp4');
  const skipped = Buffer.alloc(20 * MB);
  skipped.writeUInt32BE(skipped.length);
  skipped.write('free', 4, 'latin1');
  large = Buffer.concat([mp4, skipped]);
}, 180_000);
afterAll(() => cleanup.disposeAsync());

beforeEach(async () => {
  if (isSwiftInstalled()) await web.db.deleteFrom('recording_checksum').execute();
});

const begin = (content: Uint8Array, more: object = {}) =>
  recruiter.call(createUpload, {
    body: {
      funnelId,
      fileName: 'dana.mp4',
      size: content.length,
      modifiedAt: '2026-11-20T08:00:00.000Z',
      candidateName: 'Dana Moore',
      candidateEmail: 'dana@example.com',
      title: 'Frontend interview',
      recordedDate: null,
      ...more,
    },
  });

const headers = (offset: number) => ({
  'tus-resumable': '1.0.0',
  'upload-offset': String(offset),
  'content-type': 'application/offset+octet-stream',
});

interface Sent {
  id: string;
  offset: number;
  payload: Buffer | Readable;
  person?: Person;
}

const send = (product: TestApp, { id, offset, payload, person = recruiter }: Sent) =>
  product.app.inject({
    method: 'PATCH',
    url: `/api/uploads/${id}/content`,
    headers: { ...headers(offset), cookie: person.cookie ?? '' },
    payload,
  });

/** In chunks, as a connection receives them. */
const streamOf = (content: Buffer) =>
  Readable.from(
    Array.from({ length: Math.ceil(content.length / 300_000) }, (_, index) =>
      content.subarray(index * 300_000, (index + 1) * 300_000),
    ),
    { objectMode: false },
  );

const offsetOf = async (product: TestApp, id: string) =>
  Number(
    (
      await product.app.inject({
        method: 'HEAD',
        url: `/api/uploads/${id}/content`,
        headers: { 'tus-resumable': '1.0.0', cookie: recruiter.cookie ?? '' },
      })
    ).headers['upload-offset'],
  );

const becomes = (id: string, state: Upload['state']) =>
  until(
    `the upload is ${state}`,
    async () => {
      const upload = (await recruiter.call(listUploads, {})).find((one) => one.id === id);
      return upload?.state === state ? upload : null;
    },
    30_000,
  );

/** Everything that the bucket has of an upload, complete or not. */
const kept = async (id: string) =>
  [...(await listKeys(swift, s3)), ...(await listMultipartUploads(swift, s3))].filter((key) => key.includes(id));

describe.skipIf(!isSwiftInstalled())('uploads into a bucket', { timeout: 90_000 }, () => {
  test('two web processes receive an upload by turns, and a worker checks it, without a common folder', async () => {
    const { id } = await begin(large);
    const half = 9 * MB;
    expect((await send(web, { id, offset: 0, payload: streamOf(large.subarray(0, half)) })).statusCode).toBe(204);
    expect(await offsetOf(otherWeb, id)).toBe(half);
    expect((await send(otherWeb, { id, offset: 0, payload: large.subarray(0, 1_000) })).statusCode).toBe(409);
    const rest = { id, offset: half, payload: streamOf(large.subarray(half)) };
    expect((await send(otherWeb, rest)).statusCode).toBe(204);
    await becomes(id, 'done');
    expect(await recruiter.call(getInterview, { params: { id }, query: {} })).toMatchObject({
      duration: 20,
      videoFile: `${id}.mp4`,
    });
    const { rawPayload } = await recruiter.request({ method: 'GET', url: `/api/files/video/${id}.mp4` });
    expect(rawPayload.equals(large)).toBe(true);
    // The object is all that is left of it.
    expect(await kept(id)).toEqual([`videos/${id}.mp4`]);
    const more = { id, offset: large.length, payload: Readable.from([mp4]) };
    expect((await send(web, more)).statusCode).toBe(409);
  });

  test('an upload continues at another process while its old connection is still open', async () => {
    await web.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = web.app.server.address() as AddressInfo;
    const { id } = await begin(mp4);
    const half = Math.floor(mp4.length / 2);
    const old = request({
      port,
      path: `/api/uploads/${id}/content`,
      method: 'PATCH',
      headers: { ...headers(0), 'content-length': mp4.length, cookie: recruiter.cookie },
    });
    onTestFinished(() => void old.destroy());
    let reported: string | undefined;
    old.on('response', (response) => {
      reported = String(response.headers['upload-offset']);
    });
    old.on('error', () => {}).write(mp4.subarray(0, half));
    // A request before the old one holds the upload does not stop it.
    await until('the old connection gets a response', async () => {
      await offsetOf(otherWeb, id);
      return reported !== undefined;
    });
    const offset = await offsetOf(otherWeb, id);
    expect(String(offset)).toBe(reported);
    expect((await send(otherWeb, { id, offset, payload: mp4.subarray(offset) })).statusCode).toBe(204);
    await becomes(id, 'done');
  });

  test('more bytes than promised, and content that is not a recording, are rejected and leave nothing', async () => {
    const { id } = await begin(mp4, { size: 100 });
    expect((await send(web, { id, offset: 0, payload: Readable.from([mp4]) })).statusCode).toBe(413);
    expect(await offsetOf(web, id)).toBe(0);
    const page = Buffer.from('<!doctype html><title>This is a page</title>');
    const refused = await begin(page);
    expect((await send(web, { id: refused.id, offset: 0, payload: page })).statusCode).toBe(415);
    await becomes(refused.id, 'failed');
    expect([...(await kept(id)), ...(await kept(refused.id))]).toEqual([]);
  });

  test('a canceled upload leaves neither objects nor parts, even when a process was still receiving it', async () => {
    const { id } = await begin(large);
    await send(web, { id, offset: 0, payload: streamOf(large.subarray(0, 9 * MB)) });
    expect(await kept(id)).toHaveLength(2);
    let isCanceled = false;
    const payload = Readable.from(
      (async function* () {
        yield large.subarray(9 * MB, 10 * MB);
        await recruiter.call(deleteUpload, { params: { id } });
        isCanceled = true;
        yield large.subarray(10 * MB, 11 * MB);
      })(),
    );
    await send(otherWeb, { id, offset: 9 * MB, payload });
    expect(isCanceled).toBe(true);
    await until('nothing of it is left', async () => (await kept(id)).length === 0, 20_000);
  });

  test('the upload of another account is unknown, and a duplicate waits for a decision', async () => {
    const first = await begin(mp4);
    expect((await send(web, { id: first.id, offset: 0, payload: mp4 })).statusCode).toBe(204);
    await becomes(first.id, 'done');
    const { id } = await begin(mp4);
    const anonymous = await send(web, { id, offset: 0, payload: mp4, person: web.anonymous() });
    expect(anonymous.statusCode).toBe(401);
    await web.db.updateTable('upload').set({ account_id: null }).where('id', '=', id).execute();
    expect((await send(web, { id, offset: 0, payload: mp4 })).statusCode).toBe(404);
    const again = await begin(mp4);
    await send(otherWeb, { id: again.id, offset: 0, payload: mp4 });
    expect(await becomes(again.id, 'duplicate')).toMatchObject({ duplicateOf: first.id });
    await recruiter.call(keepDuplicate, { params: { id: again.id } });
    await becomes(again.id, 'done');
    expect(await kept(again.id)).toEqual([`videos/${again.id}.mp4`]);
  });

  test('an upload is finished when the process was killed after the last byte', async () => {
    const { id } = await begin(mp4);
    await send(web, { id, offset: 0, payload: mp4.subarray(0, 1_000) });
    // As if the process had not recorded the end.
    await web.db.updateTable('upload').set({ size_bytes: 1_000 }).where('id', '=', id).execute();
    expect(await offsetOf(otherWeb, id)).toBe(1_000);
    await until('it was checked', async () => {
      const upload = (await recruiter.call(listUploads, {})).find((one) => one.id === id);
      return upload?.state === 'done' || upload?.state === 'failed';
    });
  });
});
