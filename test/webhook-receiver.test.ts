import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { archiveInterview } from '#contracts/interviews.ts';
import { createOutgoingWebhook, listWebhookDeliveries, testOutgoingWebhook } from '#contracts/outgoing-webhooks.ts';
import { freePorts } from './support/free-ports.ts';
import { insertCandidates } from './support/sharing.ts';
import { startApp } from './support/start-app.ts';
import { until } from './support/until.ts';

const RECEIVER = join(import.meta.dirname, '../docs/examples/webhook-receiver.mjs');

test('the documented receiver has ten lines, accepts genuine events, and rejects everything else', async () => {
  const lines = (await readFile(RECEIVER, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  expect(lines.length).toBeLessThanOrEqual(10);
  const product = await startApp({ env: { ALLOW_PRIVATE_HOSTS: '127.0.0.1' } });
  const admin = await product.signedIn();
  const funnelId = await product.build.funnel(admin);
  await insertCandidates(product, funnelId);
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}/`;
  const { id, secret } = await admin.call(createOutgoingWebhook, {
    body: { url, events: ['interview.archived'], format: 'json', includePersonalData: false },
  });
  const receiver = spawn(process.execPath, [RECEIVER], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(receiver.stdout);
  onTestFinished(() => void receiver.kill('SIGKILL'));
  const headers = { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) };
  const forged = () =>
    fetch(url, { method: 'POST', body: '{}', headers: { ...headers, 'webhook-signature': 'v1,AAAA' } });
  const refusal = await until('the receiver listens', () => forged().catch(() => null));
  expect(refusal.status).toBe(400);
  await admin.call(testOutgoingWebhook, { params: { id } });
  await admin.call(archiveInterview, { params: { id: 'dana' } });
  const deliveries = await until('both are delivered', async () => {
    const all = await admin.call(listWebhookDeliveries, { params: { id } });
    return all.length === 2 && all.every(({ state }) => state === 'delivered') ? all : null;
  });
  receiver.kill();
  await once(receiver, 'exit');
  for (const { eventId, type, answer } of deliveries) {
    expect(answer?.status).toBe(204);
    expect(await output).toContain(`${eventId} ${type}`);
  }
});
