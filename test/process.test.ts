import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { listLogs } from '#contracts/logs.ts';
import { getSyncStatus, startSync } from '#contracts/sync.ts';
import { connectionStringOf, readAccess } from '#server/db/embedded/access.ts';
import { emptyFolder } from './support/backups.ts';
import { activeFunnel, allInterviews, FUNNEL, surroundings } from './support/process-surroundings.ts';
import { startProcess } from './support/start-process.ts';
import { startSandbox } from './support/start-sandbox.ts';
import { createTestDatabase } from './support/test-database.ts';
import { until } from './support/until.ts';

const VIDEOS = 20;

test('after a kill during a refresh, the refresh continues from its last batch', { timeout: 90_000 }, async () => {
  const sandbox = await startSandbox();
  sandbox.control.grow(FUNNEL, 300);
  for (const { id } of sandbox.control.grow(FUNNEL, VIDEOS, { videoBytes: 100_000 })) {
    sandbox.control.change(FUNNEL, id, { thumbnailUrl: `/media/thumbnails/${id}/nurse-family.jpg` });
  }
  sandbox.control.fail({ kind: 'hang', onPage: 3 });
  sandbox.control.fail({ kind: 'latency', ms: 500, on: 'media' });
  const env = await surroundings(sandbox);

  const first = await startProcess(env);
  await activeFunnel(first, sandbox);
  await first.call(startSync, { query: {} });
  const before = await until('two pages were written', async () => {
    const status = await first.call(getSyncStatus, {});
    return status.processed >= 200 ? status : null;
  });
  await first.kill();
  expect(before.inProgress).toBe(true);
  expect(before.downloadedFiles).toBeLessThan(before.totalFiles);
  sandbox.control.clearFaults();
  sandbox.requests.clear();

  const second = await startProcess(env);
  const status = await until(
    'the refresh ends',
    async () => {
      const now = await second.call(getSyncStatus, {});
      return now.inProgress ? null : now;
    },
    30_000,
  );
  const source = sandbox.control.interviews(FUNNEL);
  expect(status).toMatchObject({ error: null, processed: source.length, total: source.length });
  expect(status.downloadedFiles).toBe(status.totalFiles);

  // No row is lost or duplicated.
  const { interviews, total } = await allInterviews(second);
  expect(total).toBe(source.length);
  expect(new Set(interviews.map(({ id }) => id)).size).toBe(source.length);
  const { logs } = await second.call(listLogs, { query: {} });
  expect(logs.filter(({ action }) => action === 'sync-interviews')).toMatchObject([
    { status: 'success', metadata: { count: source.length, newCount: source.length } },
  ]);

  // It continued, and did not start again.
  const pages = sandbox.requests.list('/interviews').map(({ query }) => Number(query.page));
  expect(pages).toContain(3);
  expect(pages).not.toContain(1);

  // No partial file and no unreferenced file remains.
  const named = {
    videos: interviews.flatMap(({ videoFile }) => videoFile ?? []),
    thumbnails: interviews.flatMap(({ thumbnailFile }) => thumbnailFile ?? []),
  };
  for (const [folder, names] of Object.entries(named)) {
    expect(names.length, folder).toBeGreaterThan(VIDEOS);
    expect((await readdir(join(env.DATA_DIR, 'files', folder))).sort(), folder).toEqual(names.sort());
    expect(await readdir(join(env.DATA_DIR, 'files', 'partial', folder)).catch(() => []), folder).toEqual([]);
  }
  expect(interviews.filter(({ videoUrl }) => videoUrl).every(({ hasLocalCopy }) => hasLocalCopy)).toBe(true);
  expect(interviews.filter(({ thumbnailUrl }) => thumbnailUrl).every(({ thumbnailFile }) => thumbnailFile)).toBe(true);
  expect(await second.terminate()).toBe(0);
});

test('SIGTERM stops the process within 15 s, even during a refresh, which resumes at the next start', {
  timeout: 60_000,
}, async () => {
  const sandbox = await startSandbox();
  sandbox.control.grow(FUNNEL, 150);
  sandbox.control.fail({ kind: 'hang', onPage: 2 });
  const env = await surroundings(sandbox);
  const first = await startProcess(env);
  await activeFunnel(first, sandbox);
  await first.call(startSync, { query: {} });
  await until('a page was written', async () => (await first.call(getSyncStatus, {})).processed > 0);
  const startedAt = performance.now();
  expect(await first.terminate()).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(15_000);

  sandbox.control.clearFaults();
  const second = await startProcess(env);
  const status = await until('the refresh ends', async () => {
    const now = await second.call(getSyncStatus, {});
    return now.inProgress ? null : now;
  });
  expect(status).toMatchObject({ error: null, processed: sandbox.control.interviews(FUNNEL).length });
});

test.skipIf(process.env.DATABASE_URL)(
  'the embedded database accepts the connections of the largest pool, all of them without the rights of a superuser',
  {
    timeout: 60_000,
  },
  async () => {
    const env = await surroundings(await startSandbox());
    await startProcess({ ...env, DATABASE_POOL_SIZE: '200' });
    const access = await readAccess(env.DATA_DIR);
    const client = new pg.Client({ connectionString: access ? connectionStringOf(access) : '' });
    await client.connect();
    const { rows } = await client.query<{ max_connections: string }>('SHOW max_connections');
    const accounts = await client.query<{ role: string; isSuperuser: boolean }>(
      `SELECT DISTINCT pg_user.usename AS role, usesuper AS "isSuperuser" FROM pg_stat_activity JOIN pg_user USING (usesysid)
       WHERE application_name LIKE 'interviews%'`,
    );
    await client.end();
    expect(Number(rows[0]?.max_connections)).toBeGreaterThan(200);
    expect(accounts.rows).toEqual([{ role: 'interviews_app', isSuperuser: false }]);
  },
);

test('each start warns about settings without effect and about services that are reached unencrypted', {
  timeout: 60_000,
}, async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const env = { DATA_DIR: await emptyFolder(), DATABASE_URL: database.url };
  const lines: string[] = [];
  const onLog = (line: string) => lines.push(line);
  const settings = {
    YOUTUBE_CLIENT_ID: 'ours',
    YOUTUBE_CLIENT_SECRET: 'secret',
    SUMMARY_URL: 'http://summaries.example.com/v1',
  };
  await startProcess({ ...env, LOG_LEVEL: 'warn', ...settings }, { onLog });
  expect(
    lines.filter((line) => line.includes("YouTube isn't connected: YOUTUBE_REFRESH_TOKEN is missing")),
  ).toHaveLength(1);
  expect(lines.filter((line) => line.includes("SUMMARY_URL isn't encrypted"))).toHaveLength(1);
});
