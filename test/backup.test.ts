import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listFunnels } from '#contracts/funnels.ts';
import { getVideo, listInterviews } from '#contracts/interviews.ts';
import { convertInterview } from '#contracts/processing.ts';
import { login } from '#contracts/session.ts';
import { startSync, syncStatus } from '#contracts/sync.ts';
import { openDatabase } from '#server/cli/open-database.ts';
import { readConfig } from '#server/config/config.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { backUp, emptyFolder, filesOf, restore, rowsOf } from '#support/backups.ts';
import { ADA, candidateCommand } from '#support/candidate.ts';
import { activeFunnel, allInterviews, FUNNEL, surroundings } from '#support/process-surroundings.ts';
import { setUpProcessing } from '#support/processing.ts';
import { refresh } from '#support/refreshing.ts';
import { setUpFactor } from '#support/second-factor.ts';
import { startApp } from '#support/start-app.ts';
import { startProcess } from '#support/start-process.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { createEmptyDatabase } from '#support/test-database.ts';
import { until } from '#support/until.ts';

/** A product with an interview that has gone through every step, and an environment in which nothing is yet. */
async function setUp() {
  const on = await setUpProcessing();
  for (const step of ['convert', 'transcribe', 'summarize'] as const) await on.done(step);
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  const elsewhere = { ...on.product.environment, DATA_DIR: await emptyFolder(), DATABASE_URL: database.url };
  return { ...on, elsewhere };
}

test('a backup of a running product with an embedded database becomes the same product in an empty folder', {
  timeout: 120_000,
}, async () => {
  const sandbox = await startSandbox();
  const env = await surroundings(sandbox);
  const first = await startProcess(env);
  await activeFunnel(first, sandbox);
  await first.call(startSync, { query: {} });
  await until('the refresh ends', async () => !(await first.call(syncStatus, {})).inProgress, 30_000);
  const { file, said } = await backUp(env);
  expect(said).toMatch(/The encryption key \([0-9a-f]{8}\) is not in it: keep .*encryption-key apart\./);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const [rows, files] = [await rowsOf(env), await filesOf(env)];
  const interviews = await allInterviews(first);
  const funnels = await first.call(listFunnels, {});
  await first.terminate();

  const elsewhere = { ...env, DATA_DIR: await emptyFolder() };
  await expect(restore(elsewhere, file)).rejects.toThrow('The encryption key of the backup');
  await copyFile(join(env.DATA_DIR, 'encryption-key'), join(elsewhere.DATA_DIR, 'encryption-key'));
  expect(await restore(elsewhere, file)).toContain(`and ${Object.keys(files).length} files`);
  expect(await rowsOf(elsewhere)).toEqual(rows);
  expect(await filesOf(elsewhere)).toEqual(files);

  const second = await startProcess(elsewhere);
  expect(await allInterviews(second)).toEqual(interviews);
  expect(await second.call(listFunnels, {})).toEqual(funnels);
  const { id = '' } = interviews.interviews.find(({ hasLocalCopy }) => hasLocalCopy) ?? {};
  const { videoFile } = await second.call(getVideo, { params: { id } });
  const played = await fetch(`${second.origin}/api/files/video/${videoFile}`, {
    headers: { cookie: second.cookie, range: 'bytes=0-99' },
  });
  expect([played.status, (await played.arrayBuffer()).byteLength]).toEqual([206, 100]);
});

test('a backup becomes the same product in another database, and numbering goes on there', async () => {
  const { product, recruiter, elsewhere } = await setUp();
  const { file } = await backUp(product.environment);
  const rows = await rowsOf(product.environment);
  await restore(elsewhere, file);
  expect(await rowsOf(elsewhere)).toEqual(rows);
  expect(await filesOf(elsewhere)).toEqual(await filesOf(product.environment));

  const database = { url: elsewhere.DATABASE_URL, drop: async () => {} };
  const second = await startApp({ database, dataDir: elsewhere.DATA_DIR, env: elsewhere });
  const person = await second.signedIn();
  expect(await person.call(listInterviews, { query: {} })).toEqual(await recruiter.call(listInterviews, { query: {} }));
  await second.build.funnel(person, { name: 'One more' });
});

test('a second factor asks for its codes after the restore as before', async () => {
  const { product, recruiter, elsewhere } = await setUp();
  const { phone, recoveryCodes } = await setUpFactor(recruiter, 'admin123');
  const { file } = await backUp(product.environment);
  await restore(elsewhere, file);
  const database = { url: elsewhere.DATABASE_URL, drop: async () => {} };
  const second = await startApp({ database, dataDir: elsewhere.DATA_DIR, env: elsewhere });
  await expect(second.signedIn()).rejects.toThrow('Enter the code of your authenticator app.');
  for (const code of [phone.code(1), recoveryCodes[0]])
    await second.anonymous().call(login, { body: { username: 'admin', password: 'admin123', code } });
});

test('what was erased before the backup stays erased after the restore', async () => {
  const { sandbox, product, elsewhere } = await setUp();
  const [, one] = sandbox.control.interviews(FUNNEL);
  sandbox.control.change(FUNNEL, one?.id ?? '', { candidate: ADA });
  await candidateCommand(product, ['erase', ADA.email, '--yes']);
  const { file } = await backUp(product.environment);
  await restore(elsewhere, file);
  const database = { url: elsewhere.DATABASE_URL, drop: async () => {} };
  const second = await startApp({ database, dataDir: elsewhere.DATA_DIR, env: elsewhere });
  const person = await second.signedIn();
  await refresh(second, person);
  expect((await person.call(listInterviews, { query: { search: ADA.email } })).total).toBe(0);
});

test('made in the midst of a refresh, a step and removals, it is of one moment, and nothing is under way for ever after it', async () => {
  const { sandbox, product, recruiter, elsewhere } = await setUp();
  sandbox.control.grow(FUNNEL, 250);
  sandbox.control.fail({ kind: 'hang', onPage: 2 });
  sandbox.control.fail({ kind: 'latency', ms: 200, on: 'google' });
  await recruiter.call(startSync, { query: {} });
  await until('pages are written', async () => (await recruiter.call(syncStatus, {})).processed > 50);
  const { interviews } = await recruiter.call(listInterviews, { query: { limit: 50 } });
  const withVideo = interviews.find(({ hasLocalCopy, youtubeStatus }) => hasLocalCopy && youtubeStatus === null);
  if (withVideo) await recruiter.call(convertInterview, { params: { id: withVideo.id } });
  // A file that is removed while the backup is made: named by the snapshot, and no longer there.
  const [gone = ''] = await readdir(join(product.dataDir, 'files', 'thumbnails'));
  await rm(join(product.dataDir, 'files', 'thumbnails', gone));
  const { file, said } = await backUp(product.environment);
  expect(said).toContain('Not there any more: 1 of the files.');

  await restore(elsewhere, file);
  const rows = await rowsOf(elsewhere);
  const named = (rows.interview ?? []).flatMap((row) => row.match(/[\w-]+-[0-9a-f]{16}\.\w+/g) ?? []);
  const files = Object.keys(await filesOf(elsewhere)).map((path) => path.split('/').at(-1));
  expect(named).not.toContain(gone);
  expect(new Set(named)).toEqual(new Set(files));

  const database = { url: elsewhere.DATABASE_URL, drop: async () => {} };
  const second = await startApp({ database, dataDir: elsewhere.DATA_DIR, env: elsewhere });
  const person = await second.signedIn();
  expect(await person.call(syncStatus, {})).toMatchObject({
    inProgress: false,
    error: expect.stringContaining('interrupted'),
  });
  const { interviews: restored } = await person.call(listInterviews, { query: { limit: 100, status: 'processing' } });
  expect(restored).toEqual([]);
  sandbox.control.clearFaults();
  await refresh(second, person);
  expect((await filesOf(elsewhere))[`/thumbnails/${gone}`]).toBeDefined();
}, 60_000);

describe('the secrets', () => {
  test('are in the backup only when that is asked for, and then in their places after the restore', async () => {
    const sandbox = await startSandbox();
    const env = await surroundings(sandbox);
    const product = await startProcess(env);
    await activeFunnel(product, sandbox);
    const key = (await readFile(join(env.DATA_DIR, 'encryption-key'), 'utf8')).trim();
    const without = await backUp(env);
    const withThem = await backUp(env, '--with-secrets');
    expect(withThem.said).toContain('whoever has it can read everything');
    expect((await readFile(without.file)).includes(key)).toBe(false);
    await product.terminate();

    const elsewhere = { ...env, DATA_DIR: await emptyFolder() };
    await restore(elsewhere, withThem.file);
    expect((await readFile(join(elsewhere.DATA_DIR, 'encryption-key'), 'utf8')).trim()).toBe(key);
    expect((await stat(join(elsewhere.DATA_DIR, 'encryption-key'))).mode & 0o777).toBe(0o600);
  }, 60_000);

  test('a wrong key is refused, and --new-key does without what the old one sealed', async () => {
    const { product, elsewhere } = await setUp();
    const { file } = await backUp(product.environment);
    const other = { ...elsewhere, ENCRYPTION_KEY: 'ab'.repeat(32) };
    await expect(restore(other, file)).rejects.toThrow(
      /The encryption key here \(\w{8}\) is not the one of the backup/,
    );
    expect(await restore(other, file, '--new-key')).toContain('API keys of all funnels have to be entered again');
    expect((await rowsOf(other)).interview?.length).toBeGreaterThan(0);
  });
});

describe('refused, with nothing changed:', () => {
  const nothingIn = async (environment: Record<string, string>) => {
    expect(await readdir(environment.DATA_DIR ?? '')).toEqual([]);
    expect(Object.values(await rowsOf(environment)).flat()).toEqual([]);
  };

  test('a backup that is cut off anywhere', async () => {
    const { product, elsewhere } = await setUp();
    const whole = await readFile((await backUp(product.environment)).file);
    const cut = join(await emptyFolder(), 'cut.tar');
    for (let round = 0; round < 40; round += 1) {
      await writeFile(cut, whole.subarray(0, Math.floor(((whole.length - 1_024) * round) / 40)));
      await expect(restore(elsewhere, cut), `cut ${round}`).rejects.toThrow(/is not whole|is no backup|is damaged/);
    }
    await nothingIn(elsewhere);
  });

  test('a backup with a byte that is not what was written', async () => {
    const { product, elsewhere } = await setUp();
    const whole = await readFile((await backUp(product.environment)).file);
    const damaged = join(await emptyFolder(), 'damaged.tar');
    for (let round = 0; round < 60; round += 1) {
      const bytes = Buffer.from(whole);
      // Between the members lie zeros that mean nothing.
      let at = Math.floor(((whole.length - 1_024) * (round + 0.5)) / 60);
      while (bytes[at] === 0) at += 1;
      bytes[at] = (bytes[at] ?? 0) ^ 0x04;
      await writeFile(damaged, bytes);
      await expect(restore(elsewhere, damaged), `at ${at}`).rejects.toThrow(/is not whole|is no backup|is damaged/);
    }
    await nothingIn(elsewhere);
  });

  test.each([
    ['a text', 'Dear diary'],
    ['nothing at all', ''],
    ['zeros', Buffer.alloc(4_096)],
  ])('%s instead of a backup', async (_, content) => {
    const file = join(await emptyFolder(), 'foreign.tar');
    await writeFile(file, content);
    await expect(restore({ DATA_DIR: await emptyFolder() }, file)).rejects.toThrow(
      /is no backup of this product|is not whole/,
    );
  });

  test('a folder in the place of a backup', async () => {
    const folder = await emptyFolder();
    await expect(restore({ DATA_DIR: folder }, folder)).rejects.toThrow(`${folder} cannot be read: it is no file.`);
  });

  test('a file that is not there', async () => {
    await expect(restore({}, '/nowhere/backup.tar')).rejects.toThrow('there is no such file');
  });

  test('an installation that holds something already', async () => {
    const { product, elsewhere } = await setUp();
    const { file } = await backUp(product.environment);
    const before = await rowsOf(product.environment);
    await expect(restore({ ...product.environment, DATA_DIR: elsewhere.DATA_DIR }, file)).rejects.toThrow(
      /The database is not empty: table \w+ has rows/,
    );
    await expect(restore({ ...elsewhere, DATA_DIR: product.dataDir }, file)).resolves.toBeDefined();
    await writeFile(join(product.dataDir, 'files', 'videos', 'other.mp4'), 'x');
    await expect(restore({ ...elsewhere, DATA_DIR: product.dataDir }, file)).rejects.toThrow('has files already');
    expect(await rowsOf(product.environment)).toEqual(before);
  });

  test('a backup of an installation without a database, which would hold nothing', async () => {
    const database = await createEmptyDatabase();
    onTestFinished(database.drop);
    const DATA_DIR = await emptyFolder();
    await expect(backUp({ DATA_DIR })).rejects.toThrow(`There is no database in ${DATA_DIR}.`);
    await expect(backUp({ DATA_DIR, DATABASE_URL: database.url })).rejects.toThrow('that DATABASE_URL names is empty');
    expect(await readdir(DATA_DIR)).toEqual([]);
  });

  test('a place for the backup where one is, or nothing can be written', async () => {
    const { product } = await setUp();
    const { file } = await backUp(product.environment);
    const { runBackupCommand } = await import('#server/cli/backup-command.ts');
    await expect(runBackupCommand([file], product.environment)).rejects.toThrow('exists already');
    await expect(runBackupCommand(['/nowhere/b.tar'], product.environment)).rejects.toThrow('cannot be written');
  });
});

test('a backup that is interrupted leaves no half file and no database running', { timeout: 60_000 }, async () => {
  const DATA_DIR = await emptyFolder();
  const opened = await openDatabase(readConfig({ DATA_DIR }), { needs: 'usable' });
  await opened.connection.pool.query(`
    INSERT INTO funnel (name, external_id, api_key_encrypted) VALUES ('Funnel', 'F', '');
    INSERT INTO interview (id, funnel_id, title, recorded_at, created_at, video_file)
    SELECT 'long', id, 'Long', now(), now(), 'long.mp4' FROM funnel`);
  await opened.close();
  const videos = join(DATA_DIR, 'files', 'videos');
  await mkdir(videos, { recursive: true });
  await writeFile(join(videos, 'long.mp4'), '');
  // Of zeros that take no room here, and some seconds to copy.
  await truncate(join(videos, 'long.mp4'), 8 * 2 ** 30);

  const into = await emptyFolder();
  const program = fileURLToPath(new URL('../src/server/cli/backup.ts', import.meta.url));
  const child = spawn(process.execPath, [program, join(into, 'backup.tar')], {
    env: { PATH: process.env.PATH, DATA_DIR },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  await until('the backup is being written', async () => (await readdir(into)).length > 0, 15_000);
  child.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
  expect(await readdir(into)).toEqual([]);
  const database = await startEmbeddedPostgres({ dataDir: DATA_DIR, log: { info: () => {} } });
  onTestFinished(database.stop);
  expect(database.adopted).toBe(false);
});

test('a restore that fails in the middle leaves nothing, and works when it is tried again', async () => {
  const { product, elsewhere } = await setUp();
  const { file } = await backUp(product.environment);
  await mkdir(join(elsewhere.DATA_DIR, 'files'));
  // Where the folder of thumbnails should be lies a file: every write there fails, the videos are stored by then.
  await writeFile(join(elsewhere.DATA_DIR, 'files', 'thumbnails'), '');
  await expect(restore(elsewhere, file)).rejects.toThrow();
  expect(Object.values(await rowsOf(elsewhere)).flat()).toEqual([]);
  await rm(join(elsewhere.DATA_DIR, 'files', 'thumbnails'));
  expect(Object.keys(await filesOf(elsewhere))).toEqual([]);
  await restore(elsewhere, file);
  expect(await rowsOf(elsewhere)).toEqual(await rowsOf(product.environment));
});
