import { createHash } from 'node:crypto';
import { appendFile, readdir, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { getInterview, getVideo, listInterviews } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { MAX_UNFINISHED_UPLOADS } from '#contracts/rules/limits.ts';
import { createSavedView } from '#contracts/saved-views.ts';
import { startSync } from '#contracts/sync.ts';
import { createUpload, deleteUpload, keepDuplicate, listUploads, type Upload } from '#contracts/uploads.ts';
import { EICAR } from '#sandbox/files/infected-video.ts';
import { ERASURE_LOCK } from '#server/db/advisory-locks.ts';
import { type Person, refusal } from '#support/call.ts';
import { candidateCommand, tablesWith } from '#support/candidate.ts';
import { startClamd } from '#support/clamd.ts';
import { ofSamples, sample } from '#support/make-recording.ts';
import { startApp, startSharedApp, type TestApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { waitingSessions } from '#support/waiting-sessions.ts';
import { deleteExpiredUploads, deleteUploads } from './uploads.repo.ts';
import { EXPIRY } from './uploads.service.ts';

/** The file is long because its tests share one product, whose start takes longer than they do. */

const MAX_BYTES = 5_000_000;

let product: TestApp;
let recruiter: Person;
let funnelId: number;
let mp4: Buffer;
beforeAll(async () => {
  const shared = await startSharedApp({
    env: { MAX_VIDEO_BYTES: String(MAX_BYTES) },
  });
  product = shared.product;
  recruiter = await product.signedIn();
  funnelId = await product.build.activeFunnel(recruiter, { source: 'upload' });
  mp4 = await sample('eng-microphone-off.mp4');
  return shared.clear;
});

beforeEach(async () => {
  // Otherwise the recording of an earlier test would make this one a duplicate.
  await product.db.deleteFrom('recording_checksum').execute();
});

const form = (content: Uint8Array, more: object = {}) => ({
  funnelId,
  fileName: 'dana.mp4',
  size: content.length,
  modifiedAt: '2026-11-20T08:00:00.000Z',
  candidateName: 'Dana Moore',
  candidateEmail: 'dana@example.com',
  title: 'Frontend interview',
  recordedDate: '2026-11-19T10:00:00.000Z',
  ...more,
});

const begin = (content: Uint8Array, more?: object) => recruiter.call(createUpload, { body: form(content, more) });

const tus = (
  method: 'HEAD' | 'PATCH',
  id: string,
  { headers = {}, payload }: { headers?: object; payload?: Buffer | Readable } = {},
) =>
  product.app.inject({
    method,
    url: `/api/uploads/${id}/content`,
    headers: { 'tus-resumable': '1.0.0', cookie: recruiter.cookie ?? '', ...headers },
    ...(payload && { payload }),
  });

const patchHeaders = (offset: number) => ({
  'tus-resumable': '1.0.0',
  'upload-offset': String(offset),
  'content-type': 'application/offset+octet-stream',
});

const send = (id: string, offset: number, payload: Buffer | Readable, headers: object = {}) =>
  tus('PATCH', id, { payload, headers: { ...patchHeaders(offset), ...headers } });

const becomes = (id: string, state: Upload['state']) =>
  until(`the upload is ${state}`, async () => {
    const upload = (await recruiter.call(listUploads, {})).find((one) => one.id === id);
    return upload?.state === state ? upload : null;
  });

async function uploaded(content: Buffer, more?: object): Promise<string> {
  const { id } = await begin(content, more);
  expect((await send(id, 0, content)).statusCode).toBe(204);
  await becomes(id, 'done');
  return id;
}

const storedNames = async () => {
  const names = await readdir(join(product.dataDir, 'files'), { recursive: true, withFileTypes: true });
  return names.filter((entry) => entry.isFile()).map(({ name }) => name);
};

describe('an uploaded recording', () => {
  test('an uploaded recording becomes an interview with its duration, files and log entry', async () => {
    const thumbnail = (await sample('eng-testing.jpg')).toString('base64');
    const id = await uploaded(mp4, { thumbnail });
    const interview = await recruiter.call(getInterview, { params: { id }, query: {} });
    expect(interview).toMatchObject({
      id,
      title: 'Frontend interview',
      candidateName: 'Dana Moore',
      candidateEmail: 'dana@example.com',
      recordedDate: '2026-11-19T10:00:00.000Z',
      funnelIdNum: funnelId,
      hasLocalCopy: true,
      videoFile: `${id}.mp4`,
      thumbnailFile: `${id}.jpg`,
      duration: 20,
    });
    const { rawPayload } = await recruiter.request({ method: 'GET', url: `/api/files/video/${id}.mp4` });
    expect(createHash('sha256').update(rawPayload).digest('hex')).toBe(createHash('sha256').update(mp4).digest('hex'));
    const { interviews } = await recruiter.call(listInterviews, { query: {} });
    expect(interviews.map((one) => one.id)).toContain(id);
    const { logs } = await recruiter.call(listLogs, { query: {} });
    expect(logs.find(({ action }) => action === 'upload-recording')).toMatchObject({
      status: 'success',
      summary: 'Recording uploaded: Frontend interview.',
      metadata: { interviewId: id },
      actor: { kind: 'account', name: 'admin' },
    });
  });

  test('an upload may arrive in parts: HEAD returns where to continue', async () => {
    const { id } = await begin(mp4);
    expect((await send(id, 0, mp4.subarray(0, 1_000))).headers['upload-offset']).toBe('1000');
    const { headers, statusCode } = await tus('HEAD', id);
    expect([statusCode, headers['upload-offset'], headers['upload-length']]).toEqual([200, '1000', String(mp4.length)]);
    expect((await send(id, 0, mp4.subarray(0, 1_000))).statusCode).toBe(409);
    await send(id, 1_000, mp4.subarray(1_000));
    await becomes(id, 'done');
    const { rawPayload } = await recruiter.request({ method: 'GET', url: `/api/files/video/${id}.mp4` });
    expect(rawPayload.equals(mp4)).toBe(true);
  });

  test('an upload continues on a new connection while the old one is still open', async () => {
    await product.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = product.app.server.address() as AddressInfo;
    const { id } = await begin(mp4);
    const old = request({
      port,
      path: `/api/uploads/${id}/content`,
      method: 'PATCH',
      headers: { ...patchHeaders(0), 'content-length': mp4.length, cookie: recruiter.cookie },
    });
    onTestFinished(() => void old.destroy());
    old.on('error', () => {});
    const half = Math.floor(mp4.length / 2);
    old.write(mp4.subarray(0, half));
    const arrived = join(product.dataDir, 'files/partial/videos', id);
    await until('a part has arrived', async () => (await stat(arrived).catch(() => null))?.size === half);

    const { headers } = await tus('HEAD', id);
    expect(headers['upload-offset']).toBe(String(half));
    expect((await send(id, half, mp4.subarray(half))).statusCode).toBe(204);
    await becomes(id, 'done');
  });

  test('an upload is finished when the process was killed after the last byte, or after it stored the file', async () => {
    const last = await begin(mp4);
    await send(last.id, 0, mp4.subarray(0, 1_000));
    await appendFile(join(product.dataDir, 'files/partial/videos', last.id), mp4.subarray(1_000));
    expect((await tus('HEAD', last.id)).headers['upload-offset']).toBe(String(mp4.length));
    await becomes(last.id, 'done');

    const stored = await begin(mp4);
    await writeFile(join(product.dataDir, `files/videos/${stored.id}.mp4`), mp4);
    await product.db.updateTable('upload').set({ state: 'duplicate' }).where('id', '=', stored.id).execute();
    await recruiter.call(keepDuplicate, { params: { id: stored.id } });
    await becomes(stored.id, 'done');
    expect(await recruiter.call(getVideo, { params: { id: stored.id } })).toMatchObject({
      videoFile: `${stored.id}.mp4`,
    });
  });

  test('an uploaded recording of sound alone is stored under the extension of its content', async () => {
    const sound = await ofSamples('mp4', 'pcm-s16', new Uint8Array(64_000).fill(33));
    sound.write('M4A ', 8, 'latin1');
    const id = await uploaded(sound, { fileName: 'dana.m4a' });
    expect(await recruiter.call(getVideo, { params: { id } })).toMatchObject({ videoFile: `${id}.m4a` });
    const { headers } = await recruiter.request({ method: 'GET', url: `/api/files/video/${id}.m4a` });
    expect(headers['content-type']).toBe('audio/mp4');
  });

  test('an uploaded recording that an interview already has waits for a decision', async () => {
    const first = await uploaded(mp4);
    const { id } = await begin(mp4);
    await send(id, 0, mp4);
    const waiting = await becomes(id, 'duplicate');
    expect(waiting).toMatchObject({ duplicateOf: first, problem: 'An interview already has this recording.' });
    await recruiter.call(keepDuplicate, { params: { id } });
    await becomes(id, 'done');
    expect(await recruiter.call(getInterview, { params: { id }, query: {} })).toMatchObject({ id });
  });

  test('an uploaded recording is processed when its funnel processes new interviews', async () => {
    await product.db.updateTable('funnel').set({ process_automatically: true }).where('id', '=', funnelId).execute();
    const id = await uploaded(mp4);
    await product.db.updateTable('funnel').set({ process_automatically: false }).where('id', '=', funnelId).execute();
    const runs = await product.db.selectFrom('bulk_item').select('interview_id').execute();
    expect(runs.map(({ interview_id }) => interview_id)).toContain(id);
  });
});

test('control characters and direction overrides are removed from names', async () => {
  const upload = await begin(mp4, { candidateName: 'Dana \u202egpj.4pm', title: '\u2066' });
  expect(upload).toMatchObject({ candidateName: 'Dana gpj.4pm', title: null });
  const { body } = await refusal(begin(mp4, { fileName: '../\u0007dana.mp4' }));
  expect(body).toMatchObject({ field: 'fileName', message: 'fileName must not contain control characters' });
});

describe('a refused upload', () => {
  test('content that is not a recording is rejected with the reason in the list and in the log', async () => {
    const page = Buffer.from('<!doctype html><title>This is a page</title>');
    const { id } = await begin(page);
    const refused = await send(id, 0, page);
    expect([refused.statusCode, refused.json().message]).toEqual([
      415,
      "This file isn't a recording in a supported format. Choose an mp4, mov, webm, m4a or mp3 file.",
    ]);
    expect(await becomes(id, 'failed')).toMatchObject({ problem: refused.json().message });
    const { logs } = await recruiter.call(listLogs, { query: { type: 'error' } });
    expect(logs[0]).toMatchObject({ action: 'refuse-upload', metadata: { interviewId: id } });
  });

  test('an upload that is too large or sends more bytes than its size is rejected', async () => {
    const tooLarge = await refusal(begin(mp4, { size: MAX_BYTES + 1 }));
    expect(tooLarge.body).toMatchObject({ field: 'size', message: 'This file is too large: at most 4 MB.' });
    const { id } = await begin(mp4, { size: 1_000 });
    expect((await send(id, 0, mp4)).statusCode).toBe(413);
    // Without a Content-Length.
    expect((await send(id, 0, Readable.from([mp4]))).statusCode).toBe(413);
    expect((await tus('HEAD', id)).headers['upload-offset']).toBe('0');
  });

  test('a further upload is rejected when the account has 200 unfinished ones', async () => {
    const { id } = await begin(mp4);
    await sql`INSERT INTO upload (id, account_id, funnel_id, file_name, size_bytes, modified_at, candidate_name)
      SELECT 'many-' || nth, account_id, funnel_id, file_name, size_bytes, modified_at, candidate_name
      FROM upload, generate_series(1, ${MAX_UNFINISHED_UPLOADS}::int) AS nth WHERE id = ${id}`.execute(product.db);
    const { status, body } = await refusal(begin(mp4));
    expect([status, body.message]).toEqual([
      409,
      'You have 200 unfinished uploads. Finish or cancel some of them first.',
    ]);
    await product.db.deleteFrom('upload').where('id', 'like', 'many-%').execute();
    expect((await begin(mp4)).state).toBe('receiving');
  });

  test.each<[string, object]>([
    ['a position beyond what has arrived', { 'upload-offset': '10' }],
    ['a negative position', { 'upload-offset': '-1' }],
    ['a position that is not a number', { 'upload-offset': '0x0' }],
    ['no position', { 'upload-offset': '' }],
    ['another version of the protocol', { 'tus-resumable': '0.2.2' }],
    ['a body that is JSON', { 'content-type': 'application/json' }],
    ['another length in a header', { 'upload-length': '10000000000', 'upload-offset': '1' }],
    ['the method DELETE in a header', { 'x-http-method-override': 'DELETE', 'upload-offset': '1' }],
    ['other uploads in a header', { 'upload-concat': 'final;/api/uploads/a /api/uploads/b', 'upload-offset': '1' }],
  ])('a request with %s is rejected, and nothing of it is kept', async (_, headers) => {
    const { id } = await begin(mp4);
    const { statusCode } = await send(id, 0, mp4, headers);
    expect(statusCode >= 400 && statusCode < 500).toBe(true);
    const { headers: kept } = await tus('HEAD', id);
    expect([kept['upload-offset'], kept['upload-length']]).toEqual(['0', String(mp4.length)]);
  });

  test('bytes after the end of an upload are rejected and not kept', async () => {
    const id = await uploaded(mp4);
    const before = await storedNames();
    for (const payload of [Buffer.alloc(0), Readable.from([mp4])])
      expect((await send(id, mp4.length, payload)).statusCode).toBe(409);
    expect(await storedNames()).toEqual(before);
    expect((await tus('HEAD', id)).headers['upload-offset']).toBe(String(mp4.length));
  });

  test('an id that is a path is rejected', async () => {
    const { id } = await begin(mp4);
    for (const path of [`..%2F${id}`, `%2e%2e%2f%2e%2e%2fetc%2fpasswd`, `${id}%00`, `${id}%2F..%2F${id}`, '.%2F'])
      expect([path, (await send(path, 0, mp4)).statusCode]).toEqual([path, 404]);
    expect((await tus('HEAD', id)).headers['upload-offset']).toBe('0');
  });

  test('a thumbnail that is not an image is rejected, and nothing of the upload is kept', async () => {
    const thumbnail = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
    const { body } = await refusal(begin(mp4, { thumbnail, fileName: 'svg.mp4' }));
    expect(body).toMatchObject({ field: 'thumbnail', message: "The thumbnail isn't a supported image." });
    const uploads = await recruiter.call(listUploads, {});
    expect(uploads.filter(({ fileName }) => fileName === 'svg.mp4')).toEqual([]);
  });

  test('a recording with a virus is rejected, and waits while the scanner is unavailable', async () => {
    const clamd = await startClamd();
    const scanning = await startApp({ env: { CLAMD_ADDRESS: clamd.address } });
    const person = await scanning.signedIn();
    const funnel = await scanning.build.activeFunnel(person, { source: 'upload' });
    const infected = Buffer.concat([mp4.subarray(0, 1_000), Buffer.from(EICAR)]);
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      cookie: person.cookie ?? '',
    };
    const arrives = async () => {
      const { id } = await person.call(createUpload, { body: form(infected, { funnelId: funnel }) });
      await scanning.app.inject({ method: 'PATCH', url: `/api/uploads/${id}/content`, headers, payload: infected });
      return until('its content was checked', async () =>
        (await person.call(listUploads, {})).find((one) => one.id === id && one.problem !== null),
      );
    };
    const problem = 'Virus found (Eicar-Signature). The file was deleted.';
    expect(await arrives()).toMatchObject({ state: 'failed', problem });
    clamd.mood = 'leaves';
    expect(await arrives()).toMatchObject({
      state: 'checking',
      problem: expect.stringMatching(/scanner.+We'll retry automatically\.$/),
    });
  });

  test('an upload to a funnel that reads a service is rejected', async () => {
    const other = await product.build.funnel(recruiter, { name: 'Nurses', funnelId: 'nurses' });
    expect((await refusal(begin(mp4, { funnelId: other }))).status).toBe(409);
    expect((await refusal(begin(mp4, { funnelId: 4711 }))).body.field).toBe('funnelId');
  });

  test('an upload from another site, without a session, or of another account is rejected', async () => {
    const { id } = await begin(mp4);
    const foreign = await send(id, 0, mp4, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
    expect([foreign.statusCode, foreign.json().code]).toEqual([403, 'foreign_origin']);
    expect((await send(id, 0, mp4, { cookie: '' })).statusCode).toBe(401);

    const other = await product.db
      .insertInto('account')
      .values({ username: 'olga', password_hash: 'none' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await product.db.updateTable('upload').set({ account_id: other.id }).where('id', '=', id).execute();
    expect((await tus('HEAD', id)).statusCode).toBe(404);
    expect((await send(id, 0, mp4)).statusCode).toBe(404);
    expect((await refusal(recruiter.call(deleteUpload, { params: { id } }))).status).toBe(404);
    expect((await refusal(recruiter.call(keepDuplicate, { params: { id } }))).status).toBe(404);
    expect((await recruiter.call(listUploads, {})).map((one) => one.id)).not.toContain(id);
    // It is deleted after its account, with its files.
    await product.db.deleteFrom('account').where('id', '=', other.id).execute();
    expect((await tus('HEAD', id)).statusCode).toBe(404);
    expect(await deleteExpiredUploads(product.db, EXPIRY)).toEqual([id]);
  });
});

test('a canceled upload is deleted with the bytes that have arrived, and logged without its candidate', async () => {
  const { id } = await begin(mp4);
  await send(id, 0, mp4.subarray(0, 1_000));
  expect(await storedNames()).toContain(id);
  await recruiter.call(deleteUpload, { params: { id } });
  expect((await tus('HEAD', id)).statusCode).toBe(404);
  await until('its file is removed', async () => !(await storedNames()).includes(id));
  const { logs } = await recruiter.call(listLogs, { query: { limit: 100 } });
  const entry = logs.find(({ metadata }) => metadata?.interviewId === id);
  expect(entry).toMatchObject({ action: 'cancel-upload', actor: { name: 'admin' }, metadata: { funnelId } });
  expect(JSON.stringify(entry)).not.toMatch(/dana/i);
});

test('a funnel is deleted with its unfinished uploads', async () => {
  const other = await product.build.funnel(recruiter, { name: 'Cooks', funnelId: 'cooks', source: 'upload' });
  const { id } = await begin(mp4, { funnelId: other });
  await send(id, 0, mp4.subarray(0, 1_000));
  await recruiter.request({ method: 'DELETE', url: `/api/funnels/${other}` });
  await until('its file is removed', async () => !(await storedNames()).includes(id));
});

test('an upload whose funnel is deleted while its thumbnail is checked leaves no thumbnail', async () => {
  await sql`
    CREATE FUNCTION remove_upload() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN DELETE FROM upload WHERE id = NEW.id; RETURN NULL; END'`.execute(product.db);
  await sql`
    CREATE CONSTRAINT TRIGGER remove_upload AFTER INSERT ON upload DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION remove_upload()`.execute(product.db);
  const before = (await storedNames()).filter((name) => name.endsWith('.jpg'));
  const thumbnail = (await sample('eng-testing.jpg')).toString('base64');
  const { status } = await refusal(begin(mp4, { thumbnail }));
  await sql`DROP FUNCTION remove_upload CASCADE`.execute(product.db);
  expect(status).toBe(404);
  await until('its thumbnail is removed', async () => {
    const names = await storedNames();
    return names.filter((name) => name.endsWith('.jpg')).length === before.length;
  });
});

test('an erasure that runs while a recording of the candidate becomes an interview deletes it', async () => {
  const { id } = await begin(mp4);
  await product.db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(${ERASURE_LOCK})`.execute(tx);
    await send(id, 0, mp4);
    await until('the recording waits for the erasure', async () => (await waitingSessions(product.db)) > 0);
    await deleteUploads(tx, [id]);
  });
  await until('its file is removed', async () => !(await storedNames()).includes(`${id}.mp4`));
  expect((await refusal(recruiter.call(getInterview, { params: { id }, query: {} }))).status).toBe(404);
});

test('an erasure deletes unfinished uploads of the candidate, and refuses recordings from before', async () => {
  const more = { candidateName: 'Ada Unmistakable', candidateEmail: 'ada@unmistakable.example' };
  const { id } = await begin(mp4, more);
  await send(id, 0, mp4.subarray(0, 1_000));
  await recruiter.call(createSavedView, { body: { name: 'Mine', query: 'search=ada+unmistakable' } });
  await sql`ANALYZE`.execute(product.db);
  expect((await candidateCommand(product, ['find', 'unmistakable'])).result).toContain(`${id}: ${more.candidateName}`);
  const { result } = await candidateCommand(product, ['export', more.candidateEmail]);
  expect(JSON.parse(result ?? '')).toMatchObject({ uploads: [{ id, candidate: { name: more.candidateName } }] });
  await candidateCommand(product, ['erase', more.candidateEmail, '--yes']);
  expect((await tus('HEAD', id)).statusCode).toBe(404);
  expect(await tablesWith(product, [more.candidateName, more.candidateEmail])).toEqual([]);
  await until('its file is removed', async () => !(await storedNames()).includes(id));

  const again = await begin(mp4, more);
  await send(again.id, 0, mp4);
  expect(await becomes(again.id, 'failed')).toMatchObject({ problem: "Erased at the candidate's request." });
  expect((await refusal(recruiter.call(getInterview, { params: { id: again.id }, query: {} }))).status).toBe(404);
});

test('abandoned uploads are deleted after a week, and finished ones leave the list after an hour', async () => {
  const [old, recent] = [await begin(mp4), await begin(mp4)];
  const done = await uploaded(mp4);
  await product.db.updateTable('upload').set({ updated_at: sql<Date>`now() - interval '2 hours'` }).execute();
  await product.db
    .updateTable('upload')
    .set({ updated_at: sql<Date>`now() - interval '169 hours'` })
    .where('id', '=', old.id)
    .execute();
  const ids = await deleteExpiredUploads(product.db, EXPIRY);
  expect(ids).toEqual(expect.arrayContaining([old.id, done]));
  expect(ids).not.toContain(recent.id);
  expect(await recruiter.call(getInterview, { params: { id: done }, query: {} })).toMatchObject({ id: done });
});

test('a refresh of a funnel for uploads is rejected with the reason', async () => {
  const { status, body } = await refusal(recruiter.call(startSync, { query: {} }));
  expect([status, body.message]).toEqual([409, 'You upload recordings to this funnel. There is nothing to refresh.']);
});
