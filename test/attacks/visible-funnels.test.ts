import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAutomations } from '#contracts/automation.ts';
import { type BulkReport, checkBulkTarget, getBulkRun, startBulkRun } from '#contracts/bulk.ts';
import type { CallInput } from '#contracts/endpoint.ts';
import { activateFunnel, createFunnel, getActiveFunnel, listFunnels } from '#contracts/funnels.ts';
import {
  getDestinationDefaults,
  getInterview,
  type ListQuery,
  listInterviews,
  setDestination,
} from '#contracts/interviews.ts';
import { getReview } from '#contracts/review.ts';
import { createSavedView, listSavedViews } from '#contracts/saved-views.ts';
import { getUser } from '#contracts/session.ts';
import { getSetup } from '#contracts/setup.ts';
import { createUpload, listUploads, type Upload } from '#contracts/uploads.ts';
import { type Person, refusal } from '#support/call.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { sample } from '#support/make-recording.ts';
import { signedInAs } from '#support/people.ts';
import { startSharedApp, type TestApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';

let product: TestApp;
let admin: Person;
let recruiter: Person;
let reviewer: Person;
/** A funnel that the recruiter and the reviewer see, and one that they do not see. */
let own: number;
let hidden: number;
let mp4: Buffer;

beforeAll(async () => {
  const shared = await startSharedApp();
  product = shared.product;
  admin = await product.signedIn();
  own = await product.build.funnel(admin, { name: 'Own', funnelId: 'own', source: 'upload', clientName: 'Mercy' });
  hidden = await product.build.funnel(admin, {
    ...{ name: 'Hidden', funnelId: 'hidden', source: 'upload', clientName: 'Mercy' },
    processAutomatically: true,
  });
  recruiter = await signedInAs(product, { role: 'recruiter', funnelIds: [own] });
  reviewer = await signedInAs(product, { role: 'reviewer', funnelIds: [own] });
  mp4 = await sample('eng-microphone-off.mp4');
  await writeFiles();
  return shared.clear;
});

beforeEach(async () => {
  await product.db.deleteFrom('interview').execute();
  for (const [name, funnelId] of [['own', own] as const, ['hidden', hidden] as const]) {
    await insertInterviews(
      product.db,
      [1, 2].map((nth) => ({
        ...{ id: `${name}-${nth}`, funnelId, title: `${name} ${nth}`, candidateName: `Unmistakable ${name}` },
        ...{ transcript: `Secret of ${name}`, transcriptionStatus: 'completed', summaryStatus: 'failed' },
      })),
    );
    await product.db
      .updateTable('interview')
      .set({ video_file: `${name}.mp4`, thumbnail_file: `${name}.jpg`, duration_seconds: 60 })
      .where('id', '=', `${name}-1`)
      .execute();
    const files = { video_file: `${name}-answer.mp4`, thumbnail_file: `${name}-answer.jpg` };
    await product.db
      .insertInto('interview_segment')
      .values({ interview_id: `${name}-1`, position: 0, source_id: 'a', ...files })
      .execute();
  }
});

/** The files of both interviews, and one of no interview. */
async function writeFiles(): Promise<void> {
  const write = async (folder: string, name: string) => {
    await mkdir(join(product.dataDir, 'files', folder), { recursive: true });
    await writeFile(join(product.dataDir, 'files', folder, name), 'content');
  };
  for (const name of ['own', 'own-answer', 'hidden', 'hidden-answer', 'nobody']) {
    await write('videos', `${name}.mp4`);
    await write('thumbnails', `${name}.jpg`);
  }
}

const list = (person: Person, query: Partial<CallInput<typeof listInterviews>['query']> = {}) =>
  person.call(listInterviews, { query: { texts: 'false', ...query } });
const idsOf = async (person: Person, query?: Partial<ListQuery>) =>
  (await list(person, query as object)).interviews.map(({ id }) => id).toSorted();

/** A response without what differs between two requests for the same thing. */
const comparable = (response: LightMyRequestResponse) => {
  const body = response.body === '' ? null : { ...response.json(), requestId: null };
  return { status: response.statusCode, body };
};

type RawRequest = Parameters<Person['request']>[0];

/** Expects the same refusal for something hidden as for something that does not exist. */
async function expectSame404(person: Person, hiddenRequest: RawRequest, unknownRequest: RawRequest): Promise<void> {
  const response = comparable(await person.request(hiddenRequest));
  expect([hiddenRequest.url, response.status]).toEqual([hiddenRequest.url, 404]);
  expect(response).toEqual(comparable(await person.request(unknownRequest)));
}

describe('single interviews', () => {
  test.each([
    ['GET', ''],
    ['GET', '/video'],
    ['GET', '/thumbnail'],
    ['HEAD', '/thumbnail'],
    ['GET', '/transcript'],
    ['GET', '/captions'],
    ['GET', '/transcript.vtt'],
    ['GET', '/transcript.srt'],
    ['GET', '/transcript.txt'],
    ['GET', '/answers'],
    ['POST', '/watched'],
    ['POST', '/played'],
  ] as const)('%s /api/interviews/:id%s of another funnel is the same 404 as of no interview', async (method, path) => {
    for (const person of [recruiter, reviewer]) {
      const request = (id: string) => ({ method, url: `/api/interviews/${id}${path}` });
      await expectSame404(person, request('hidden-1'), request('nobody-1'));
    }
  });

  test.each(['', '/video', '/thumbnail', '/captions'])(
    'an id that no interview can have is a 400 at /api/interviews/:id%s, not an error of the database',
    async (path) => {
      for (const person of [admin, recruiter])
        for (const method of ['GET', 'HEAD'] as const) {
          const { statusCode } = await person.request({ method, url: `/api/interviews/a%00b${path}` });
          expect([method, statusCode]).toEqual([method, 400]);
        }
    },
  );

  test('interviews of visible funnels are accessible', async () => {
    for (const person of [recruiter, reviewer])
      expect((await person.call(getInterview, { params: { id: 'own-1' } })).id).toBe('own-1');
  });
});

describe('the list', () => {
  test('the list, its total and every page contain the visible funnels only', async () => {
    expect((await list(admin)).total).toBe(4);
    for (const person of [recruiter, reviewer]) {
      expect(await idsOf(person)).toEqual(['own-1', 'own-2']);
      expect(await list(person, { page: '2', limit: '1' })).toMatchObject({ total: 2, interviews: [{}] });
      for (const sort of ['oldest', 'longest'] as const)
        expect((await list(person, { sort })).interviews.map(({ id }) => id)).toHaveLength(2);
    }
  });

  test('a filter for hidden funnels finds nothing, and one for several finds the visible ones', async () => {
    expect(await list(recruiter, { funnelId: [String(hidden)] })).toMatchObject({ total: 0, interviews: [] });
    expect(await list(recruiter, { funnelId: ['4711'] })).toMatchObject({ total: 0, interviews: [] });
    expect(await idsOf(recruiter, { funnelId: [hidden, own] })).toEqual(['own-1', 'own-2']);
    expect(await idsOf(recruiter, { clientName: ['Mercy'] })).toEqual(['own-1', 'own-2']);
  });

  test('an account without a funnel finds nothing', async () => {
    const nobody = await signedInAs(product, { role: 'recruiter', funnelIds: [] });
    expect(await list(nobody)).toMatchObject({ total: 0, interviews: [], failures: { interviews: 0, permanent: 0 } });
    expect(await nobody.call(listFunnels, {})).toEqual([]);
  });

  test('a search finds and quotes nothing of other funnels', async () => {
    for (const search of ['secret', 'unmistakable', 'Mercy', 'Mercy secret'])
      expect([search, await idsOf(recruiter, { search })]).toEqual([search, ['own-1', 'own-2']]);
    for (const search of ['hidden', 'hidden-1', 'Secret hidden'])
      expect([search, await list(recruiter, { search })]).toMatchObject([search, { total: 0, interviews: [] }]);
  });

  test('counts of failures and of the review cover only visible funnels, even if cached for others', async () => {
    for (const [person, n] of [[admin, 4] as const, [recruiter, 2] as const, [admin, 4] as const]) {
      expect((await list(person)).failures).toEqual({ interviews: n, permanent: 0 });
      const review = await person.call(getReview, { query: { search: 'Unmistakable', skip: '0' } });
      expect(review).toEqual({ unwatched: n, withoutTranscript: 0, seconds: (n / 2) * 60 });
    }
  });

  test('failures that would occur again are counted in the visible funnels', async () => {
    await product.db.updateTable('interview').set({ summary_permanent: true }).where('id', '=', 'hidden-1').execute();
    expect((await list(admin)).failures).toEqual({ interviews: 3, permanent: 1 });
    expect((await list(recruiter)).failures).toEqual({ interviews: 2, permanent: 0 });
  });

  test('a saved view with a hidden funnel finds nothing', async () => {
    const query = `funnelId=${hidden}`;
    await recruiter.call(createSavedView, { body: { name: 'Others', query } });
    expect(await recruiter.call(listSavedViews, {})).toMatchObject([{ name: 'Others', query }]);
    const { statusCode, body } = await recruiter.request({ method: 'GET', url: `/api/interviews?${query}` });
    expect([statusCode, JSON.parse(body)]).toMatchObject([200, { total: 0, interviews: [] }]);
    expect(await admin.call(listSavedViews, {})).toEqual([]);
  });
});

describe('files', () => {
  const urls = (name: string) =>
    [name, `${name}-answer`].flatMap((base) => [`/api/files/video/${base}.mp4`, `/api/files/thumbnail/${base}.jpg`]);

  test('recordings and thumbnails of visible interviews and their answers are sent', async () => {
    for (const url of urls('own')) {
      const response = await reviewer.request({ method: 'GET', url });
      expect([url, response.statusCode, response.body]).toEqual([url, 200, 'content']);
    }
    const range = await reviewer.request({ method: 'GET', url: urls('own')[0] ?? '', headers: { range: 'bytes=1-2' } });
    expect([range.statusCode, range.body]).toEqual([206, 'on']);
  });

  test('files of another funnel and of no interview are the same 404 as files that do not exist', async () => {
    // Their funnel is remembered.
    for (const url of urls('hidden')) expect((await admin.request({ method: 'GET', url })).statusCode).toBe(200);
    const other = await signedInAs(product, { role: 'recruiter', funnelIds: [hidden] });
    for (const url of urls('hidden')) expect((await other.request({ method: 'GET', url })).statusCode).toBe(200);
    for (const url of [...urls('hidden'), '/api/files/video/nobody.mp4', '/api/files/video/a%00b']) {
      const unknown = url.replace(/[^/]+$/, 'unknown.mp4');
      for (const method of ['GET', 'HEAD'] as const)
        for (const headers of [{}, { range: 'bytes=0-1' }, { 'if-none-match': '*' }])
          await expectSame404(recruiter, { method, url, headers }, { method, url: unknown, headers });
    }
  });
});

describe('bulk runs', () => {
  const start = (person: Person, body: CallInput<typeof startBulkRun>['body']) => person.call(startBulkRun, { body });
  const ended = (person: Person, id: number): Promise<BulkReport> =>
    until('the bulk run ends', async () => {
      const report = await person.call(getBulkRun, { params: { id } });
      return report.status === 'running' ? null : report;
    });
  const archivedIds = () => idsOf(admin, { archived: '1' });

  test('ids of another funnel are skipped like ids that do not exist', async () => {
    const ids = ['own-1', 'hidden-1', 'unknown'];
    const checked = await recruiter.call(checkBulkTarget, { body: { target: { ids } } });
    expect(checked).toEqual({ total: 3, withDestination: 0 });
    const report = await ended(recruiter, (await start(recruiter, { action: 'archive', target: { ids } })).id);
    expect(report).toMatchObject({ total: 3, done: 1, skipped: 2, items: [] });
    expect(report.reasons).toEqual([{ outcome: 'skipped', reason: 'Deleted in the meantime.', count: 2 }]);
    expect(await archivedIds()).toEqual(['own-1']);
  });

  test('a check does not count destinations of another funnel', async () => {
    await product.db.updateTable('interview').set({ destination_id: 'BUB-A-1' }).execute();
    const target = { ids: ['own-1', 'hidden-1', 'hidden-2'] };
    expect(await recruiter.call(checkBulkTarget, { body: { target } })).toEqual({ total: 3, withDestination: 1 });
  });

  test('a filter selects only visible interviews', async () => {
    const filter = { search: 'unmistakable' };
    const all = await refusal(start(recruiter, { action: 'archive', target: { filter, expected: 4 } }));
    expect(all.body).toMatchObject({
      code: 'matches_changed',
      message: 'The list has changed: 2 interviews match now.',
    });
    const narrow = { filter: { funnelId: [String(hidden)] }, expected: 2 };
    const none = await refusal(start(recruiter, { action: 'archive', target: narrow }));
    expect(none.body).toMatchObject({
      code: 'matches_changed',
      message: 'The list has changed: 0 interviews match now.',
    });
    const { id } = await start(recruiter, { action: 'archive', target: { filter, expected: 2 } });
    expect(await ended(recruiter, id)).toMatchObject({ total: 2, done: 2 });
    expect(await archivedIds()).toEqual(['own-1', 'own-2']);
  });

  test("another account's run returns 404 like a missing one: report, cancel, check and undo", async () => {
    const { id } = await start(admin, { action: 'archive', target: { ids: ['own-1', 'hidden-1'] } });
    await ended(admin, id);
    const requests = (run: number): RawRequest[] => [
      { method: 'GET', url: `/api/bulk/${run}` },
      { method: 'POST', url: `/api/bulk/${run}/cancel` },
      { method: 'POST', url: '/api/bulk/check', body: { target: { run } } },
      { method: 'POST', url: '/api/bulk', body: { action: 'unarchive', target: { run } } },
      { method: 'POST', url: '/api/bulk', body: { action: 'undoDestination', target: { run } } },
    ];
    for (const [at, request] of requests(id).entries())
      await expectSame404(recruiter, request, requests(4711)[at] ?? request);
    expect(await archivedIds()).toEqual(['hidden-1', 'own-1']);
    const colleague = await signedInAs(product, { role: 'recruiter' });
    expect(await colleague.call(getBulkRun, { params: { id } })).toMatchObject({ done: 2 });
  });

  test("an account's own run shows and undoes only interviews that are still visible", async () => {
    const ids = ['own-1', 'own-2', 'hidden-1', 'hidden-2'];
    await start(admin, { action: 'archive', target: { ids: ['own-2', 'hidden-2'] } }).then(({ id }) =>
      ended(admin, id),
    );
    const { id } = await start(admin, { action: 'archive', target: { ids } });
    expect(await ended(admin, id)).toMatchObject({ done: 2, skipped: 2, items: [{}, {}] });
    // The account saw both funnels when it started the run.
    const user = await recruiter.call(getUser, {});
    const startedBy = JSON.stringify({ kind: 'account', accountId: user.id, name: user.username });
    await product.db.updateTable('bulk_run').set({ started_by: startedBy }).where('id', '=', id).execute();

    const report = await recruiter.call(getBulkRun, { params: { id } });
    expect(report.items).toMatchObject([{ interviewId: 'own-2', reason: 'Already archived.' }]);
    expect(report.reasons).toContainEqual({ outcome: 'skipped', reason: 'Already archived.', count: 1 });
    const undone = await start(recruiter, { action: 'unarchive', target: { run: id } });
    expect(await ended(recruiter, undone.id)).toMatchObject({ total: 1, done: 1 });
    expect(await archivedIds()).toEqual(['hidden-1', 'hidden-2', 'own-2']);
  });
});

describe('uploads', () => {
  const form = (funnelId: number) => ({
    ...{ funnelId, fileName: 'dana.mp4', size: mp4.length, modifiedAt: '2026-11-20T08:00:00.000Z' },
    candidateName: 'Dana Moore',
  });
  const send = (person: Person, id: string) =>
    product.app.inject({
      method: 'PATCH',
      url: `/api/uploads/${id}/content`,
      headers: {
        ...{ 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        cookie: person.cookie ?? '',
      },
      payload: mp4,
    });
  const checked = (person: Person, id: string): Promise<Upload> =>
    until('the upload is checked', async () => {
      const upload = (await person.call(listUploads, {})).find((one) => one.id === id);
      return upload && !['receiving', 'checking'].includes(upload.state) ? upload : null;
    });
  async function upload(person: Person, funnelId: number): Promise<Upload> {
    const { id } = await person.call(createUpload, { body: form(funnelId) });
    expect((await send(person, id)).statusCode).toBe(204);
    return checked(person, id);
  }

  test('an upload into another funnel is the same 404 as into no funnel', async () => {
    const request = (funnelId: number): RawRequest => ({ method: 'POST', url: '/api/uploads', body: form(funnelId) });
    await expectSame404(recruiter, request(hidden), request(4711));
  });

  test('a recording that only a hidden interview has is added, and one of a visible interview is not', async () => {
    const { id } = await upload(admin, hidden);
    expect(await upload(recruiter, own)).toMatchObject({ state: 'done', problem: null, duplicateOf: null });
    const again = await upload(recruiter, own);
    expect(again).toMatchObject({ state: 'duplicate', duplicateOf: expect.not.stringMatching(id) });
    expect(await upload(admin, own)).toMatchObject({ state: 'duplicate' });

    // The funnel of the duplicate is hidden afterwards.
    await product.db.updateTable('upload').set({ duplicate_of: id }).where('id', '=', again.id).execute();
    expect(await checked(recruiter, again.id)).toMatchObject({ state: 'duplicate', duplicateOf: null });
  });

  test('an upload returns 404 like a missing one once its funnel is hidden', async () => {
    const { id } = await recruiter.call(createUpload, { body: form(own) });
    await product.db.updateTable('upload').set({ funnel_id: hidden }).where('id', '=', id).execute();
    expect((await recruiter.call(listUploads, {})).map((one) => one.id)).not.toContain(id);
    const tus = { 'tus-resumable': '1.0.0' };
    const requests = (name: string): RawRequest[] => [
      { method: 'HEAD', url: `/api/uploads/${name}/content`, headers: tus },
      { method: 'POST', url: `/api/uploads/${name}/keep` },
      { method: 'DELETE', url: `/api/uploads/${name}` },
    ];
    for (const [at, request] of requests(id).entries())
      await expectSame404(recruiter, request, requests('unknown')[at] ?? request);
    expect((await send(recruiter, id)).statusCode).toBe(404);
    const row = product.db.selectFrom('upload').select('state').where('id', '=', id);
    expect(await row.executeTakeFirst()).toEqual({ state: 'receiving' });
  });
});

describe('funnels', () => {
  test('funnels and automations are listed if visible, and reviewers read no API key', async () => {
    expect((await admin.call(listFunnels, {})).map(({ id }) => id)).toEqual([hidden, own]);
    expect(await recruiter.call(listFunnels, {})).toMatchObject([{ id: own, apiKey: 'key', interviewCount: 2 }]);
    expect(await reviewer.call(listFunnels, {})).toMatchObject([{ id: own, apiKey: '', name: 'Own' }]);
    for (const funnelId of [own, hidden])
      await sql`INSERT INTO automation (funnel_id) VALUES (${funnelId}) ON CONFLICT DO NOTHING`.execute(product.db);
    expect((await admin.call(listAutomations, {})).map(({ funnelId }) => funnelId)).toEqual([own, hidden]);
    expect((await recruiter.call(listAutomations, {})).map(({ funnelId }) => funnelId)).toEqual([own]);
  });

  test('a hidden active funnel reads as none, and a visible one replaces it', async () => {
    await admin.call(activateFunnel, { params: { id: hidden } });
    expect(await admin.call(getActiveFunnel, {})).toMatchObject({ id: hidden });
    for (const person of [recruiter, reviewer]) expect(await person.call(getActiveFunnel, {})).toBeNull();
    expect(await recruiter.call(getSetup, {})).toMatchObject({ funnel: true, activeFunnel: false });
    await recruiter.call(activateFunnel, { params: { id: own } });
    expect(await reviewer.call(getActiveFunnel, {})).toMatchObject({ id: own, apiKey: '' });
    expect(await recruiter.call(getSetup, {})).toMatchObject({ activeFunnel: true });
  });

  test('the setup covers only visible funnels', async () => {
    await sql`INSERT INTO sync_run (funnel_id, status, timeframe) VALUES (${hidden}, 'completed', 'all')`.execute(
      product.db,
    );
    expect(await admin.call(getSetup, {})).toMatchObject({ funnel: true, refreshed: true });
    expect(await recruiter.call(getSetup, {})).toMatchObject({ funnel: true, refreshed: false });
    const nobody = await signedInAs(product, { role: 'recruiter', funnelIds: [] });
    expect(await nobody.call(getSetup, {})).toMatchObject({
      ...{ funnel: false, activeFunnel: false, interviewService: false },
    });
  });

  test('only an account that sees all funnels creates one', async () => {
    const form = { name: 'New', apiKey: 'key', funnelId: 'new' };
    for (const body of [form, {}]) {
      const response = await recruiter.request({ method: 'POST', url: '/api/funnels', body });
      expect([response.statusCode, response.json()]).toMatchObject([
        403,
        { code: 'forbidden', message: 'This needs an account that sees all funnels.' },
      ]);
    }
    const colleague = await signedInAs(product, { role: 'recruiter' });
    const { id } = await colleague.call(createFunnel, { body: form });
    const limited = await signedInAs(product, { role: 'administrator', funnelIds: [own] });
    expect((await limited.call(listFunnels, {})).map((funnel) => funnel.id)).toContain(id);
    await product.db.deleteFrom('funnel').where('id', '=', id).execute();
  });

  test('the last destination of the client is taken from the visible funnels', async () => {
    await admin.call(setDestination, { params: { id: 'hidden-1' }, body: { destinationId: 'BUB-SECRET-1' } });
    const defaults = (person: Person, id: number) => person.call(getDestinationDefaults, { params: { id } });
    expect(await defaults(admin, own)).toMatchObject({ employerId: 'SECRET' });
    expect(await defaults(recruiter, own)).toMatchObject({ employerId: null });
    expect((await refusal(defaults(recruiter, hidden))).status).toBe(404);
  });
});

test('a role in the body of a request is never applied', async () => {
  const raised = { role: 'administrator', allFunnels: true, funnelIds: [hidden] };
  const before = await recruiter.call(getUser, {});
  await recruiter.request({
    ...{ method: 'POST', url: '/api/interviews/own-1/destination' },
    body: { destinationId: 'BUB-A-1', ...raised },
  });
  await recruiter.request({ method: 'POST', url: '/api/saved-views', body: { name: 'Mine', query: '', ...raised } });
  await recruiter.request({ method: 'PUT', url: '/api/user', body: raised });
  const login = { username: before.username, password: 'admin123', ...raised };
  const again = product.anonymous();
  const { statusCode, body } = await again.request({ method: 'POST', url: '/api/login', body: login });
  expect([statusCode, JSON.parse(body)]).toEqual([200, before]);
  for (const person of [recruiter, again]) {
    expect(await person.call(getUser, {})).toEqual(before);
    expect((await list(person)).total).toBe(2);
  }
});
