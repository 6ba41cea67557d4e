import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { listInterviews } from '#contracts/interviews.ts';
import { getSyncStatus, startSync } from '#contracts/sync.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import type { Config } from '#server/config/config.ts';
import { FUNNEL } from '#support/refreshing.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';

const TOKEN = 'a token of the monitors';

/** Another process on the data of `first`. */
const startNext = (first: TestApp, env: Partial<Record<keyof Config, string>>) =>
  startApp({ env: { ...first.environment, ...env }, database: first.database, dataDir: first.dataDir, isAlone: false });
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
