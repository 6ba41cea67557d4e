import { expect, test } from 'vitest';
import { archiveInterview } from '#contracts/interviews.ts';
import {
  createOutgoingWebhook,
  listWebhookDeliveries,
  retryWebhookDelivery,
  updateOutgoingWebhook,
} from '#contracts/outgoing-webhooks.ts';
import { DELIVERY_RETRY } from '#server/features/outgoing-webhooks/retry-plan.ts';
import { insertCandidates } from '#support/sharing.ts';
import { startApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';

test('once personal data is switched off, waiting and repeated deliveries contain none', async () => {
  const { receiverUrl, control } = await startSandbox();
  const product = await startApp({
    paces: { deliveryRetry: { ...DELIVERY_RETRY, firstDelayMs: 600_000 } },
    env: { ALLOW_PRIVATE_HOSTS: '127.0.0.1' },
  });
  const admin = await product.signedIn();
  await insertCandidates(product, await product.build.funnel(admin));
  const form = { events: ['interview.archived' as const], format: 'json' as const };
  const former = { ...form, url: `${receiverUrl}/former` };
  const { id } = await admin.call(createOutgoingWebhook, { body: { ...former, includePersonalData: true } });
  const params = { id };
  const archive = (interviewId: string) => admin.call(archiveInterview, { params: { id: interviewId } });
  const attempted = (count: number) =>
    until(`${count} deliveries were attempted`, async () => {
      const all = await admin.call(listWebhookDeliveries, { params });
      return all.length === count && all.every(({ attempts }) => attempts > 0) ? all : null;
    });

  await archive('dana');
  await attempted(1);
  control.fail({ kind: 'status', status: 500, on: 'receiver', times: 1 });
  await archive('omar');
  const deliveries = await attempted(2);
  expect(deliveries.map(({ state, request }) => [state, request.includes('@example.com')])).toEqual([
    ['pending', true],
    ['delivered', true],
  ]);

  const body = { ...form, url: `${receiverUrl}/next`, includePersonalData: false, isActive: true };
  await admin.call(updateOutgoingWebhook, { params, body });
  for (const { id: deliveryId } of deliveries) await admin.call(retryWebhookDelivery, { params: { id, deliveryId } });
  const sent = await until('both arrive', () => {
    const events = control.events('/receiver/next');
    return events.length === 2 ? events : null;
  });
  for (const event of sent) {
    expect(event.body).not.toMatch(/Haddad|Moore|@example\.com|title|candidate/);
    expect(JSON.parse(event.body)).toMatchObject({
      type: 'interview.archived',
      data: { funnelId: expect.any(Number) },
    });
  }
});
