import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { request } from 'undici';
import { connect } from '#server/db/database.ts';
import { archivedEvent } from '#server/features/outgoing-webhooks/public-events.ts';
import { reportEvent } from '#server/features/outgoing-webhooks/report-event.ts';
import { Child } from './child.ts';
import { sized, timed } from './measure.ts';
import { type BenchProduct, startProduct } from './product.ts';
import { peakMb } from './resident-mb.ts';
import { type BenchRow, benchRow, limitRow, percentile } from './row.ts';
import { seedInterviews } from './seed-interviews.ts';

const HEALTHY = Array.from({ length: 17 }, (_, n) => `/ok-${n}`);
const RECEIVERS = [...HEALTHY, '/slow', '/dead', '/flaky'];
/** Each reaches 20 receivers: 100,000 deliveries. */
const EVENTS = sized(5_000, 10);
const BURST = sized(500, 5);
const INTERVIEWS = 2_000;
const CONCURRENCY = 4;
const MAX_LATENCY_MS = 2_000;
const MAX_MB = 256;
/** The part of the measured deliveries per second at which events are reported steadily. */
const STEADY_SHARE = 0.5;

/** Events to 20 receivers: one is slow, one never responds, and one sometimes returns 500. */
export async function run(): Promise<BenchRow[]> {
  await using receivers = new Child(new URL('./webhooks/receivers.ts', import.meta.url));
  await using product = await startProduct();
  await using stack = new AsyncDisposableStack();
  const { pool, db, close } = connect(product.databaseUrl, { size: 4, prepares: true }, () => {});
  stack.defer(close);
  await seedInterviews(pool, INTERVIEWS);
  const { port } = await receivers.receive<{ port: number }>();
  const origin = `http://127.0.0.1:${port}`;
  await addWebhooks(product, origin);
  const { rows } = await pool.query<{ id: string; funnel: number }>('SELECT id, funnel_id AS funnel FROM interview');
  const report = async (n: number) => {
    const { id = '', funnel = 0 } = rows[n % rows.length] ?? {};
    const event = archivedEvent({ interviewId: id, title: '', funnelId: funnel });
    await db.transaction().execute((tx) => reportEvent(tx, event));
  };
  let [ours, latency] = [0, 0];
  const mb = await peakMb(product.pid, async () => {
    ours = await burst(receivers, async () => {
      for (let n = 0; n < BURST; n += 1) await report(n);
    });
    latency = await steadily(receivers, (ours * STEADY_SHARE) / RECEIVERS.length, report);
  });
  const bare = await burst(receivers, () => sendBare(origin));
  return [
    limitRow({ name: 'latency of the healthy, 99th percentile', ours: latency, limit: MAX_LATENCY_MS }),
    benchRow({ name: 'deliveries, against a bare client', ours, baseline: bare, unit: '/s' }),
    limitRow({ name: 'resident memory, peak', ours: mb, limit: MAX_MB, unit: 'MB' }),
  ];
}

async function addWebhooks(product: BenchProduct, origin: string): Promise<void> {
  const form = { events: ['interview.archived'], format: 'json', includePersonalData: false };
  for (const path of RECEIVERS) await product.admin.call('POST', '/api/webhooks', { url: origin + path, ...form });
}

/** Reports events at a fixed rate. Returns the 99th percentile of the healthy receivers. */
async function steadily(receivers: Child, perSecond: number, report: (n: number) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  for (let n = 0; n < EVENTS; n += 1) {
    await sleep(Math.max(0, startedAt + (n * 1_000) / perSecond - performance.now()));
    await report(n);
  }
  await arrived(receivers, EVENTS * HEALTHY.length);
  const { latencies } = await receivers.ask<{ latencies: Record<string, number[]> }>({ isEnd: true });
  const ofHealthy = HEALTHY.flatMap((path) => latencies[path] ?? []);
  return percentile(ofHealthy, 0.99);
}

/** Returns deliveries per second, until the healthy receivers have everything. */
async function burst(receivers: Child, send: () => Promise<void>): Promise<number> {
  const count = BURST * HEALTHY.length;
  const ms = await timed(() => Promise.all([send(), arrived(receivers, count)]));
  await receivers.ask({ isEnd: true });
  return (count * 1_000) / ms;
}

async function arrived(receivers: Child, count: number): Promise<void> {
  while ((await receivers.ask<{ count: number }>({ isEnd: false })).count < count) await sleep(20);
}

/** The minimum work: signed requests of the same size, as many at a time as the product sends. */
async function sendBare(origin: string): Promise<void> {
  const webhook = new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`);
  const sendTo = async (path: string, lane: number) => {
    for (let n = lane; n < BURST; n += CONCURRENCY) {
      const [id, now] = [crypto.randomUUID(), new Date()];
      const data = { interviewId: `iv_${n}`, funnelId: 1 };
      const body = JSON.stringify({ id, type: 'interview.archived', createdAt: now.toISOString(), actor: {}, data });
      const headers = { 'webhook-id': id, 'webhook-signature': webhook.sign(id, now, body) };
      const response = await request(origin + path, { method: 'POST', headers, body });
      await response.body.dump();
    }
  };
  await Promise.all(HEALTHY.flatMap((path) => Array.from({ length: CONCURRENCY }, (_, lane) => sendTo(path, lane))));
}
