import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { getInterview, listInterviews } from '#contracts/interviews.ts';
import { convertInterview } from '#contracts/processing.ts';
import { getSyncStatus, startSync } from '#contracts/sync.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import type { Config } from '#server/config/config.ts';
import { FUNNEL, refresh } from '#support/refreshing.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';

const TOKEN = 'a token of the monitors';

/** A busy machine needs up to a second between the end of a worker and the first look. */
const PACE = { beatMs: 50, readMs: 20, missingAfterMs: 2_500 };

/** Another process on the data of `first`. */
const startNext = (first: TestApp, env: Partial<Record<keyof Config, string>>) =>
  startApp({
    env: { ...first.environment, ...env },
    database: first.database,
    dataDir: first.dataDir,
    isAlone: false,
    paces: { workerPace: PACE },
  });
const get = async (product: TestApp, url: string) => product.anonymous().request({ method: 'GET', url });

describe('a web process', () => {
  test('a web process starts first on an empty database, enqueues, and leaves jobs to a worker', async () => {
    const sandbox = await startSandbox();
    const web = await startApp({ env: { ...productVariables(sandbox), ROLES: 'web' }, isAlone: false });
    expect((await get(web, '/readyz')).json()).toMatchObject({ status: 'ok', roles: ['web'], checks: { queue: 'ok' } });
    const recruiter = await web.signedIn();
    await web.build.activeFunnel(
      recruiter,
      sandbox.funnels.find(({ funnelId }) => funnelId === FUNNEL),
    );
    await recruiter.call(startSync, { query: { timeframe: 'all' } });
    const jobs = () => sql<{ state: string }>`SELECT state FROM pgboss.job WHERE name = 'sync.run'`.execute(web.db);
    expect((await jobs()).rows).toEqual([{ state: 'created' }]);

    const unsuited = await startNext(web, { ROLES: 'worker', WORKER_QUEUES: 'convert,summarize' });
    expect((await get(unsuited, '/readyz')).json()).toMatchObject({ status: 'ok', roles: ['worker'] });
    expect((await jobs()).rows).toEqual([{ state: 'created' }]);

    await startNext(web, { ROLES: 'worker', WORKER_QUEUES: 'sync' });
    await web.refreshEnded(recruiter);
    expect((await recruiter.call(getSyncStatus, {})).error).toBeNull();
    expect((await recruiter.call(listInterviews, { query: {} })).interviews.length).toBeGreaterThan(0);
  });
});

test('without a worker, refreshes and cards show that they wait, and /readyz is degraded', async () => {
  const sandbox = await startSandbox();
  const env = { ...productVariables(sandbox), ROLES: 'web', METRICS_TOKEN: TOKEN };
  const web = await startApp({ env, isAlone: false, paces: { workerPace: PACE } });
  const recruiter = await web.signedIn();
  await web.build.activeFunnel(
    recruiter,
    sandbox.funnels.find(({ funnelId }) => funnelId === FUNNEL),
  );
  const readyz = async () => {
    const { statusCode, body } = await get(web, '/readyz');
    const { status, checks } = JSON.parse(body);
    return [statusCode, status, checks.queue];
  };
  const workers = async () => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const { body } = await web.anonymous().request({ method: 'GET', url: '/metrics', headers });
    return /^interviews_workers (\d+)$/m.exec(body)?.[1];
  };
  const worker = await startNext(web, { ROLES: 'worker' });
  expect([await readyz(), await workers()]).toEqual([[200, 'ok', 'ok'], '1']);
  await refresh(web, recruiter);
  await worker.stop();
  const [interview] = (await recruiter.call(listInterviews, { query: {} })).interviews;
  const params = { id: interview?.id ?? '' };
  await recruiter.call(convertInterview, { params });
  await recruiter.call(startSync, { query: { timeframe: 'all' } });

  const current = async () => (await recruiter.call(getSyncStatus, {})).current;
  const note = async () => (await recruiter.call(getInterview, { params })).processingStatus.youtube?.note;
  expect([await current(), await note()]).toEqual(['Connecting to the interview service...', undefined]);
  await until('the worker is missing', async () => (await current()) === 'Waiting for a worker');
  expect(await note()).toBe('Waiting for a worker');
  await until('the check is repeated', async () => (await readyz())[1] === 'degraded');
  expect([await readyz(), await workers()]).toEqual([[200, 'degraded', 'no worker'], '0']);

  await startNext(web, { ROLES: 'worker' });
  await web.refreshEnded(recruiter);
  await until('the check is repeated', async () => (await readyz())[1] === 'ok');
  expect(await note()).toBeUndefined();
});

describe('a worker', () => {
  test('a worker serves monitors only, and needs no first password', async () => {
    const env = { ROLES: 'worker', METRICS_TOKEN: TOKEN, HOST: '0.0.0.0', ADMIN_PASSWORD: 'admin' };
    const worker = await startApp({ env, isAlone: false });
    for (const url of ['/livez', '/readyz', '/healthz']) expect((await get(worker, url)).statusCode).toBe(200);
    for (const url of ['/', '/api/interviews', '/api/docs', '/api/files/video/a.mp4', '/ws'])
      expect([url, (await get(worker, url)).statusCode]).toEqual([url, 404]);
    const metrics = { method: 'GET' as const, url: '/metrics', headers: { authorization: `Bearer ${TOKEN}` } };
    const { body } = await worker.anonymous().request(metrics);
    expect(body.match(/^interviews_role.*/gm)).toEqual(['interviews_role{role="worker"} 1']);
    expect(await worker.db.selectFrom('account').select('id').execute()).toEqual([]);
  });

  test('a worker runs removals and bulk actions whatever its queues are', async () => {
    const web = await startApp({ env: { ROLES: 'web' }, isAlone: false });
    await startNext(web, { ROLES: 'worker', WORKER_QUEUES: 'convert' });
    await sql`INSERT INTO pgboss.job (name, data) VALUES ('media.remove-files', '{"files": []}'), ('bulk.run', '{"runId": 1}'),
      ('processing.summarize', '{"interviewId": "iv_1", "runId": "9f0d3f0e-3c61-4b1a-9d55-0d2f4f8f3a11"}')`.execute(
      web.db,
    );
    const open = async () => {
      const { rows } = await sql<{ name: string }>`
        SELECT name FROM pgboss.job WHERE name NOT LIKE '\\_\\_%' AND state <> 'completed'`.execute(web.db);
      return rows.map(({ name }) => name);
    };
    await until('both jobs end', async () => (await open()).length === 1);
    expect(await open()).toEqual(['processing.summarize']);
  });
});

test('by default one process has both roles', async () => {
  const product = await startApp();
  expect((await get(product, '/readyz')).json()).toMatchObject({ roles: ['web', 'worker'] });
  expect((await get(product, '/api/interviews')).statusCode).toBe(401);
});
