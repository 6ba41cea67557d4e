import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startBulkRun } from '#contracts/bulk.ts';
import { createOutgoingWebhook, listWebhookDeliveries, retryWebhookDelivery } from '#contracts/outgoing-webhooks.ts';
import { RELEASE } from '#server/release.ts';
import { startDatabaseRelay } from '#support/database-relay.ts';
import { setUpProcessing } from '#support/processing.ts';
import { FUNNEL, refresh, setUpRefresh } from '#support/refreshing.ts';
import { startApp } from '#support/start-app.ts';
import { createTestDatabase } from '#support/test-database.ts';
import { until } from '#support/until.ts';

const TOKEN = 'a token of the monitors';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('readiness', () => {
  test('readiness is ok while everything works, and liveness while the process runs', async () => {
    const product = await startApp();
    const anybody = product.anonymous();
    expect((await anybody.request({ method: 'GET', url: '/livez' })).json()).toEqual({
      status: 'ok',
      release: RELEASE,
    });
    const ready = await anybody.request({ method: 'GET', url: '/readyz' });
    expect(ready.statusCode).toBe(200);
    expect(ready.json()).toEqual({
      status: 'ok',
      roles: ['web', 'worker'],
      checks: { database: 'ok', migrations: 'ok', files: 'ok', queue: 'ok' },
    });
  });

  test('readiness begins at the end of the start, because an outage during the start ends the process', async () => {
    const starting = await startApp({ jobs: false, isAlone: false, env: { ROLES: 'web' } });
    const { statusCode, body } = await starting.anonymous().request({ method: 'GET', url: '/readyz' });
    expect([statusCode, JSON.parse(body).checks.queue]).toEqual([503, 'not started']);
  });

  test('an outage of the database or the file store after the start degrades a process, so that it still gets requests', async () => {
    const database = await createTestDatabase();
    onTestFinished(database.drop);
    const relay = await startDatabaseRelay(database.applicationUrl);
    const product = await startApp({ database, env: { DATABASE_URL: relay.url } });
    const ask = async () => {
      const { statusCode, body } = await product.anonymous().request({ method: 'GET', url: '/readyz' });
      const { status, checks } = JSON.parse(body);
      return { statusCode, status, checks };
    };
    expect(await ask()).toMatchObject({ statusCode: 200, status: 'ok' });
    await rm(join(product.dataDir, 'files'), { recursive: true, force: true });
    await writeFile(join(product.dataDir, 'files'), 'in the way');
    const files = 'cannot be written (unavailable)';
    await until('the outage is detected', async () => (await ask()).checks.files === files);
    expect(await ask()).toMatchObject({ statusCode: 200, status: 'degraded', checks: { files, database: 'ok' } });
    relay.cut();
    await until('the outage is detected', async () => (await ask()).checks.database === 'does not answer');
    expect(await ask()).toMatchObject({ statusCode: 200, status: 'degraded', checks: { migrations: 'unknown' } });
    expect((await product.anonymous().request({ method: 'GET', url: '/healthz' })).statusCode).toBe(503);
  });

  test('readiness names each problem without folders', async () => {
    const product = await startApp({ jobs: false });
    await rm(join(product.dataDir, 'files'), { recursive: true, force: true });
    await writeFile(join(product.dataDir, 'files'), 'in the way');
    await sql`DELETE FROM migration WHERE name LIKE '0001%'`.execute(product.db);
    const { statusCode, headers, body } = await product.anonymous().request({ method: 'GET', url: '/readyz' });
    expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
    expect(JSON.parse(body)).toEqual({
      status: 'not ready',
      roles: ['web', 'worker'],
      checks: {
        database: 'ok',
        migrations: '1 missing',
        files: 'cannot be written (unavailable)',
        queue: 'not started',
      },
    });
    expect(body).not.toContain(product.dataDir);
  });
});

describe('metrics', () => {
  test('need a configured token, and are a 404 without one', async () => {
    const closed = await startApp({ jobs: false });
    const asked = { method: 'GET' as const, url: '/metrics' };
    expect((await closed.anonymous().request({ ...asked, headers: bearer('undefined') })).statusCode).toBe(404);
    expect((await (await closed.signedIn()).request(asked)).statusCode).toBe(404);

    const product = await startApp({ jobs: false, env: { METRICS_TOKEN: TOKEN } });
    const refused = [{}, bearer(''), bearer('another token'), { authorization: `Basic ${TOKEN}` }];
    for (const headers of refused) {
      const response = await product.anonymous().request({ ...asked, headers });
      expect([response.statusCode, response.headers['www-authenticate']]).toEqual([401, 'Bearer realm="metrics"']);
    }
    expect((await (await product.signedIn()).request(asked)).statusCode).toBe(401);
    const response = await product.anonymous().request({ ...asked, headers: bearer(TOKEN) });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toContain('text/plain; version=0.0.4');
  });

  test('contain requests by route, jobs, the refresh, failed calls, sockets, the disk and the process', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh({ METRICS_TOKEN: TOKEN });
    sandbox.control.fail({ kind: 'status', status: 401 });
    await refresh(product, recruiter);
    await recruiter.request({ method: 'GET', url: '/api/interviews/somebody@example.com' });
    const { body } = await product.anonymous().request({ method: 'GET', url: '/metrics', headers: bearer(TOKEN) });
    for (const line of [
      /^http_request_duration_seconds_count\{method="GET",route="\/api\/interviews\/:id",status="404"\} 1$/m,
      /^interviews_upstream_errors_total\{service="interviews?[^"]*",kind="unauthorised"\} 1$/m,
      /^interviews_refresh_failed 1$/m,
      /^interviews_refresh_running 0$/m,
      /^interviews_role\{role="web"\} 1\ninterviews_role\{role="worker"\} 1$/m,
      new RegExp(`^interviews_build_info\\{release="${RELEASE}"\\} 1$`, 'm'),
      /^interviews_sockets 0$/m,
      /^interviews_webhook_deliveries 0$/m,
      /^interviews_webhook_oldest_seconds 0$/m,
      /^interviews_webhook_attempts_total\{outcome="delivered"\} 0$/m,
      /^interviews_files_free_bytes [1-9]/m,
      /^interviews_files_writable 1$/m,
      /^interviews_database_up 1$/m,
      /^interviews_database_connections\{state="idle"\} \d/m,
      /^interviews_database_waiting 0$/m,
      /^nodejs_eventloop_lag_p99_seconds \d/m,
      /^process_resident_memory_bytes \d/m,
    ])
      expect(body).toMatch(line);
    expect(body).not.toContain('somebody');
  });

  test('count a response that breaks the contract under the name that monitoring knows', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh({ METRICS_TOKEN: TOKEN });
    const [id = ''] = sandbox.control.interviews(FUNNEL).map((interview) => interview.id);
    sandbox.control.change(FUNNEL, id, { videoUrl: `${sandbox.url}/received` });
    await refresh(product, recruiter);
    const { body } = await product.anonymous().request({ method: 'GET', url: '/metrics', headers: bearer(TOKEN) });
    expect(body).toMatch(/^interviews_upstream_errors_total\{service="files",kind="bad_answer"\} 1$/m);
  });

  test('contain pending webhook deliveries, and how long a receiver has been failing', async () => {
    const { sandbox, product, recruiter } = await setUpRefresh({ METRICS_TOKEN: TOKEN });
    const read = async (series: string) => {
      const { body } = await product.anonymous().request({ method: 'GET', url: '/metrics', headers: bearer(TOKEN) });
      return Number(new RegExp(`^interviews_webhook_${series} (.+)$`, 'm').exec(body)?.[1]);
    };
    const refusal = sandbox.control.fail({ kind: 'status', status: 500, retryAfterSeconds: 3_600, on: 'receiver' });
    const body = { url: `${sandbox.receiverUrl}/crm`, format: 'json', includePersonalData: false } as const;
    const { id } = await recruiter.call(createOutgoingWebhook, { body: { ...body, events: ['refresh.completed'] } });
    await refresh(product, recruiter);
    await until('an attempt has failed', async () => (await read('attempts_total{outcome="repeated"}')) > 0 || null);
    expect(await read('deliveries')).toBe(1);
    expect(await read('failing_seconds')).toBeGreaterThan(0);
    // Its retry is due later.
    expect(await read('oldest_seconds')).toBe(0);
    refusal.stop();
    const [delivery] = await recruiter.call(listWebhookDeliveries, { params: { id } });
    await recruiter.call(retryWebhookDelivery, { params: { id, deliveryId: delivery?.id ?? 0 } });
    await until('it is delivered', async () => (await read('attempts_total{outcome="delivered"}')) === 1 || null);
    expect([await read('deliveries'), await read('failing_seconds')]).toEqual([0, 0]);

    await product.stop();
    const { database, dataDir, environment } = product;
    const web = await startApp({ database, dataDir, env: { ...environment, ROLES: 'web' }, isAlone: false });
    await (await web.signedIn()).call(retryWebhookDelivery, { params: { id, deliveryId: delivery?.id ?? 0 } });
    await sql`UPDATE webhook_delivery SET due_at = now() - interval '10 minutes'`.execute(web.db);
    const { body: text } = await web.anonymous().request({ method: 'GET', url: '/metrics', headers: bearer(TOKEN) });
    expect(Number(/^interviews_webhook_oldest_seconds (.+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(600);
  });

  test('count the ended steps of single interviews and of bulk runs', async () => {
    const { product, recruiter, id, ended, done } = await setUpProcessing({ env: { METRICS_TOKEN: TOKEN } });
    await recruiter.call(startBulkRun, { body: { action: 'transcribe', target: { ids: [id] } } });
    await until('it is transcribed', async () => (await ended('transcribe')).transcriptionStatus);
    await done('summarize');
    const counted = (step: string) => `interviews_steps_ended_total{step="${step}",outcome="completed"} 1\n`;
    await until('both are counted', async () => {
      const { body } = await product.anonymous().request({ method: 'GET', url: '/metrics', headers: bearer(TOKEN) });
      return (body.includes(counted('transcription')) && body.includes(counted('summary'))) || null;
    });
  });

  test('leave out values that cannot be read', async () => {
    const product = await startApp({ env: { METRICS_TOKEN: TOKEN } });
    const scrape = async () =>
      (await product.anonymous().request({ method: 'GET', url: '/metrics', headers: bearer(TOKEN) })).body;
    const unknown = /^interviews_(refresh_(running|processed|failed)|files_free_bytes) /gm;
    expect((await scrape()).match(unknown)).toHaveLength(4);

    await sql`ALTER TABLE sync_run RENAME TO sync_run_away`.execute(product.db);
    await rm(join(product.dataDir, 'files'), { recursive: true, force: true });
    await writeFile(join(product.dataDir, 'files'), 'in the way');
    const [body, same] = await Promise.all([scrape(), scrape()]);
    expect(body.match(unknown)).toBeNull();
    expect(body).toMatch(/^interviews_files_writable 0$/m);
    for (const text of [body, same]) expect(text).toMatch(/^interviews_database_answer_seconds \d/m);
  });
});

test('a job carries the id of the request that enqueued it, for the log', async () => {
  const product = await startApp({ env: { INTERVIEW_SERVICE_URL: 'http://127.0.0.1:9' } });
  const recruiter = await product.signedIn();
  await product.build.activeFunnel(recruiter);
  const started = await recruiter.request({ method: 'GET', url: '/api/interviews/sync' });
  const { rows } = await sql<{ id: string }>`
    SELECT data -> '_actor' ->> 'requestId' AS id FROM pgboss.job WHERE name = 'sync.run'`.execute(product.db);
  expect(rows).toEqual([{ id: started.headers['x-request-id'] }]);
});
