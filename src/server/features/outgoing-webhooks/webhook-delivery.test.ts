import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { archiveInterview, setDestination, unarchiveInterview } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { listNotices } from '#contracts/notices.ts';
import {
  createOutgoingWebhook,
  listOutgoingWebhooks,
  listWebhookDeliveries,
  type NewOutgoingWebhook,
  replaceWebhookSecret,
  retryWebhookDelivery,
  testOutgoingWebhook,
  updateOutgoingWebhook,
  type WebhookDelivery,
} from '#contracts/outgoing-webhooks.ts';
import { PUBLIC_EVENT_NAMES, PUBLIC_EVENTS, type PublicEventName } from '#contracts/public-events.ts';
import { OutgoingWebhooks } from '#server/features/outgoing-webhooks/outgoing-webhooks.service.ts';
import { DELIVERY_RETRY } from '#server/features/outgoing-webhooks/retry-plan.ts';
import { backUp, emptyInstallation, restore, rowsOf } from '#support/backups.ts';
import { candidateCommand } from '#support/candidate.ts';
import { setUpProcessing } from '#support/processing.ts';
import { FUNNEL, refresh } from '#support/refreshing.ts';
import { setUpSending } from '#support/sending.ts';
import { insertCandidates } from '#support/sharing.ts';
import { startApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';

type AppOptions = NonNullable<Parameters<typeof startApp>[0]>;

const FAST = { ...DELIVERY_RETRY, firstDelayMs: 50, maxDelayMs: 200, giveUpMs: 60_000, maxBrakeMs: 200 };

async function start({ env, ...options }: AppOptions = {}) {
  const sandbox = await startSandbox();
  const product = await startApp({
    paces: { deliveryRetry: FAST },
    env: { ALLOW_PRIVATE_HOSTS: '127.0.0.1', ...env },
    ...options,
  });
  const admin = await product.signedIn();
  const funnelId = await product.build.funnel(admin);
  await insertCandidates(product, funnelId);
  const { receiverUrl, control } = sandbox;
  const form = {
    url: `${receiverUrl}/crm`,
    events: PUBLIC_EVENT_NAMES,
    format: 'json',
    includePersonalData: false,
  } as const;
  const webhook = (changes: Partial<NewOutgoingWebhook> = {}) =>
    admin.call(createOutgoingWebhook, { body: { ...form, ...changes } });
  const received = (name = 'crm') => control.events(`/receiver/${name}`);
  const arrived = (count: number, name?: string) =>
    until(`${count} events arrive`, () => (received(name).length >= count ? received(name) : null));
  const deliveries = (id: number) => admin.call(listWebhookDeliveries, { params: { id } });
  /** Resolves with the deliveries, newest first, once one of them matches. */
  const delivered = (id: number, isWanted: (delivery: WebhookDelivery) => boolean) =>
    until('the delivery is as wanted', async () => {
      const all = await deliveries(id);
      return all.some(isWanted) ? all : null;
    });
  const archive = (id = 'dana') => admin.call(archiveInterview, { params: { id } });
  const unarchive = (id = 'dana') => admin.call(unarchiveInterview, { params: { id } });
  return {
    sandbox,
    control,
    product,
    admin,
    form,
    webhook,
    received,
    arrived,
    deliveries,
    delivered,
    archive,
    unarchive,
  };
}

const typesOf = (events: readonly { body: string }[]) => events.map(({ body }) => JSON.parse(body).type);

test('an event arrives signed, with the id and body shown in the list of deliveries', async () => {
  const { webhook, archive, arrived, delivered } = await start();
  const { id, secret } = await webhook();
  await archive();
  const [event] = await arrived(1);
  const headers = {
    'webhook-id': event?.id ?? '',
    'webhook-timestamp': event?.timestamp ?? '',
    'webhook-signature': event?.signature ?? '',
  };
  const body = new Webhook(secret).verify(event?.body ?? '', headers);
  expect(body).toMatchObject({ id: event?.id, type: 'interview.archived', data: { interviewId: 'dana' } });
  expect(() => new Webhook(secret).verify(`${event?.body} `, headers)).toThrow();
  const [delivery] = await delivered(id, ({ state }) => state === 'delivered');
  expect(delivery).toMatchObject({
    ...{ eventId: event?.id, request: event?.body, state: 'delivered', attempts: 1, nextAttemptAt: null, error: null },
    ...{ answer: { status: 200, body: '{"received":true}' }, durationMs: expect.any(Number) },
  });
});

test('after a replacement, both secrets verify a delivery for a day', async () => {
  const { product, webhook, admin, archive, unarchive, arrived } = await start();
  const { id, secret: former } = await webhook();
  const { secret } = await admin.call(replaceWebhookSecret, { params: { id } });
  await archive();
  const [event] = await arrived(1);
  const verify = (by: string, of = event) =>
    new Webhook(by).verify(of?.body ?? '', {
      ...{ 'webhook-id': of?.id ?? '', 'webhook-timestamp': of?.timestamp ?? '' },
      'webhook-signature': of?.signature ?? '',
    });
  for (const one of [secret, former]) expect(verify(one)).toMatchObject({ type: 'interview.archived' });
  await product.db.updateTable('outgoing_webhook').set({ former_secret_until: new Date() }).execute();
  await unarchive();
  await archive();
  const [, second] = await arrived(2);
  expect(verify(secret, second)).toMatchObject({ type: 'interview.archived' });
  expect(() => verify(former, second)).toThrow('No matching signature found');
});

test('half an emoji in a destination is replaced in the event', async () => {
  const { webhook, admin, arrived } = await start();
  await webhook();
  await admin.call(setDestination, { params: { id: 'dana' }, body: { destinationId: 'BUB-ACME-\ud83d' } });
  const [event] = await arrived(1);
  expect(JSON.parse(event?.body ?? '').data).toMatchObject({ destinationId: 'BUB-ACME-\ufffd' });
});

test('a failed delivery is retried with the same id, and later events of its interview wait for it', async () => {
  const { control, webhook, admin, archive, arrived, received, deliveries } = await start();
  const { id } = await webhook();
  const refusal = control.fail({ kind: 'status', status: 500, on: 'receiver', path: '/receiver/crm', times: 3 });
  await admin.call(setDestination, { params: { id: 'dana' }, body: { destinationId: 'BUB-ACME-1' } });
  await archive('dana');
  await archive('omar');
  await arrived(3);
  expect(refusal.hits()).toBe(3);
  const ofDana = received().filter(({ body }) => body.includes('dana'));
  expect(typesOf(ofDana)).toEqual(['interview.sent', 'interview.archived']);
  const all = await until('all are delivered', async () => {
    const now = await deliveries(id);
    return now.every(({ state }) => state === 'delivered') ? now : null;
  });
  expect(all.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(6);
  expect(new Set(all.map(({ eventId }) => eventId)).size).toBe(3);
});

test.each([
  ['responds with 500', { kind: 'status', status: 500 }, 'The receiver responded with 500.'],
  [
    'redirects',
    { kind: 'status', status: 302, location: '/receiver/other' },
    'The receiver responded with 302, a redirect, which is never followed.',
  ],
  ['breaks off its response', { kind: 'reset', when: 'after-headers' }, "The receiver can't be reached (ECONNRESET)."],
  ['closes the connection', { kind: 'reset', when: 'before-headers' }, "The receiver can't be reached (ECONNRESET)."],
] as const)('when the receiver %s, the delivery waits with the reason', async (_does, fault, reason) => {
  const { control, webhook, archive, delivered, received } = await start();
  const { id } = await webhook();
  control.fail({ ...fault, on: 'receiver' });
  await archive();
  const [delivery] = await delivered(id, ({ attempts }) => attempts >= 2);
  expect(delivery).toMatchObject({ state: 'pending', error: reason, nextAttemptAt: expect.any(String) });
  expect([received('other'), received()]).toEqual([[], []]);
});

test('a receiver that never responds does not delay others', async () => {
  const { sandbox, control, webhook, archive, unarchive, arrived } = await start();
  control.fail({ kind: 'hang', on: 'receiver', path: '/receiver/dead' });
  control.fail({ kind: 'latency', ms: 3_000, on: 'receiver', path: '/receiver/slow' });
  for (const name of ['dead', 'slow', 'crm']) await webhook({ url: `${sandbox.receiverUrl}/${name}` });
  for (let round = 0; round < 10; round += 1) {
    await archive('dana');
    await archive('omar');
    await unarchive('dana');
    await unarchive('omar');
  }
  const endedAt = Date.now();
  await arrived(20);
  expect(Date.now() - endedAt).toBeLessThan(5_000);
});

test('after an outage, a receiver gets every event, in order for each interview', async () => {
  const { control, webhook, archive, unarchive, arrived } = await start();
  await webhook();
  const away = control.fail({ kind: 'reset', when: 'before-headers', on: 'receiver' });
  for (let round = 0; round < 4; round += 1) {
    await archive('dana');
    await archive('omar');
    await unarchive('dana');
    await unarchive('omar');
  }
  await until('several attempts fail', () => away.hits() >= 5 || null);
  away.stop();
  const events = await arrived(8);
  for (const name of ['dana', 'omar']) {
    const times = events.filter(({ body }) => body.includes(name)).map(({ body }) => JSON.parse(body).createdAt);
    expect(times).toEqual(times.toSorted());
    expect(times).toHaveLength(4);
  }
});

test('a delivery fails after 24 hours, and Retry sends it again', async () => {
  const { control, product, webhook, admin, archive, delivered } = await start();
  const { id } = await webhook();
  const refusal = control.fail({ kind: 'status', status: 503, on: 'receiver' });
  await archive();
  await delivered(id, ({ attempts }) => attempts > 0);
  await product.db
    .updateTable('webhook_delivery')
    .set({ created_at: new Date(Date.now() - FAST.giveUpMs) })
    .execute();
  const [failed] = await delivered(id, ({ state }) => state === 'failed');
  expect(failed).toMatchObject({ error: 'The receiver responded with 503.', nextAttemptAt: null });
  refusal.stop();
  await admin.call(retryWebhookDelivery, { params: { id, deliveryId: failed?.id ?? 0 } });
  const [sent] = await delivered(id, ({ state }) => state === 'delivered');
  expect(sent).toMatchObject({ eventId: failed?.eventId, error: null });
});

test('a test is sent once, even while the webhook is off', async () => {
  const { control, webhook, form, admin, arrived, archive, delivered, received } = await start();
  const { id } = await webhook();
  const params = { id };
  await admin.call(updateOutgoingWebhook, { params, body: { ...form, events: [...form.events], isActive: false } });
  await archive();
  await admin.call(testOutgoingWebhook, { params });
  expect(typesOf(await arrived(1))).toEqual(['webhook.test']);
  control.fail({ kind: 'status', status: 500, on: 'receiver' });
  await admin.call(testOutgoingWebhook, { params });
  const [failed] = await delivered(id, ({ state }) => state === 'failed');
  expect(failed).toMatchObject({ attempts: 1, type: 'webhook.test', error: 'The receiver responded with 500.' });
  expect(received()).toHaveLength(1);
});

test('a receiver that responds with 410 is paused immediately, and administrators get a notice', async () => {
  const { control, webhook, form, admin, archive, delivered, arrived } = await start();
  const { id } = await webhook();
  const gone = control.fail({ kind: 'status', status: 410, on: 'receiver' });
  await archive();
  await delivered(id, ({ state }) => state === 'failed');
  const [paused] = await admin.call(listOutgoingWebhooks, {});
  expect(paused).toMatchObject({
    ...{ isActive: false, pausedAt: expect.any(String) },
    pauseReason: 'Its receiver responded with 410, which ends deliveries.',
  });
  const { notifications } = await admin.call(listNotices, {});
  expect(notifications).toMatchObject([{ kind: 'webhook', actor: new URL(form.url).host, interviewId: null }]);
  const { logs } = await admin.call(listLogs, { query: { type: 'error' } });
  expect(logs[0]).toMatchObject({
    action: 'pause-outgoing-webhook',
    summary: `The webhook to ${new URL(form.url).host} was paused. Its receiver responded with 410, which ends deliveries.`,
  });
  gone.stop();
  const body = { ...form, events: [...form.events], isActive: true };
  expect(await admin.call(updateOutgoingWebhook, { params: { id }, body })).toMatchObject({ pausedAt: null });
  await archive('omar');
  await arrived(1);
});

test('a webhook that fails for three days is paused, and sends pending deliveries once turned on', async () => {
  const { control, product, webhook, form, admin, archive, delivered, arrived } = await start();
  const { id } = await webhook();
  const refusal = control.fail({ kind: 'status', status: 500, on: 'receiver' });
  await archive();
  await delivered(id, ({ attempts }) => attempts > 0);
  const [failing] = await admin.call(listOutgoingWebhooks, {});
  expect(failing).toMatchObject({ isActive: true, failingSince: expect.any(String), pending: 1 });
  await product.db
    .updateTable('outgoing_webhook')
    .set({ failing_since: new Date(Date.now() - 73 * 3_600_000) })
    .execute();
  const paused = await until('it is paused', async () => {
    const [one] = await admin.call(listOutgoingWebhooks, {});
    return one?.isActive ? null : one;
  });
  expect(paused.pauseReason).toBe(
    'Every attempt failed for three days, the last one with: The receiver responded with 500.',
  );
  refusal.stop();
  await admin.call(updateOutgoingWebhook, {
    params: { id },
    body: { ...form, events: [...form.events], isActive: true },
  });
  expect(typesOf(await arrived(1))).toEqual(['interview.archived']);
});

test('a response of any size or kind is stored truncated, and no text breaks the page', async () => {
  const { control, webhook, archive, delivered } = await start();
  const { id } = await webhook();
  const body = `<html>\u0000\u202E${'x'.repeat(3_000_000)}</html>`;
  control.fail({ kind: 'status', status: 500, body, on: 'receiver' });
  await archive();
  const [delivery] = await delivered(id, ({ attempts }) => attempts > 0);
  expect(delivery?.answer?.body).toMatch(/^<html>x+$/);
  expect(delivery?.answer?.body.length).toBeLessThanOrEqual(2_000);
});

test('steps, refreshes and new interviews are reported', async () => {
  const { sandbox, product, recruiter, done } = await setUpProcessing();
  const { receiverUrl, control } = sandbox;
  const body = { events: PUBLIC_EVENT_NAMES, format: 'json', includePersonalData: true } as const;
  await recruiter.call(createOutgoingWebhook, {
    body: { ...body, url: `${receiverUrl}/crm`, events: [...body.events] },
  });
  const arrived = (type: string) =>
    until(`${type} arrives`, () => {
      const events = control.events('/receiver/crm').map((event) => JSON.parse(event.body));
      return events.find((event) => event.type === type)?.data ?? null;
    });
  await done('transcribe');
  const ids = { interviewId: expect.any(String), funnelId: expect.any(Number) };
  expect(await arrived('step.completed')).toMatchObject({ ...ids, step: 'transcribe' });
  control.fail({ kind: 'status', status: 400, on: 'chat' });
  await done('summarize');
  expect(await arrived('step.failed')).toMatchObject({ ...ids, step: 'summarize', error: expect.any(String) });
  control.grow(FUNNEL, 2);
  await refresh(product, recruiter);
  expect(await arrived('interview.added')).toMatchObject({ ...ids, title: expect.any(String) });
  expect(await arrived('refresh.completed')).toMatchObject({
    ...{ funnelId: ids.funnelId, runId: expect.any(String), cause: 'user' },
    counts: { processed: expect.any(Number), new: 2, updated: 0, skipped: expect.any(Number) },
  });
  control.fail({ kind: 'status', status: 401 });
  await refresh(product, recruiter);
  expect(await arrived('refresh.failed')).toMatchObject({ cause: 'user', isCanceled: false });
  for (const { body: text } of control.events('/receiver/crm')) {
    const { type, data } = JSON.parse(text) as { type: PublicEventName; data: unknown };
    expect(PUBLIC_EVENTS[type].data.strict().safeParse(data).error).toBeUndefined();
  }
});

test('erasing a candidate deletes deliveries about them, and backups contain none', async () => {
  const { product, webhook, archive, arrived } = await start();
  await webhook({ includePersonalData: true });
  await archive('dana');
  await archive('omar');
  await arrived(2);
  const { file } = await backUp(product.environment);
  await candidateCommand(product, ['erase', 'dana.moore@example.com', '--yes']);
  const left = JSON.stringify(await product.db.selectFrom('webhook_delivery').selectAll().execute());
  expect(left).toContain('Omar Haddad');
  expect(left).not.toMatch(/dana/i);
  const elsewhere = await emptyInstallation(product);
  await restore(elsewhere, file);
  const { webhook_delivery: restored = [], outgoing_webhook: webhooks = [] } = await rowsOf(elsewhere);
  expect([restored.length, webhooks.length]).toEqual([0, 1]);
});

test('deliveries are deleted after 14 days', async () => {
  const { product, webhook, archive, arrived, deliveries } = await start();
  const { id } = await webhook();
  await archive('dana');
  await archive('omar');
  await arrived(2);
  const age = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);
  await product.db
    .updateTable('webhook_delivery')
    .set({ created_at: age(13) })
    .execute();
  await product.db
    .updateTable('webhook_delivery')
    .set({ created_at: age(15) })
    .where('interview_id', '=', 'dana')
    .execute();
  await new OutgoingWebhooks({ db: product.db } as never).deleteExpired();
  expect((await deliveries(id)).map(({ interviewId }) => interviewId)).toEqual(['omar']);
});

test('another process sends the deliveries of a process that ended', async () => {
  const { sandbox, control, product, webhook, archive, received } = await start();
  await webhook();
  const hanging = control.fail({ kind: 'hang', on: 'receiver' });
  await archive();
  await until('the receiver is called', () => hanging.hits() > 0 || null);
  await product.stop();
  hanging.stop();
  const { database, dataDir } = product;
  await startApp({ database, dataDir, isAlone: false, env: { ALLOW_PRIVATE_HOSTS: '127.0.0.1' } });
  await until('the event arrives', () => received().length > 0 || null);
  expect(sandbox.control.events().map(({ path }) => path)).toEqual(['/receiver/crm']);
});

test('notes in the ATS are reported', async () => {
  const { sandbox, recruiter, send, reaches } = await setUpSending();
  const { receiverUrl, control } = sandbox;
  await recruiter.call(createOutgoingWebhook, {
    body: { url: `${receiverUrl}/crm`, events: ['ats.sent', 'ats.failed'], format: 'json', includePersonalData: false },
  });
  await send();
  await reaches('sent');
  const [event] = await until('the event arrives', () => {
    const events = control.events('/receiver/crm');
    return events.length > 0 ? events : null;
  });
  const { type, data } = JSON.parse(event?.body ?? '');
  expect(type).toBe('ats.sent');
  expect(data).toMatchObject({ interviewId: 'iv_1', ats: 'Bullhorn', isUpdate: false });
  expect(PUBLIC_EVENTS['ats.sent'].data.strict().safeParse(data).error).toBeUndefined();
});
