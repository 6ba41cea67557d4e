import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { listInterviews } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { convertInterview, summarizeInterview, transcribeInterview } from '#contracts/processing.ts';
import { startSync } from '#contracts/sync.ts';
import { findPostmasterPid } from '#support/embedded-server.ts';
import { startExternalPostgres } from '#support/external-postgres.ts';
import type { ProductProcess } from '#support/start-process.ts';
import { until } from '#support/until.ts';
import { activateFunnelOf, onTestEnd, refresh, refreshEnded, type Stage, setStage } from './support/stage.ts';

const FUNNEL = 'warehouse';
const CUT_ALL = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;

async function externalPostgres() {
  const postgres = await startExternalPostgres();
  onTestEnd(postgres.remove);
  return postgres;
}

/** Starts a product and makes it busy with a refresh that downloads files, and with steps. */
async function startBusy(stage: Stage): Promise<ProductProcess> {
  const { control } = stage.sandbox;
  const product = await stage.start();
  await activateFunnelOf(product, stage.sandbox, FUNNEL);
  await refresh(product);
  control.fail({ kind: 'latency', ms: 80 });
  control.fail({ kind: 'latency', ms: 150, on: 'media' });
  control.fail({ kind: 'latency', ms: 200, on: 'google' });
  control.fail({ kind: 'latency', ms: 300, on: 'chat' });
  const [first, second, third] = control.interviews(FUNNEL);
  control.grow(FUNNEL, 600);
  control.grow(FUNNEL, 40, { videoBytes: 500_000 });
  await product.call(startSync, { query: {} });
  if (first) await product.call(convertInterview, { params: { id: first.id } });
  if (second) await product.call(transcribeInterview, { params: { id: second.id } });
  if (third) await product.call(summarizeInterview, { params: { id: third.id } });
  return product;
}

/** Expects that all work has completed without being started again. */
async function expectAllDone(product: ProductProcess, stage: Stage): Promise<void> {
  await stage.settled(90_000);
  const source = stage.sandbox.control.interviews(FUNNEL);
  expect(await refreshEnded(product)).toMatchObject({ error: null, processed: source.length });
  expect((await product.call(listInterviews, { query: { status: 'error' } as never })).interviews).toEqual([]);
  await stage.expectConsistent();
}

async function cutAll(stage: Stage): Promise<void> {
  const client = new pg.Client({ connectionString: await stage.databaseUrl() });
  await client.connect();
  await client.query(CUT_ALL);
  await client.end();
}

test('work completes after all database connections were cut once', async () => {
  const stage = await setStage();
  const product = await startBusy(stage);
  await pause(500);
  await cutAll(stage);
  await expectAllDone(product, stage);
});

test('work completes after all database connections were cut repeatedly', async () => {
  const stage = await setStage();
  const product = await startBusy(stage);
  for (let turn = 0; turn < 8; turn += 1) {
    await pause(400);
    await cutAll(stage);
  }
  await expectAllDone(product, stage);
});

test('while an external database is down for 8 s calls get a 503 with Retry-After, and work completes afterwards', async () => {
  const postgres = await externalPostgres();
  const stage = await setStage({ DATABASE_URL: postgres.url });
  const product = await startBusy(stage);
  await pause(500);
  await postgres.stop();
  const refused = await fetch(`${product.origin}/api/interviews`, { headers: { cookie: product.cookie } });
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ code: 'unavailable', message: expect.stringContaining('database') });
  expect((await fetch(`${product.origin}/healthz`)).status).toBe(503);
  await pause(8_000);
  await postgres.start();
  await until('the product serves again', async () => (await fetch(`${product.origin}/healthz`)).ok, 20_000);
  await expectAllDone(product, stage);
});

test('a refresh works after a restart of an idle external database', async () => {
  const postgres = await externalPostgres();
  const stage = await setStage({ DATABASE_URL: postgres.url });
  const product = await stage.start();
  await activateFunnelOf(product, stage.sandbox, FUNNEL);
  await postgres.stop();
  await postgres.start();
  await until('the product serves again', async () => (await fetch(`${product.origin}/healthz`)).ok, 10_000);
  await refresh(product);
  await stage.settled();
  await stage.expectConsistent();
});

const SIGNALS = { 'killed with SIGKILL': 'SIGKILL', 'stopped with SIGINT': 'SIGINT' } as const;
for (const [how, signal] of Object.entries(SIGNALS)) {
  test(`the embedded database is restarted after it was ${how}, and work completes`, async () => {
    const stage = await setStage();
    const product = await startBusy(stage);
    await pause(500);
    process.kill(await findPostmasterPid(stage.env.DATA_DIR), signal);
    await until('the outage is detected', async () => !(await fetch(`${product.origin}/healthz`)).ok, 10_000);
    await until('the product serves again', async () => (await fetch(`${product.origin}/healthz`)).ok, 30_000);
    await expectAllDone(product, stage);
    const { logs } = await product.call(listLogs, { query: { type: 'error' } as never });
    expect(logs[0]?.summary).toContain('database');
    expect(await product.terminate()).toBe(0);
  });
}

test('work completes after one process of the embedded database was killed', async () => {
  const stage = await setStage();
  const product = await startBusy(stage);
  await pause(500);
  const [backend] = await stage.ask<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'interviews' LIMIT 1",
  );
  process.kill(backend?.pid ?? 0, 'SIGKILL');
  await expectAllDone(product, stage);
});
