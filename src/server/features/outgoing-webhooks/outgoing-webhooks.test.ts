import { expect, test } from 'vitest';
import { listLogs } from '#contracts/logs.ts';
import {
  createOutgoingWebhook,
  deleteOutgoingWebhook,
  listOutgoingWebhooks,
  listWebhookDeliveries,
  replaceWebhookSecret,
  retryWebhookDelivery,
  testOutgoingWebhook,
  updateOutgoingWebhook,
} from '#contracts/outgoing-webhooks.ts';
import { MAX_OUTGOING_WEBHOOKS } from '#contracts/rules/limits.ts';
import { runCommandLine } from '#support/commands.ts';
import { startApp } from '#support/start-app.ts';

const FORM = {
  url: 'https://203.0.114.1/services/T0/secret-part?key=1',
  events: ['share.opened', 'interview.added', 'interview.added'] as ('share.opened' | 'interview.added')[],
  format: 'json' as const,
  includePersonalData: false,
};

async function start(env: Record<string, string> = {}) {
  const product = await startApp({ jobs: false, env });
  const admin = await product.signedIn();
  return { product, admin };
}

test('an administrator adds a webhook, changes it, turns it off and deletes it', async () => {
  const { product, admin } = await start();
  const { secret, ...created } = await admin.call(createOutgoingWebhook, { body: FORM });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(created).toMatchObject({
    ...{ url: FORM.url, events: ['interview.added', 'share.opened'], format: 'json', includePersonalData: false },
    ...{ isActive: true, pausedAt: null, pauseReason: null, failingSince: null, pending: 0 },
  });
  expect(await admin.call(listOutgoingWebhooks, {})).toEqual([created]);
  const params = { id: created.id };
  const changes = { ...FORM, url: 'https://203.0.114.2/', events: ['step.failed' as const], format: 'slack' as const };
  const updated = await admin.call(updateOutgoingWebhook, {
    params,
    body: { ...changes, includePersonalData: true, isActive: false },
  });
  expect(updated).toEqual({ ...created, ...changes, includePersonalData: true, isActive: false });
  expect(await admin.call(deleteOutgoingWebhook, { params })).toEqual({ message: 'Webhook deleted' });
  expect(await admin.call(listOutgoingWebhooks, {})).toEqual([]);
  const { logs } = await admin.call(listLogs, { query: { type: 'system' } });
  expect(logs.map(({ summary }) => summary)).toEqual(
    expect.arrayContaining([
      'A webhook to 203.0.114.1 was added.',
      'The webhook to 203.0.114.2 was changed.',
      'The webhook to 203.0.114.2 was deleted.',
    ]),
  );
  for (const call of [updateOutgoingWebhook, deleteOutgoingWebhook, replaceWebhookSecret, testOutgoingWebhook])
    await expect(admin.call(call as never, { params, body: { ...FORM, isActive: true } } as never)).rejects.toThrow(
      'This webhook no longer exists.',
    );
  await expect(product.db.selectFrom('webhook_delivery').selectAll().execute()).resolves.toEqual([]);
});

test('the secret is shown once, and no table, log entry or response contains the secret or the URL', async () => {
  const { product, admin } = await start();
  const { id, secret } = await admin.call(createOutgoingWebhook, { body: FORM });
  const params = { id };
  const { secret: next } = await admin.call(replaceWebhookSecret, { params });
  expect(next).toMatch(/^whsec_/);
  expect(next).not.toBe(secret);
  await admin.call(testOutgoingWebhook, { params });
  const responses = [
    await admin.call(listOutgoingWebhooks, {}),
    await admin.call(listWebhookDeliveries, { params }),
    await admin.call(listLogs, { query: {} }),
  ];
  for (const hidden of [secret, next]) expect(JSON.stringify(responses)).not.toContain(hidden);
  const [webhook] = await product.db.selectFrom('outgoing_webhook').selectAll().execute();
  const logged = await product.db.selectFrom('log_entry').selectAll().execute();
  const stored = Object.values({ ...webhook, logged: JSON.stringify(logged) }).map((value) =>
    Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
  );
  for (const hidden of [secret, next, 'secret-part']) expect(stored.join('\n')).not.toContain(hidden);
});

test('webhooks keep working after a rotation of the encryption key', async () => {
  const { product, admin } = await start({ ENCRYPTION_KEY: 'ab'.repeat(32) });
  const { id } = await admin.call(createOutgoingWebhook, { body: FORM });
  await admin.call(replaceWebhookSecret, { params: { id } });
  const keys = { ENCRYPTION_KEY: 'cd'.repeat(32), ENCRYPTION_KEY_PREVIOUS: 'ab'.repeat(32) };
  expect((await runCommandLine(['keys:rotate'], { ...product.environment, ...keys })).code).toBe(0);
  const { database, dataDir } = product;
  const second = await startApp({ database, dataDir, jobs: false, env: { ENCRYPTION_KEY: keys.ENCRYPTION_KEY } });
  const [webhook] = await (await second.signedIn()).call(listOutgoingWebhooks, {});
  expect(webhook?.url).toBe(FORM.url);
});

test('tests and retries are enqueued as deliveries', async () => {
  const { admin } = await start({ PUBLIC_URL: 'https://interviews.example' });
  const { id } = await admin.call(createOutgoingWebhook, { body: FORM });
  const params = { id };
  const sent = await admin.call(testOutgoingWebhook, { params });
  expect(sent).toMatchObject({ type: 'webhook.test', state: 'pending', attempts: 0, answer: null, error: null });
  expect(JSON.parse(sent.request)).toEqual({
    id: sent.eventId,
    type: 'webhook.test',
    createdAt: sent.createdAt,
    actor: { kind: 'account', id: expect.any(Number), name: 'admin' },
    data: { link: 'https://interviews.example/webhooks' },
  });
  const retried = await admin.call(retryWebhookDelivery, { params: { id, deliveryId: sent.id } });
  expect(retried).toMatchObject({ id: sent.id, eventId: sent.eventId, state: 'pending' });
  expect(await admin.call(listWebhookDeliveries, { params })).toEqual([retried]);
  const body = { ...FORM, isActive: false };
  expect(await admin.call(updateOutgoingWebhook, { params, body })).toMatchObject({ isActive: false, pending: 1 });
  const other = await admin.call(createOutgoingWebhook, { body: FORM });
  await expect(admin.call(retryWebhookDelivery, { params: { id: other.id, deliveryId: sent.id } })).rejects.toThrow(
    'This delivery no longer exists.',
  );
});

test.each([
  ['http://127.0.0.1:9/events', 'must start with https://. Only hosts in ALLOW_PRIVATE_HOSTS may have http://'],
  ['https://192.168.0.1/', 'must not be in a private network'],
  ['https://[::ffff:10.0.0.1]/', 'must not be in a private network'],
  ['https://ann@example.com/', 'must not contain a username or a password'],
  ['events', 'must be a URL, such as https://example.com/events'],
])('the URL %s is rejected because it %s', async (url, problem) => {
  const { admin } = await start();
  const response = await admin.request({ method: 'POST', url: '/api/webhooks', body: { ...FORM, url } });
  expect([response.statusCode, response.json()]).toMatchObject([
    400,
    { code: 'invalid_input', field: 'url', message: expect.stringContaining(problem) },
  ]);
});

test('hosts in ALLOW_PRIVATE_HOSTS may use http', async () => {
  const { admin } = await start({ ALLOW_PRIVATE_HOSTS: '127.0.0.1, events.corp' });
  for (const url of ['http://127.0.0.1:9/events', 'http://events.corp/', 'https://events.corp/'])
    await admin.call(createOutgoingWebhook, { body: { ...FORM, url } });
});

test('there are at most 50 webhooks, even if they are added concurrently', async () => {
  const { product, admin } = await start();
  const responses = await Promise.all(
    Array.from({ length: MAX_OUTGOING_WEBHOOKS + 5 }, () =>
      admin.request({ method: 'POST', url: '/api/webhooks', body: FORM }),
    ),
  );
  expect(responses.filter(({ statusCode }) => statusCode === 409)).toHaveLength(5);
  const rows = await product.db.selectFrom('outgoing_webhook').select('id').execute();
  expect(rows).toHaveLength(MAX_OUTGOING_WEBHOOKS);
});
