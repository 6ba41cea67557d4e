import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { listAutomations, resumeAutomation } from '#contracts/automation.ts';
import { createFunnel, updateFunnel } from '#contracts/funnels.ts';
import { getInterview, getVideo, listInterviews } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { openWebhook, renewWebhook, setSigningSecret } from '#contracts/webhooks.ts';
import { HIREFLIX_KEY, HIREFLIX_MEDIA } from '#sandbox/hireflix/initial-hireflix.ts';
import { type AutomationDeps, Automations } from '#server/features/automation/automation.service.ts';
import { FUNNEL, listings, refresh, setUpRefresh } from '#support/refreshing.ts';
import { until } from '#support/until.ts';
import { Webhooks, type WebhooksDeps } from './webhooks.service.ts';

/** The file is long because its tests share one installation with a webhook of each source. */
async function setUp() {
  const world = await setUpRefresh();
  const { product, recruiter, funnelId } = world;
  await refresh(product, recruiter);
  const { path } = await recruiter.call(openWebhook, { params: { id: funnelId } });
  const sendRaw = async (body: string | Buffer | Readable, headers: Record<string, string> = {}, url = path) =>
    (await product.app.inject({ method: 'POST', url, payload: body, headers })).statusCode;
  const send = (event: object, headers: Record<string, string> = {}, url = path) =>
    sendRaw(JSON.stringify(event), { 'content-type': 'application/json', ...headers }, url);
  const entries = async (action: string) =>
    (await recruiter.call(listLogs, { query: { limit: 100 } })).logs.filter((entry) => entry.action === action);
  const eventRuns = () => product.db.selectFrom('sync_run').selectAll().where('cause', '=', 'event').execute();
  const titleOf = async (id: string) => (await recruiter.call(getInterview, { params: { id } })).title;
  return { ...world, path, send, sendRaw, entries, eventRuns, titleOf };
}

describe('an event of the service', () => {
  test('the interview of an event is read from the service, once for repeated deliveries', async () => {
    const { sandbox, send, titleOf, eventRuns, entries } = await setUp();
    const [one] = sandbox.control.interviews(FUNNEL);
    if (!one?.id) throw new Error('The sandbox has no interviews');
    sandbox.control.change(FUNNEL, one.id, { title: 'Another title' });
    // A page of another site cannot know the URL, so its origin does not matter.
    const event = { id: 'evt_1', interviewId: one.id, title: 'From the body' };
    expect(await send(event, { origin: 'https://service.example', 'sec-fetch-site': 'cross-site' })).toBe(202);
    await until('the interview is read', async () => (await titleOf(one.id ?? '')) === 'Another title');
    await until('the run ends', async () => (await eventRuns()).every(({ status }) => status === 'completed'));
    expect((await entries('sync-interviews'))[0]).toMatchObject({
      metadata: { count: 1, updatedCount: 1 },
      actor: { kind: 'automation' },
    });

    const { length } = listings(sandbox);
    expect([await send(event), await send({ ...event, title: 'Changed' })]).toEqual([202, 202]);
    expect(await eventRuns()).toHaveLength(1);
    expect(listings(sandbox)).toHaveLength(length);
  });

  test('an event adds a new interview with its files, its entry and its processing', async () => {
    const { sandbox, product, recruiter, funnel, funnelId, send } = await setUp();
    await recruiter.call(updateFunnel, { params: { id: funnelId }, body: { ...funnel, newInterviews: 'transcribe' } });
    const [added] = sandbox.control.grow(FUNNEL, 1, { videoBytes: 50_000 });
    const id = added?.id ?? '';
    await send({ id: 1, interviewId: id });
    await until(
      'its video is stored',
      async () => (await recruiter.call(getVideo, { params: { id } }).catch(() => null))?.hasLocalCopy,
    );
    const runs = await product.db.selectFrom('bulk_run').select(['action', 'total']).execute();
    expect(runs).toEqual([{ action: 'transcribe', total: 1 }]);
  });

  test('an event of a deleted interview changes nothing', async () => {
    const { sandbox, recruiter, send, eventRuns } = await setUp();
    const [one] = sandbox.control.interviews(FUNNEL);
    sandbox.control.remove(FUNNEL, one?.id ?? '');
    const before = (await recruiter.call(listInterviews, { query: {} })).total;
    for (const interviewId of [one?.id, 'iv_unknown']) await send({ id: interviewId, interviewId });
    await until('the runs end', async () => (await eventRuns()).every(({ status }) => status === 'completed'));
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(before);
  });

  test('recordings that were not encoded at an event are read again without another event', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh({}, { paces: { automationIntervalMs: 50 } });
    const { apiKey, positionId: funnelId } = sandbox.hireflix;
    const form = { name: 'Designers', source: 'hireflix', apiKey, funnelId } as const;
    const params = { id: (await recruiter.call(createFunnel, { body: form })).id };
    const { path } = await recruiter.call(setSigningSecret, { params, body: { signingSecret: 'whsec' } });
    const url = `${HIREFLIX_MEDIA}/new/short-answer.mp4`;
    const questions = [1, 2].map((n) => ({ id: `q${n}`, answer: { id: `a${n}`, url: url.replace('new', `new${n}`) } }));
    const recorded = { createdAt: Date.now(), completedAt: Date.now() };
    sandbox.control.hireflix.add({ id: 'hfx_new', status: 'completed', ...recorded, questions });
    const encoding = sandbox.control.fail({ kind: 'not-encoded' });
    const body = JSON.stringify({ event: 'interview.finish', data: { id: 'hfx_new', position: { id: funnelId } } });
    const signature = createHmac('sha256', 'whsec').update(body).digest('base64');
    const headers = { 'x-hireflix-signature': signature };
    await product.app.inject({ method: 'POST', url: new URL(path, 'http://x').pathname, payload: body, headers });
    const read = () => recruiter.call(getInterview, { params: { id: 'hfx_new' } }).catch(() => null);
    await until('it is read', async () => (await read())?.segments.length === 2);
    expect((await read())?.segments.map(({ videoFile }) => videoFile)).toEqual([null, null]);
    encoding.stop();
    await product.db
      .updateTable('automation')
      // The clock was an hour ahead, and has been corrected.
      .set({ unready_announced_at: new Date(Date.now() + 3_600_000) })
      .execute();
    await until('the recordings are joined', async () => (await read())?.videoFile);
  });

  test('an event that arrives while the service refuses the key is read after the resumption', async () => {
    const { sandbox, product, recruiter, funnelId, send, titleOf, eventRuns } = await setUp();
    const [one] = sandbox.control.interviews(FUNNEL);
    const id = one?.id ?? '';
    sandbox.control.change(FUNNEL, id, { title: 'Another title' });
    const fault = sandbox.control.fail({ kind: 'status', status: 401 });
    await send({ id: 'evt_1', interviewId: id });
    await until('the run fails', async () => (await eventRuns())[0]?.status === 'failed');
    expect(await send({ id: 'evt_2', interviewId: id })).toBe(202);
    expect(await eventRuns()).toHaveLength(1);
    fault.stop();
    await recruiter.call(resumeAutomation, { params: { id: funnelId } });
    await until('the interview is read', async () => (await titleOf(id)) === 'Another title');
    await until(
      'nothing waits',
      async () => (await product.db.selectFrom('announced_interview').selectAll().execute()).length === 0,
    );
  });

  test('an event is read again a minute after a failure, and does not count as the last refresh', async () => {
    const { sandbox, product, recruiter, send, titleOf, eventRuns } = await setUp();
    const state = async () => (await recruiter.call(listAutomations, {}))[0];
    const before = await state();
    const [one] = sandbox.control.interviews(FUNNEL);
    const id = one?.id ?? '';
    sandbox.control.change(FUNNEL, id, { title: 'Another title' });
    const fault = sandbox.control.fail({ kind: 'status', status: 503 });
    await send({ id: 1, interviewId: id });
    await until('the run fails', async () => (await eventRuns())[0]?.status === 'failed');
    expect(await state()).toMatchObject({ lastError: expect.stringContaining('503'), pausedReason: null });
    fault.stop();
    expect(await send({ id: 2, interviewId: id })).toBe(202);
    expect(await eventRuns()).toHaveLength(1);
    const { retry_at: retryAt } = await product.db
      .selectFrom('automation')
      .select('retry_at')
      .executeTakeFirstOrThrow();
    expect(Math.round(((retryAt?.getTime() ?? 0) - Date.now()) / 10_000)).toBe(6);

    await product.db.updateTable('automation').set({ retry_at: new Date() }).execute();
    await send({ id: 3, interviewId: id });
    await until('the interview is read', async () => (await titleOf(id)) === 'Another title');
    await until('the run ends', async () => (await eventRuns()).at(-1)?.status === 'completed');
    expect(await state()).toMatchObject({ lastError: null, lastRefreshAt: before?.lastRefreshAt });

    // The clock was an hour ahead, and has been corrected.
    await product.db
      .updateTable('automation')
      .set({ retry_at: new Date(Date.now() + 3_600_000) })
      .execute();
    sandbox.control.change(FUNNEL, id, { title: 'A third title' });
    await send({ id: 4, interviewId: id });
    await until('the interview is read', async () => (await titleOf(id)) === 'A third title');
  });

  test('many recordings that are not encoded are read again in turn, ten in five minutes', async () => {
    const { product, recruiter, funnelId } = await setUpRefresh({}, { paces: { automationIntervalMs: 3_600_000 } });
    await recruiter.call(openWebhook, { params: { id: funnelId } });
    await product.db.updateTable('webhook').set({ last_event_at: new Date() }).execute();
    const announced: string[][] = [];
    const automations = new Automations({
      db: product.db,
      funnels: { findAutomationActor: async () => ({}), lockShared: async () => ({ id: funnelId }) },
      segments: { listUnready: async () => Array.from({ length: 25 }, (_, n) => ({ id: `iv_${n}` })) },
      sync: {
        listAnnouncedFunnels: async () => [],
        announceInterviews: async (_tx: unknown, _id: number, ids: string[]) => void announced.push(ids),
      },
    } as unknown as AutomationDeps);
    const now = vi.spyOn(Date, 'now');
    onTestFinished(() => now.mockRestore());
    for (const minutes of [0, 5, 10]) {
      now.mockReturnValue(Date.UTC(2026, 10, 23) + minutes * 60_000);
      await product.db.updateTable('automation').set({ unready_announced_at: null }).execute();
      await automations.startDue();
    }
    expect(announced.map(({ length }) => length)).toEqual([10, 10, 10]);
    expect(new Set(announced.flat()).size).toBe(25);
  });

  test('an event that arrives during a run is read by the next one, which starts when the run ends', async () => {
    const { sandbox, send, titleOf, eventRuns } = await setUp();
    const [first, second] = sandbox.control.interviews(FUNNEL).map(({ id }) => id);
    sandbox.control.change(FUNNEL, second ?? '', { title: 'Another title' });
    sandbox.control.fail({ kind: 'latency', ms: 300 });
    await send({ id: 1, interviewId: first });
    await send({ id: 2, interviewId: second });
    const started = () => eventRuns().then((runs) => runs.toSorted((a, b) => +a.started_at - +b.started_at));
    await until('the first run ends', async () => (await started())[0]?.status === 'completed');
    expect(await eventRuns()).toHaveLength(2);
    await until('the other interview is read', async () => (await titleOf(second ?? '')) === 'Another title');
  });

  test('an event that is repeated after more than a week is a new one', async () => {
    const { product, send } = await setUp();
    const dayMs = 24 * 60 * 60 * 1_000;
    for (const days of [6, 8]) {
      await send({ id: days, interviewId: 'iv_1' });
      const received = { received_at: new Date(Date.now() - days * dayMs) };
      const yesterday = new Date(Date.now() - dayMs);
      await product.db.updateTable('webhook_event').set(received).where('received_at', '>', yesterday).execute();
    }
    await new Webhooks({ db: product.db } as WebhooksDeps).deleteExpired();
    const left = await product.db.selectFrom('webhook_event').select('received_at').execute();
    expect(left.map(({ received_at }) => Math.round((Date.now() - received_at.getTime()) / dayMs))).toEqual([6]);
  });

  test('a burst of 500 events is read by a few refreshes, without a lost or repeated interview', async () => {
    const { sandbox, recruiter, send, eventRuns, entries } = await setUp();
    const before = (await recruiter.call(listInterviews, { query: {} })).total;
    const added = Array.from({ length: 500 }, (_, at) => ({ id: `iv_burst_${at}`, title: `Burst ${at}` }));
    sandbox.control.add(FUNNEL, ...(added as never[]));
    // Services repeat an event that a busy server has refused.
    const deliver = async (interviewId: string) => {
      await until(
        `the event of ${interviewId} is accepted`,
        async () => (await send({ id: interviewId, interviewId })) === 202,
        30_000,
      );
    };
    await Promise.all(added.map(({ id }) => deliver(id)));
    const total = async () => (await recruiter.call(listInterviews, { query: {} })).total;
    await until('all are read', async () => (await total()) === before + 500, 30_000);
    await until('the runs end', async () => (await eventRuns()).every(({ status }) => status === 'completed'), 30_000);
    expect((await eventRuns()).length).toBeLessThan(20);
    const counts = (await entries('sync-interviews')).slice(0, -1).map(({ metadata }) => Number(metadata?.newCount));
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(500);
  });
});

describe('an event with an id that the service does not have', () => {
  test('the list is not read again for an id that it did not contain, nor more than 300 times in an hour', async () => {
    const { sandbox, send, eventRuns } = await setUp();
    const readBy = async (ids: string[], runs: number) => {
      sandbox.requests.clear();
      for (const interviewId of ids) await send({ id: `${interviewId} ${Math.random()}`, interviewId });
      await until('the run ends', async () => {
        const ended = (await eventRuns()).filter(({ status }) => status === 'completed');
        return ended.length >= runs && ended.length === (await eventRuns()).length;
      });
      return listings(sandbox).length;
    };
    expect(await readBy(['invented'], 1)).toBe(1);
    expect(await readBy(['invented'], 2)).toBe(0);
    // The list has an end that the search does not reach.
    sandbox.control.fail({ kind: 'endless', total: 1_000_000 });
    expect(await readBy(['other'], 3)).toBe(299);
    expect(await readBy(['further'], 4)).toBe(0);
  });

  test('an id that Hireflix does not have costs one call, regardless of the length of its list', async () => {
    const { sandbox, product, recruiter, eventRuns, send } = await setUp();
    sandbox.control.hireflix.grow(300, { answers: 0, videoBytes: 0 });
    const { apiKey, positionId: funnelId } = sandbox.hireflix;
    const id = await product.build.funnel(recruiter, { source: 'hireflix', apiKey, funnelId });
    const { path } = await recruiter.call(openWebhook, { params: { id } });
    const signingSecret = 'signing-secret';
    await recruiter.call(setSigningSecret, { params: { id }, body: { signingSecret } });
    const event = { event: 'interview.create', data: { id: 'invented', position: { id: funnelId } } };
    const signature = createHmac('sha256', signingSecret).update(JSON.stringify(event)).digest('base64');
    expect(await send(event, { 'x-hireflix-signature': signature }, path)).toBe(202);
    await until('the run ends', async () => (await eventRuns())[0]?.status === 'completed');
    expect(sandbox.requests.list('/hireflix/me')).toHaveLength(1);
  });

  test('bursts of events read the list six times in an hour, and then interviews one by one', async () => {
    const { product, send, eventRuns } = await setUp();
    const burst = async (name: string) => {
      // More events than the product reads one by one, in one run.
      await product.db
        .updateTable('automation')
        .set({ retry_at: new Date(Date.now() + 60_000) })
        .execute();
      for (let n = 0; n < 11; n += 1) await send({ id: `${name} ${n}`, interviewId: `${name}_${n}` });
      await product.db.updateTable('automation').set({ retry_at: null }).execute();
      await send({ id: name, interviewId: name });
      await until('the run ends', async () => {
        const runs = await eventRuns();
        return runs.length > 0 && runs.every(({ status }) => status === 'completed');
      });
    };
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await burst(name);
    expect((await eventRuns()).filter(({ timeframe }) => timeframe === 'all')).toHaveLength(6);
  }, 60_000);
});

describe('a webhook address', () => {
  test('showing a webhook address again is logged with the user, without the address', async () => {
    const { recruiter, funnelId, path, entries } = await setUp();
    expect(await entries('reveal-webhook')).toEqual([]);
    expect((await recruiter.call(openWebhook, { params: { id: funnelId } })).path).toBe(path);
    const [entry, ...others] = await entries('reveal-webhook');
    expect(entry).toMatchObject({
      summary: expect.stringMatching(/^The webhook address of funnel ".+" was revealed\.$/),
      actor: { kind: 'account', name: 'admin' },
      metadata: { funnelId },
    });
    expect(others).toEqual([]);
    expect(JSON.stringify(entry)).not.toContain(path.split('/').at(-1));
  });

  test('unknown webhook addresses are rejected with 401 and logged once a minute, with and without a session', async () => {
    const { product, recruiter, funnelId, path, send, entries } = await setUp();
    const secret = path.split('/').at(-1) ?? '';
    expect(Buffer.from(secret, 'base64url').length * 8).toBeGreaterThanOrEqual(128);
    const stored = JSON.stringify(await product.db.selectFrom('webhook').selectAll().execute());
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(Buffer.from(secret).toString('hex'));

    const event = { id: 'evt_1', interviewId: 'iv_1' };
    const wrong = [
      `/hooks/rest/${secret}x`,
      `/hooks/rest/${'a'.repeat(43)}`,
      `/hooks/hireflix/${secret}`,
      '/hooks/ftp/x',
    ];
    const cookie = recruiter.cookie ?? '';
    for (const url of wrong) expect([url, await send(event, { cookie }, url)]).toEqual([url, 401]);
    expect(await entries('refused-event')).toHaveLength(1);

    const renewed = await recruiter.call(renewWebhook, { params: { id: funnelId } });
    expect(await send(event)).toBe(401);
    expect(await send(event, {}, renewed.path)).toBe(202);
  });

  test('after 30 unknown webhook addresses a minute a client gets 429, except at an address that has worked', async () => {
    const { product, recruiter, funnel, send, path } = await setUp();
    const event = { id: 'evt_1', interviewId: 'iv_1' };
    const other = await recruiter.call(createFunnel, { body: { ...funnel, name: 'Another', funnelId: 'other' } });
    const { path: unused } = await recruiter.call(openWebhook, { params: { id: other.id } });
    expect(await send(event)).toBe(202);
    for (let guess = 0; guess < 30; guess += 1) expect(await send(event, {}, `/hooks/rest/${guess}`)).toBe(401);
    const refused = await product.app.inject({ method: 'POST', url: '/hooks/rest/30', payload: event });
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
    expect([await send(event, {}, unused), await send(event, {}, path)]).toEqual([429, 202]);
  });

  test('a webhook accepts events of at most 1 MB that name an interview', async () => {
    const { send, sendRaw, product } = await setUp();
    const event = '{"id":"evt_0","interviewId":"iv_1"}';
    const full = event.padEnd(1024 * 1024);
    expect(await sendRaw(`${full} `, { 'content-type': 'application/json' })).toBe(413);
    // Without a length, in several chunks.
    const chunked = { 'transfer-encoding': 'chunked' };
    expect(await sendRaw(Readable.from([full, ' ']), chunked)).toBe(413);
    expect(await sendRaw(Readable.from([event, ' ']), chunked)).toBe(202);
    expect(await sendRaw(full)).toBe(202);
    const deep = '['.repeat(1_000_000);
    for (const body of ['', '{', '[]', 'null', '"iv_1"', deep])
      expect([body, await sendRaw(body)]).toEqual([body, 400]);
    for (const event of [
      { id: 'evt_1' },
      { interviewId: 'iv_1' },
      { id: 'evt_1', interviewId: 'a\nb' },
      { id: {}, interviewId: 'iv_1' },
      { id: 'evt_1', interviewId: 'x'.repeat(201) },
    ])
      expect([event, await send(event)]).toEqual([event, 400]);
    // Services send any content type.
    expect(await sendRaw('{"id":"evt_2","interviewId":"iv_1"}', { 'content-type': 'text/plain' })).toBe(202);
    expect(await product.db.selectFrom('webhook_event').selectAll().execute()).toHaveLength(2);
  });

  test('a webhook accepts 20,000 events a day, and earlier announcements are still read', async () => {
    const { product, send, eventRuns } = await setUp();
    expect(await send({ id: 1, interviewId: 'iv_1' })).toBe(202);
    await product.db.updateTable('webhook').set({ event_count: 20_000 }).execute();
    expect(await send({ id: 2, interviewId: 'iv_1' })).toBe(429);
    await until('the run ends', async () => (await eventRuns())[0]?.status === 'completed');
    await product.db.updateTable('webhook').set({ counted_on: '2026-01-01' }).execute();
    expect(await send({ id: 2, interviewId: 'iv_1' })).toBe(202);
  });

  test('a webhook of a service that signs accepts only its signature of the raw body', async () => {
    const { product, recruiter, sendRaw, entries } = await setUp();
    const position = { source: 'hireflix', apiKey: HIREFLIX_KEY, funnelId: 'pos_designer' } as const;
    const id = await product.build.funnel(recruiter, position);
    const { path } = await recruiter.call(openWebhook, { params: { id } });
    const bodyOf = (interviewId: string, position = 'pos_designer') =>
      `{ "event": "interview.finish", "data": { "id": "${interviewId}", "position": { "id": "${position}" } } }`;
    const body = bodyOf('hfx_012');
    const sign = (key: string, text = body) => createHmac('sha256', key).update(text).digest('base64');
    const post = (signature?: string, text = body) =>
      sendRaw(text, signature === undefined ? {} : { 'x-hireflix-signature': signature }, path);
    expect(await post(sign('whsec'))).toBe(401);
    expect((await entries('refused-event'))[0]?.summary).toContain('no signing secret');
    const response = await recruiter.call(setSigningSecret, { params: { id }, body: { signingSecret: 'whsec' } });
    expect(response).toEqual({ path, isSigned: true, hasSigningSecret: true });
    const reformatted = JSON.stringify(JSON.parse(body));
    for (const [signature, text] of [
      [undefined, body],
      ['', body],
      [sign('other'), body],
      [sign('whsec', reformatted), body],
      [sign('whsec').slice(0, -4), body],
    ] as const)
      expect([signature, await post(signature, text)]).toEqual([signature, 401]);
    expect([await post(sign('whsec')), await post(sign('whsec'))]).toEqual([202, 202]);
    const foreign = bodyOf('hfx_011', 'pos_office');
    expect(await post(sign('whsec', foreign), foreign)).toBe(202);
    expect(await product.db.selectFrom('webhook_event').selectAll().execute()).toHaveLength(1);
  });
});
