import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { archiveInterview } from '#contracts/interviews.ts';
import { createOutgoingWebhook, listWebhookDeliveries } from '#contracts/outgoing-webhooks.ts';
import { insertSendable, startKillable } from './support/sending.ts';
import { startProcess } from './support/start-process.ts';
import { startSandbox } from './support/start-sandbox.ts';
import { until } from './support/until.ts';

/** The step of the first delivery at which its process is killed, by receiver path. */
const STEPS = ['before-it-is-received', 'before-the-answer', 'before-the-result-is-stored'] as const;

/** Blocks the first event of each path at its step until `release` is called. */
async function startReceiver() {
  const received: { path: string; id: string }[] = [];
  const called = new Set<string>();
  const answering = Promise.withResolvers<void>();
  let isHeld = true;
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').slice(1);
    called.add(path);
    if (isHeld && path === STEPS[0]) return;
    await text(request);
    received.push({ path, id: String(request.headers['webhook-id']) });
    if (isHeld && path === STEPS[1]) return;
    await answering.promise;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    called,
    idsAt: (path: string) => received.filter((each) => each.path === path).map(({ id }) => id),
    answer: () => answering.resolve(),
    release() {
      isHeld = false;
    },
  };
}

test('after kill -9 at every step of a delivery, each event arrives with one id', { timeout: 120_000 }, async () => {
  const sandbox = await startSandbox();
  const receiver = await startReceiver();
  const { env, product, connection, funnelId } = await startKillable(sandbox);
  await insertSendable(connection, funnelId, [{ id: 'iv_1' }, { id: 'iv_2' }]);
  const webhooks = new Map<string, number>();
  for (const path of STEPS) {
    const body = { url: `${receiver.url}/${path}`, events: ['interview.archived' as const], format: 'json' as const };
    const { id } = await product.call(createOutgoingWebhook, { body: { ...body, includePersonalData: false } });
    webhooks.set(path, id);
  }
  await product.call(archiveInterview, { params: { id: 'iv_1' } });
  await until('each receiver is called', () => receiver.called.size === STEPS.length || null);

  await connection.db.transaction().execute(async (tx) => {
    // The process waits for this row when it stores the result.
    await sql`SELECT FROM webhook_delivery WHERE webhook_id = ${webhooks.get(STEPS[2])} FOR UPDATE`.execute(tx);
    receiver.answer();
    await until('the process waits for the row', async () => {
      const { rows } = await sql`
        SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid
      `.execute(tx);
      return rows.length > 0 || null;
    });
    // Its deliveries are not called before the kill: the receivers are busy.
    await product.call(archiveInterview, { params: { id: 'iv_2' } });
    await product.kill();
  });
  receiver.release();
  expect(STEPS.map((path) => receiver.idsAt(path).length)).toEqual([0, 1, 1]);

  const next = await startProcess(env);
  for (const path of STEPS) {
    const params = { id: webhooks.get(path) ?? 0 };
    const deliveries = await until(`all is delivered to ${path}`, async () => {
      const all = await next.call(listWebhookDeliveries, { params });
      return all.length === 2 && all.every(({ state }) => state === 'delivered') ? all : null;
    });
    const events = deliveries.toReversed().map(({ eventId }) => eventId);
    const [first, ...others] = receiver.idsAt(path).toReversed();
    expect([first, new Set(others)]).toEqual([events[1], new Set([events[0]])]);
  }
  expect(receiver.idsAt(STEPS[1])).toHaveLength(3);
  expect(receiver.idsAt(STEPS[2])).toHaveLength(3);
});
