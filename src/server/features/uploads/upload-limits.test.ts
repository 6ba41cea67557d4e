import { statfs } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { listLogs } from '#contracts/logs.ts';
import { createUpload, deleteUpload, listUploads } from '#contracts/uploads.ts';
import { roomForUploads } from '#server/adapters/file-store-local/disk-room.ts';
import { type Person, refusal } from '#support/call.ts';
import { startSharedApp, type TestApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';

const GB = 2 ** 30;
/** Sent by the first chunk of a body, so that it is not refused as another format. */
const START = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0', 'latin1');

let product: TestApp;
let recruiter: Person;
let funnelId: number;
let otherAccount: number;
beforeAll(async () => {
  const shared = await startSharedApp({
    env: { MAX_UPLOAD_BYTES_PER_ACCOUNT: String(3 * GB), MAX_UPLOAD_BYTES: String(5 * GB), MAX_VIDEO_BYTES: '1e15' },
    paces: { uploadPace: { bytesPerSecond: 8 * 1024, periodMs: 200, maxSlow: 2 } },
  });
  product = shared.product;
  recruiter = await product.signedIn();
  funnelId = await product.build.activeFunnel(recruiter, { source: 'upload' });
  const other = product.db.insertInto('account').values({ username: 'olga', password_hash: 'none' });
  otherAccount = (await other.returning('id').executeTakeFirstOrThrow()).id;
  await product.app.listen({ port: 0, host: '127.0.0.1' });
  return shared.clear;
});

beforeEach(() => product.db.deleteFrom('upload').execute());

const begin = (size: number) =>
  recruiter.call(createUpload, {
    body: {
      funnelId,
      fileName: 'dana.mp4',
      size,
      modifiedAt: '2026-11-20T08:00:00.000Z',
      candidateName: 'Dana Moore',
      candidateEmail: null,
      title: null,
      recordedDate: null,
    },
  });

/** Gives the uploads so far to another account. */
const giveAway = () => product.db.updateTable('upload').set({ account_id: otherAccount }).execute();

describe('the bytes that uploads promise', () => {
  test('an account cannot promise more unfinished bytes than its share, until it cancels some', async () => {
    const { id } = await begin(2 * GB);
    const { status, body } = await refusal(begin(2 * GB));
    expect([status, body.message]).toEqual([
      409,
      'Your unfinished uploads may have 3 GB in all. Finish or cancel some of them first.',
    ]);
    await begin(GB);
    await recruiter.call(deleteUpload, { params: { id } });
    await begin(2 * GB);
  });

  test('uploads of all accounts together are limited, even when they are created at once', async () => {
    await begin(3 * GB);
    await giveAway();
    await begin(GB);
    const { status, body } = await refusal(begin(2 * GB));
    expect([status, body.message]).toEqual([
      409,
      'The unfinished uploads of all users already take 4 GB of 5 GB. Try again when some have ended.',
    ]);
    await product.db.deleteFrom('upload').execute();
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => begin(GB)));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(3);
  });

  test('one upload may exceed the limits of bytes, but not the free space', async () => {
    await begin(6 * GB);
    await product.db.deleteFrom('upload').execute();
    const { bavail, bsize } = await statfs(product.dataDir);
    const { status, body } = await refusal(begin(bavail * bsize));
    expect([status, body.message]).toEqual([
      409,
      expect.stringMatching(
        /^There isn't enough space for this file \([\d,.]+ GB\)\. Try again later, or ask an administrator to free space\.$/,
      ),
    ]);
  });

  test('uploads leave a tenth of the disk free, and at most 1 GB', async () => {
    const { bavail, bsize, blocks } = await statfs(product.dataDir);
    const kept = bavail * bsize - (await roomForUploads(product.dataDir));
    // Other tests write to the same disk.
    expect(Math.abs(kept - Math.min(GB, (blocks * bsize) / 10))).toBeLessThan(0.2 * GB);
  });
});

describe('uploads without progress', () => {
  const age = (hours: number, id: string) =>
    product.db
      .updateTable('upload')
      .set({ updated_at: sql<Date>`now() - ${hours} * interval '1 hour'` })
      .where('id', '=', id)
      .execute();

  test('an upload without progress for a day gives way to a new one when space is short, with a log entry', async () => {
    const idle = await begin(2 * GB);
    await giveAway();
    const active = await begin(3 * GB);
    await giveAway();
    await age(23, idle.id);
    expect((await refusal(begin(GB))).status).toBe(409);
    await age(25, idle.id);
    const added = await begin(GB);
    const rows = await product.db.selectFrom('upload').select('id').orderBy('created_at').execute();
    expect(rows.map(({ id }) => id)).toEqual([active.id, added.id]);
    const { logs } = await recruiter.call(listLogs, { query: {} });
    expect(logs.find(({ action, status }) => action === 'cancel-upload' && status === 'warning')).toMatchObject({
      summary: 'An upload without progress for a day was deleted, because space for uploads is short.',
      metadata: { interviewIds: [idle.id] },
    });
  });

  test('an upload without progress for a day stays while there is space', async () => {
    const idle = await begin(GB);
    await age(25, idle.id);
    await begin(GB);
    expect((await recruiter.call(listUploads, {})).map(({ id }) => id)).toContain(idle.id);
  });
});

describe('a slow connection', () => {
  /** Sends the start of a recording, then a byte at a time. Resolves with the response. */
  function drip(id: string, size: number): Promise<{ status: number | undefined; body: string; afterMs: number }> {
    const began = performance.now();
    const { port } = product.app.server.address() as AddressInfo;
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': size,
      cookie: recruiter.cookie ?? '',
    };
    const call = request({ port, path: `/api/uploads/${id}/content`, method: 'PATCH', headers });
    onTestFinished(() => void call.destroy());
    call.write(START);
    const timer = setInterval(() => call.write('x'), 50);
    return new Promise((resolve, reject) => {
      call.on('error', reject);
      call.on('response', async (response) => {
        let body = '';
        for await (const chunk of response) body += chunk;
        clearInterval(timer);
        resolve({ status: response.statusCode, body, afterMs: performance.now() - began });
      });
    });
  }

  test('a connection below the least pace is ended with a message, and its bytes are kept', async () => {
    const { id } = await begin(100_000);
    const { status, body } = await drip(id, 100_000);
    expect([status, JSON.parse(body).message]).toEqual([
      503,
      'The connection is too slow. Retry continues where it stopped.',
    ]);
    const received = async () => (await recruiter.call(listUploads, {})).find((one) => one.id === id)?.received ?? 0;
    await until('its bytes are kept', async () => (await received()) > START.length);
  });

  test('one more slow connection than the limit is ended at once', async () => {
    const uploads = [await begin(100_000), await begin(100_000), await begin(100_000), await begin(100_000)];
    const responses = await Promise.all(uploads.map(({ id }) => drip(id, 100_000)));
    expect(responses.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    const [first = 0, second = 0, third = 0] = responses
      .map(({ afterMs }) => afterMs)
      .toSorted((one, two) => one - two);
    // Two are ended after a period, the others after six.
    expect(third - second).toBeGreaterThan(second - first);
  });
});
