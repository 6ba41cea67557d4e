import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listInterviews } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { MANIFEST } from '#server/backup/manifest.ts';
import { backupCommand } from '#server/cli/backup-command.ts';
import { showProgress } from '#server/cli/progress.ts';
import {
  backUp,
  backUpTo,
  databaseOf,
  emptyFolder,
  emptyInstallation,
  filesOf,
  restore,
  rowsOf,
  tamperWith,
} from '#support/backups.ts';
import { CLI, runCommand } from '#support/commands.ts';
import { setUpProcessing } from '#support/processing.ts';
import { startApp } from '#support/start-app.ts';

/** A running product that the tests share and do not change. */
const cleanup = new AsyncDisposableStack();
let shared: Awaited<ReturnType<typeof setUpProcessing>>;
beforeAll(async () => {
  shared = await setUpProcessing({ onFinished: (clear) => cleanup.defer(clear) });
});
afterAll(() => cleanup.disposeAsync());

/** Runs the command in a separate process and returns the bytes of its standard output. */
async function pipedBackup(environment: Record<string, string>, ...options: string[]) {
  const child = spawn(process.execPath, [CLI, 'backup', '-', ...options], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [bytes, stderr, code] = await Promise.all([buffer(child.stdout), text(child.stderr), ended]);
  return { bytes, stderr, code };
}

test('a backup is written in plain text only with --plain', async () => {
  const folder = await emptyFolder();
  const run = (...options: string[]) =>
    runCommand(backupCommand, [join(folder, 'b.tar'), ...options], shared.product.environment);
  await expect(run()).rejects.toThrow('Add --encrypt KEY, or --plain');
  await expect(run('--plain', '--encrypt', 'age1x')).rejects.toThrow('exclude each other');
  expect(await readdir(folder)).toEqual([]);
});

test('a database-only backup on standard output restores next to the files of a replicated store', async () => {
  const { product, recruiter } = shared;
  const { bytes, stderr, code } = await pipedBackup(product.environment, '--plain', '--database-only');
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^Wrote standard output: \d+ rows and no files, /)]);
  expect(bytes.subarray(0, MANIFEST.length).toString()).toBe(MANIFEST);
  const { logs } = await recruiter.call(listLogs, { query: {} });
  expect(logs.find(({ action }) => action === 'make-backup')).toMatchObject({
    metadata: { path: 'standard output', files: 0, withFiles: false },
  });

  const file = join(await emptyFolder(), 'piped.tar');
  await writeFile(file, bytes);
  const elsewhere = await emptyInstallation(product);
  const files = await filesOf(product.environment);
  await expect(restore({ ...elsewhere, DATA_DIR: product.dataDir }, file)).resolves.toContain(
    'All that interviews use are in the file store.',
  );
  expect(await rowsOf(elsewhere)).toEqual(await rowsOf(product.environment));
  expect(await filesOf(product.environment)).toEqual(files);
  const second = await startApp({ database: databaseOf(elsewhere), dataDir: await emptyFolder(), env: elsewhere });
  const person = await second.signedIn();
  expect(await person.call(listInterviews, { query: {} })).toEqual(await recruiter.call(listInterviews, { query: {} }));
  const alone = await emptyInstallation(product);
  expect(await restore(alone, file)).toMatch(/contains no files, and \d+ that interviews use are missing/);
});

test('a reader that ends early fails the backup on standard output', async () => {
  const child = spawn(process.execPath, [CLI, 'backup', '-', '--plain'], {
    env: { PATH: process.env.PATH, ...shared.product.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  expect(await text(child.stderr)).toContain('so the backup is incomplete');
  expect(await ended).toBe(1);
});

test('backups into a folder are named after their time, and --keep deletes the oldest', async () => {
  const { product } = shared;
  const folder = await emptyFolder();
  for (const name of ['interviews-20260101T000000Z.tar', 'interviews-20260102T000000Z.age', 'other.tar'])
    await writeFile(join(folder, name), '');
  const result = await backUpTo(folder, product.environment, '--database-only', '--keep', '2');
  expect(result).toContain('Deleted interviews-20260101T000000Z.tar.');
  const [older, newest, other] = (await readdir(folder)).sort();
  expect([older, other]).toEqual(['interviews-20260102T000000Z.age', 'other.tar']);
  expect(newest).toMatch(/^interviews-\d{8}T\d{6}Z\.tar$/);
  for (const options of [
    ['--keep', '0'],
    ['--keep', 'x'],
  ])
    await expect(backUpTo(folder, product.environment, ...options)).rejects.toThrow('--keep must be a number');
  await expect(backUpTo(join(folder, 'new.tar'), product.environment, '--keep', '2')).rejects.toThrow('needs a FOLDER');
});

test('a backup deletes drafts of killed backups that are older than a day', async () => {
  const folder = await emptyFolder();
  const dayAgo = new Date(Date.now() - 25 * 60 * 60_000);
  const draft = (day: number) => `interviews-2026010${day}T000000Z.tar.3f2c.part`;
  const ofFile = `other.${randomUUID()}.part`;
  const foreign = ['other.part', `other.tar.${randomUUID()}.part`];
  for (const name of [draft(1), draft(2), ofFile, ...foreign]) await writeFile(join(folder, name), '');
  for (const name of [draft(1), ofFile, ...foreign]) await utimes(join(folder, name), dayAgo, dayAgo);
  const left = async () => (await readdir(folder)).filter((name) => name.endsWith('.part')).sort();
  await backUpTo(folder, shared.product.environment, '--database-only');
  expect(await left()).toEqual([draft(2), ofFile, ...foreign].sort());
  await backUpTo(join(folder, 'other'), shared.product.environment, '--database-only');
  expect(await left()).toEqual([draft(2), ...foreign].sort());
});

test('a key that only the backup itself contains does not authenticate it', async () => {
  const { product } = shared;
  const { file } = await backUp(product.environment, '--with-secrets');
  const { ENCRYPTION_KEY: _, ...elsewhere }: Record<string, string> = await emptyInstallation(product);
  await expect(restore(elsewhere, file)).rejects.toThrow(
    /contains the encryption key that signed it \(\w{8}\), so its signature does not show who made it/,
  );
  expect(await readdir(elsewhere.DATA_DIR ?? '')).toEqual([]);
  const changed = await tamperWith(file, (name, content) =>
    name.startsWith('database/log_entry/') ? content.replace('make-backup', 'keep-backup') : content,
  );
  expect(await readFile(changed)).not.toEqual(await readFile(file));
  for (const options of [[], ['--allow-unsigned']])
    await expect(restore(elsewhere, changed, ...options)).rejects.toThrow('was modified');
  expect(await restore(elsewhere, file, '--allow-unsigned')).toContain('No other source confirmed');
});

test('a drill restores the newest backup of a folder into a temporary database, checks it, and changes nothing', {
  timeout: 60_000,
}, async () => {
  const { product } = shared;
  const folder = await emptyFolder();
  await backUpTo(folder, product.environment);
  const [rows, files] = [await rowsOf(product.environment), await filesOf(product.environment)];
  const result = await restore(product.environment, folder, '--drill');
  expect(result).toMatch(/can be restored: its signature, checksums, \d+ rows, list and \d+ files were checked\./);
  expect([await rowsOf(product.environment), await filesOf(product.environment)]).toEqual([rows, files]);

  await rm(folder, { recursive: true });
  const { file } = await backUp(product.environment, '--database-only');
  expect(await restore(product.environment, file, '--drill')).toContain('list and no files were checked');
  const elsewhere = { ...product.environment, DATA_DIR: await emptyFolder() };
  await expect(restore(elsewhere, file, '--drill')).rejects.toThrow(/\d+ files that interviews use are missing/);
});

test('progress is shown on one line of a terminal, and as a line every 10 s elsewhere', () => {
  vi.useFakeTimers();
  try {
    const shown = (isTTY: boolean) => {
      const output = Object.assign(new PassThrough(), { isTTY });
      const progress = showProgress({ input: new PassThrough(), output });
      for (let second = 1; second <= 12; second += 1) {
        vi.advanceTimersByTime(1_000);
        progress.report(`step ${second}`);
      }
      progress.end();
      return String(output.read());
    };
    expect(shown(false)).toBe('step 10\n');
    const steps = Array.from({ length: 12 }, (_, at) => `step ${at + 1}`);
    expect(shown(true).split('\r\u001b[K')).toEqual(['', ...steps, '']);
  } finally {
    vi.useRealTimers();
  }
});
