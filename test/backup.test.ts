import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listFunnels } from '#contracts/funnels.ts';
import { getVideo, listInterviews } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { convertInterview } from '#contracts/processing.ts';
import { login } from '#contracts/session.ts';
import { updateShare } from '#contracts/shares.ts';
import { getSyncStatus, startSync } from '#contracts/sync.ts';
import { openDatabase } from '#server/cli/open-database.ts';
import { readConfig } from '#server/config/config.ts';
import { readSecrets } from '#server/config/secrets.ts';
import { DATABASE } from '#server/db/embedded/access.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { RELEASE } from '#server/release.ts';
import { backUp, databaseOf, emptyFolder, emptyInstallation, filesOf, restore, rowsOf } from '#support/backups.ts';
import { ADA, candidateCommand } from '#support/candidate.ts';
import { CLI } from '#support/commands.ts';
import { activeFunnel, allInterviews, FUNNEL, prepareDataDir, surroundings } from '#support/process-surroundings.ts';
import { setUpProcessing } from '#support/processing.ts';
import { refresh } from '#support/refreshing.ts';
import { setUpFactor } from '#support/second-factor.ts';
import { insertCandidates, shareOne } from '#support/sharing.ts';
import { startApp } from '#support/start-app.ts';
import { startProcess } from '#support/start-process.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import type { TestDatabase } from '#support/test-database.ts';
import { until } from '#support/until.ts';

/** A product that the test may change, and an empty environment. */
async function setUp() {
  const on = await setUpProcessing();
  return { ...on, elsewhere: await emptyInstallation(on.product) };
}

/** Starts the embedded database of an installation until the test ends. */
async function startDatabaseOf({ DATA_DIR = '' }: Record<string, string>): Promise<TestDatabase> {
  const server = await startEmbeddedPostgres({ dataDir: DATA_DIR, log: { info: () => {} } });
  onTestFinished(server.stop);
  return { name: DATABASE, url: server.ownerUrl, applicationUrl: server.applicationUrl, drop: async () => {} };
}

test.skipIf(process.env.DATABASE_URL)(
  'a backup of a running server with an embedded database restores the same product in an empty folder',
  {
    timeout: 120_000,
  },
  async () => {
    const sandbox = await startSandbox();
    const env = await surroundings(sandbox);
    const first = await startProcess(env);
    await activeFunnel(first, sandbox);
    await first.call(startSync, { query: {} });
    await until('the refresh ends', async () => !(await first.call(getSyncStatus, {})).inProgress, 30_000);
    const { file, result } = await backUp(env);
    expect(result).toContain('It is not encrypted: anyone who has it can read names');
    expect(result).toMatch(/The encryption key \([0-9a-f]{8}\) is not included: store .*encryption-key separately\./);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const [rows, files] = [await rowsOf(env), await filesOf(env)];
    const interviews = await allInterviews(first);
    const funnels = await first.call(listFunnels, {});
    await first.terminate();

    const elsewhere = { ...env, DATA_DIR: await emptyFolder() };
    await expect(restore(elsewhere, file)).rejects.toThrow('The encryption key of the backup');
    await copyFile(join(env.DATA_DIR, 'encryption-key'), join(elsewhere.DATA_DIR, 'encryption-key'));
    expect(await restore(elsewhere, file)).toContain(`and ${Object.keys(files).length} files`);
    expect(await filesOf(elsewhere)).toEqual(files);
    const database = await startDatabaseOf(elsewhere);
    expect(await rowsOf(elsewhere)).toEqual(rows);

    const second = await startApp({ database, dataDir: elsewhere.DATA_DIR, env: { ...elsewhere, ENCRYPTION_KEY: '' } });
    const person = await second.signedIn();
    expect(await allInterviews(person)).toEqual(interviews);
    expect(await person.call(listFunnels, {})).toEqual(funnels);
    const { logs } = await person.call(listLogs, { query: { type: 'system' } });
    expect(logs.find(({ action }) => action === 'restore-backup')).toMatchObject({
      summary: expect.stringContaining(`was restored by release ${RELEASE}.`),
      metadata: { release: RELEASE, restoredBy: RELEASE },
    });
    const { id = '' } = interviews.interviews.find(({ hasLocalCopy }) => hasLocalCopy) ?? {};
    const { videoFile } = await person.call(getVideo, { params: { id } });
    const url = `/api/files/video/${videoFile}`;
    const played = await person.request({ method: 'GET', url, headers: { range: 'bytes=0-99' } });
    expect([played.statusCode, played.rawPayload.length]).toEqual([206, 100]);
  },
);

test('a second factor still asks for its codes after a restore', async () => {
  const product = await startApp();
  const recruiter = await product.signedIn();
  const elsewhere = await emptyInstallation(product);
  const { phone, recoveryCodes } = await setUpFactor(recruiter, 'admin123');
  const { file } = await backUp(product.environment);
  await restore(elsewhere, file);
  const database = databaseOf(elsewhere);
  const second = await startApp({ database, dataDir: elsewhere.DATA_DIR, env: elsewhere });
  await expect(second.signedIn()).rejects.toThrow('Enter the code from your authenticator app.');
  for (const code of [phone.code(1), recoveryCodes[0]])
    await second.anonymous().call(login, { body: { username: 'admin', password: 'admin123', code } });
});

test('a restore reports how many links for clients work again, also those that were revoked since', async () => {
  const { product, recruiter, funnelId, elsewhere } = await setUp();
  await insertCandidates(product, funnelId);
  const [revoked, late] = [await shareOne(recruiter), await shareOne(recruiter)];
  await shareOne(recruiter);
  const revoke = (id: number) => recruiter.call(updateShare, { params: { id }, body: { revoked: true } });
  await revoke(revoked.id);
  const { file } = await backUp(product.environment);
  await revoke(late.id);
  expect(await restore(elsewhere, file)).toContain('2 links for clients work as they did in the backup');
});

test('candidates erased before the backup stay erased after the restore', async () => {
  const { sandbox, product, recruiter, elsewhere } = await setUp();
  const [, one] = sandbox.control.interviews(FUNNEL);
  sandbox.control.change(FUNNEL, one?.id ?? '', { candidate: ADA });
  await refresh(product, recruiter);
  await candidateCommand(product, ['erase', ADA.email, '--yes']);
  const { file } = await backUp(product.environment);
  await restore(elsewhere, file);
  const database = databaseOf(elsewhere);
  const second = await startApp({ database, dataDir: elsewhere.DATA_DIR, env: elsewhere });
  const person = await second.signedIn();
  await refresh(second, person);
  expect((await person.call(listInterviews, { query: { search: ADA.email } })).total).toBe(0);
});

test('a backup made during a refresh, a step and removals is consistent, and no work hangs after the restore', async () => {
  const { sandbox, product, recruiter, elsewhere } = await setUp();
  sandbox.control.grow(FUNNEL, 250);
  sandbox.control.fail({ kind: 'hang', onPage: 2 });
  sandbox.control.fail({ kind: 'latency', ms: 200, on: 'google' });
  await recruiter.call(startSync, { query: {} });
  await until('pages are written', async () => (await recruiter.call(getSyncStatus, {})).processed > 50);
  const { interviews } = await recruiter.call(listInterviews, { query: { limit: 50 } });
  const withVideo = interviews.find(({ hasLocalCopy, youtubeStatus }) => hasLocalCopy && youtubeStatus === null);
  if (withVideo) await recruiter.call(convertInterview, { params: { id: withVideo.id } });
  // A file that is removed while the backup is made: the snapshot still refers to it.
  const [gone = ''] = await readdir(join(product.dataDir, 'files', 'thumbnails'));
  await rm(join(product.dataDir, 'files', 'thumbnails', gone));
  const { file, result } = await backUp(product.environment);
  expect(result).toContain('Missing files: 1.');

  await restore(elsewhere, file);
  const rows = await rowsOf(elsewhere);
  const named = (rows.interview ?? []).flatMap((row) => row.match(/[\w-]+-[0-9a-f]{16}\.\w+/g) ?? []);
  const files = Object.keys(await filesOf(elsewhere)).map((path) => path.split('/').at(-1));
  expect(named).not.toContain(gone);
  expect(new Set(named)).toEqual(new Set(files));

  const database = databaseOf(elsewhere);
  const second = await startApp({ database, dataDir: elsewhere.DATA_DIR, env: elsewhere });
  const person = await second.signedIn();
  expect(await person.call(getSyncStatus, {})).toMatchObject({
    inProgress: false,
    error: expect.stringContaining('interrupted'),
  });
  const { interviews: restored } = await person.call(listInterviews, { query: { limit: 100, status: 'processing' } });
  expect(restored).toEqual([]);
  sandbox.control.clearFaults();
  await refresh(second, person);
  expect((await filesOf(elsewhere))[`/thumbnails/${gone}`]).toBeDefined();
}, 60_000);

test('an interrupted backup leaves no partial file and no running database', { timeout: 60_000 }, async () => {
  const DATA_DIR = await prepareDataDir();
  await readSecrets(readConfig({ DATA_DIR }));
  const opened = await openDatabase(readConfig({ DATA_DIR }), { needs: 'usable' });
  await opened.connection.pool.query(`
    INSERT INTO funnel (name, external_id, api_key_encrypted) VALUES ('Funnel', 'F', '');
    INSERT INTO interview (id, funnel_id, title, recorded_at, created_at, video_file)
    SELECT 'long', id, 'Long', now(), now(), 'long.mp4' FROM funnel`);
  await opened[Symbol.asyncDispose]();
  const videos = join(DATA_DIR, 'files', 'videos');
  await mkdir(videos, { recursive: true });
  await writeFile(join(videos, 'long.mp4'), '');
  // A sparse file: it takes no space here, but some seconds to copy.
  await truncate(join(videos, 'long.mp4'), 8 * 2 ** 30);

  const into = await emptyFolder();
  const child = spawn(process.execPath, [CLI, 'backup', join(into, 'backup.tar'), '--plain'], {
    env: { PATH: process.env.PATH, DATA_DIR },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  await until('the backup is being written', async () => (await readdir(into)).length > 0, 15_000);
  child.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
  expect(await readdir(into)).toEqual([]);
  expect(await readdir(join(DATA_DIR, 'postgres'))).not.toContain('postmaster.pid');
});
