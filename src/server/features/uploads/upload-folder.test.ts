import { execFileSync } from 'node:child_process';
import {
  appendFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { getInterview, listInterviews } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { createLocalClaims } from '#server/db/claims.ts';
import type { Person } from '#support/call.ts';
import { sample } from '#support/make-recording.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { UploadFolder } from './upload-folder.ts';

const cleanup = new AsyncDisposableStack();
let root: string;
let folder: string;
let product: TestApp;
let recruiter: Person;
let mp4: Buffer;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'interviews-folder-'));
  cleanup.defer(() => rm(root, { recursive: true, force: true }));
  product = await startApp({ env: { UPLOAD_FOLDER: root }, onFinished: (stop) => cleanup.defer(stop) });
  recruiter = await product.signedIn();
  await product.build.activeFunnel(recruiter, { name: 'Night Nurses', source: 'upload' });
  folder = join(root, 'night nurses');
  await mkdir(folder);
  mp4 = await sample('eng-microphone-off.mp4');
  return () => cleanup.disposeAsync();
});

beforeEach(async () => {
  // Otherwise the recording of an earlier test would make this one a duplicate.
  await product.db.deleteFrom('recording_checksum').execute();
});

async function put(name: string, content: Uint8Array | string): Promise<void> {
  const path = join(root, name);
  await writeFile(path, content);
  const before = new Date(Date.now() - 60_000);
  await utimes(path, before, before);
  // A complete file appears in one step.
  await rename(path, join(folder, name));
}

const moved = (to: 'done' | 'failed', name: string) =>
  until(`${name} is ${to}`, async () => (await readdir(join(folder, to)).catch((): string[] => [])).includes(name));
const reasonOf = async (name: string) => (await readFile(join(folder, 'failed', `${name}.reason.txt`), 'utf8')).trim();
const interviews = async () => (await recruiter.call(listInterviews, { query: {} })).interviews;

test('a recording with a JSON file next to it becomes an interview and is moved to done', async () => {
  await writeFile(
    join(folder, 'ada.mp4.json'),
    '{"candidateName":"Ada","email":"ada@example.com","title":"Night shift","recordedDate":"2026-11-01"}',
  );
  await put('ada.mp4', mp4);
  await moved('done', 'ada.mp4');
  const [interview] = await interviews();
  expect(interview).toMatchObject({
    candidateName: 'Ada',
    candidateEmail: 'ada@example.com',
    title: 'Night shift',
    recordedDate: new Date('2026-11-01T12:00').toISOString(),
    duration: 20,
    hasLocalCopy: true,
  });
  expect(await readdir(join(folder, 'done'))).toEqual(['ada.mp4', 'ada.mp4.json']);
  const { logs } = await recruiter.call(listLogs, { query: {} });
  expect(logs.find(({ action }) => action === 'upload-recording')?.actor).toMatchObject({ kind: 'system' });
});

test('details come from a row of a CSV file, and missing ones from the file name', async () => {
  await writeFile(join(folder, 'list.csv'), 'File,Email,Title\nBob Stone - Cook 2026-10-05.mp4,bob@example.com,\n');
  await put('Bob Stone - Cook 2026-10-05.mp4', mp4);
  await moved('done', 'Bob Stone - Cook 2026-10-05.mp4');
  expect((await interviews()).find(({ candidateName }) => candidateName === 'Bob Stone')).toMatchObject({
    candidateEmail: 'bob@example.com',
    title: 'Cook',
    recordedDate: new Date('2026-10-05T12:00').toISOString(),
  });
});

test('a file that is not a recording, a duplicate and wrong details are moved to failed with the reason', async () => {
  await put('page.mp4', '<!doctype html><title>Not a recording</title>');
  await moved('failed', 'page.mp4.reason.txt');
  expect(await reasonOf('page.mp4')).toContain("isn't a recording in a supported format");

  await put('cy.mp4', mp4);
  await moved('done', 'cy.mp4');
  await put('cy again.mp4', mp4);
  await moved('failed', 'cy again.mp4.reason.txt');
  expect(await reasonOf('cy again.mp4')).toMatch(/^The interview upload-\S+ already has this recording\.$/);

  await writeFile(join(folder, 'di.mp4.json'), '{"email":"nowhere"}');
  await put('di.mp4', mp4);
  await moved('failed', 'di.mp4.reason.txt');
  expect(await reasonOf('di.mp4')).toContain('candidateEmail must be an email address');
});

test('a file that is still being written is left alone', async () => {
  await writeFile(join(folder, 'growing.mp4'), mp4.subarray(0, 1_000));
  await put('eve.mp4', mp4.subarray(0, mp4.length - 1));
  await moved('done', 'eve.mp4');
  expect(await readdir(folder)).toContain('growing.mp4');
  const eve = (await interviews()).find(({ candidateName }) => candidateName === 'eve');
  expect(await recruiter.call(getInterview, { params: { id: eve?.id ?? '' }, query: {} })).toMatchObject({
    title: 'eve',
  });
});

test('a CSV file of a spreadsheet is read as it was saved: UTF-16 with tabs, or Windows-1252 with semicolons', async () => {
  const utf16 = '\uFEFFFile\tName\nfay.mp4\tFay Żółć\n';
  await writeFile(join(folder, 'a.csv'), Buffer.from(utf16, 'utf16le'));
  await writeFile(join(folder, 'b.csv'), Buffer.from('File;Name\r\ngus.mp4;Gus M\xfcller\r\n', 'latin1'));
  await put('fay.mp4', mp4);
  await moved('done', 'fay.mp4');
  await product.db.deleteFrom('recording_checksum').execute();
  await put('gus.mp4', mp4);
  await moved('done', 'gus.mp4');
  const names = (await interviews()).map(({ candidateName }) => candidateName);
  expect(names).toEqual(expect.arrayContaining(['Fay Żółć', 'Gus Müller']));
});

test('an ambiguous date is rejected instead of guessed', async () => {
  await writeFile(join(folder, 'hal.mp4.json'), '{"date":"01.03.2026"}');
  await put('hal.mp4', mp4);
  await moved('failed', 'hal.mp4.reason.txt');
  expect(await reasonOf('hal.mp4')).toContain('recordedDate must be a date, such as 2026-03-01');
});

test('a recording that is still written while it is copied stays where it is', async () => {
  const growing = join(root, 'watched', '1', 'growing.mp4');
  const { scan, warnings } = await watched(() => appendFile(growing, 'more'));
  await writeFile(growing, mp4);
  await scan();
  await scan();
  expect(warnings).toEqual(['a recording in UPLOAD_FOLDER was left where it is: it is still being written']);
  expect(await readdir(join(root, 'watched', '1', 'failed')).catch(() => [])).toEqual([]);
});

test('a recording whose name is not UTF-8 is reported once', async () => {
  const { scan, warnings } = await watched();
  const folderBytes = Buffer.from(join(root, 'watched', '1', 'Andr'));
  await writeFile(Buffer.concat([folderBytes, Buffer.from([0xe9]), Buffer.from('.mp4')]), mp4);
  await scan();
  await scan();
  expect(warnings).toEqual(['a recording in UPLOAD_FOLDER has a name that is not UTF-8: rename it']);
});

test('a recording with a name of 255 bytes and a time in the future is rejected when it is too large', async () => {
  const name = `${'é'.repeat(125)}n.mp4`;
  const { scan, warnings } = await watched(async () => {}, 1);
  await writeFile(join(root, 'watched', '1', name), mp4);
  // From a camera whose clock was wrong.
  const ahead = new Date(Date.now() + 86_400_000);
  await utimes(join(root, 'watched', '1', name), ahead, ahead);
  await scan();
  await scan();
  expect(warnings).toEqual([expect.stringContaining('was rejected: The file is larger than')]);
  const failed = await readdir(join(root, 'watched', '1', 'failed'));
  expect(failed.toSorted()).toEqual([`${'é'.repeat(60)}.reason.txt`, name].toSorted());
});

/**
 * Watches a separate folder, which the test scans. `onCopy` is called before a recording is copied;
 * the copy is discarded.
 */
async function watched(onCopy = async () => {}, maxBytes = 2 ** 30) {
  const folder = join(root, 'watched');
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, '1'), { recursive: true });
  const warnings: string[] = [];
  const copy = { size: 0, append: async () => {}, read: async () => 0, close: async () => {} };
  const watcher = new UploadFolder({
    db: product.db,
    folder,
    maxBytes,
    pace: { intervalMs: 1_000, stableMs: 0 },
    claims: createLocalClaims(),
    log: { warn: (_fields: object, text: string) => warnings.push(text), error: () => {} },
    events: { record: async () => {} },
    funnels: { list: async () => [{ id: 1, name: 'Watched', source: 'upload' }] },
    removal: {
      removeUnlessKept: (_: unknown, work: (keep: () => Promise<void>) => Promise<never>) => work(async () => {}),
    },
    files: {
      stat: async () => null,
      async resume() {
        await onCopy();
        return copy;
      },
    },
  } as unknown as ConstructorParameters<typeof UploadFolder>[0]);
  return { warnings, scan: () => watcher.scan() };
}

test('folders named like tables, pipes and links to recordings are left alone, and other recordings are taken in', async () => {
  await mkdir(join(folder, 'sheet.csv'));
  await mkdir(join(folder, 'folder.mp4'));
  await writeFile(join(root, 'elsewhere.mp4'), mp4);
  const before = new Date(Date.now() - 60_000);
  await utimes(join(root, 'elsewhere.mp4'), before, before);
  await symlink(join(root, 'elsewhere.mp4'), join(folder, 'a link.mp4'));
  execFileSync('mkfifo', [join(folder, 'a pipe.mp4'), join(folder, 'ina.mp4.json')]);
  await put('ina.mp4', mp4);
  await moved('done', 'ina.mp4');
  expect(await readdir(folder)).toEqual(
    expect.arrayContaining(['a link.mp4', 'a pipe.mp4', 'folder.mp4', 'sheet.csv']),
  );
  const names = (await interviews()).map(({ candidateName }) => candidateName);
  expect(names).toContain('ina');
  expect(names).not.toContain('a link');
});

test('a recording that cannot be moved is rejected once, and others are taken in', async () => {
  // Moved files whose name is taken get a longer name, which exceeds the limit of the file system.
  const name = `${'j'.repeat(248)}.mp4`;
  for (const target of ['done', 'failed']) await writeFile(join(folder, target, name), 'An earlier one.');
  await put(name, 'Not a recording.');
  const refusals = async () =>
    (await recruiter.call(listLogs, { query: { type: 'error' } })).logs.filter(({ summary }) =>
      summary.includes('candidateName'),
    ).length;
  await until('it is rejected', async () => (await refusals()) > 0);
  await put('kim.mp4', mp4);
  await moved('done', 'kim.mp4');
  expect(await refusals()).toBe(1);
});

test('a JSON or CSV file that is a link is not read, and the recording is rejected with the reason', async () => {
  await writeFile(join(root, 'secret.json'), '{"candidateName":"Secret Person"}');
  await writeFile(join(root, 'secret.csv'), 'File,Name\nlou.mp4,Secret Person\n');
  await symlink(join(root, 'secret.json'), join(folder, 'len.mp4.json'));
  await put('len.mp4', mp4);
  await moved('failed', 'len.mp4.reason.txt');
  expect(await reasonOf('len.mp4')).toBe('len.mp4.json is a link. Replace it with a file.');
  await symlink(join(root, 'secret.csv'), join(folder, 'a link.csv'));
  await put('lou.mp4', mp4);
  await moved('failed', 'lou.mp4.reason.txt');
  await rm(join(folder, 'a link.csv'));
  expect(await reasonOf('lou.mp4')).toBe('a link.csv is a link. Replace it with a file.');
  expect((await interviews()).map(({ candidateName }) => candidateName)).not.toContain('Secret Person');
});

test('a link in the place of a reason is not written through', async () => {
  const precious = join(root, 'precious.txt');
  await writeFile(precious, 'Do not touch.');
  await mkdir(join(folder, 'failed'), { recursive: true });
  await symlink(precious, join(folder, 'failed', 'mia.mp4.reason.txt'));
  await symlink(precious, join(folder, 'failed', 'ned.mp4'));
  for (const name of ['mia.mp4', 'ned.mp4']) {
    await put(name, 'Not a recording.');
    await until(`${name} is moved`, async () => !(await readdir(folder)).includes(name));
  }
  const reasons = () =>
    readdir(join(folder, 'failed')).then((names) => names.filter((one) => /^\d+-(mia|ned)\.mp4\./.test(one)));
  await until('both have a reason', async () => (await reasons()).length === 2);
  expect(await readFile(precious, 'utf8')).toBe('Do not touch.');
});

test('a stored recording whose process is killed before it adds the interview is removed a day later', async () => {
  const { db } = product;
  const fail = async (table: string, event: string) => {
    await sql`CREATE TRIGGER fail BEFORE ${sql.raw(event)} ON ${sql.raw(table)} FOR EACH ROW
      EXECUTE FUNCTION fail()`.execute(db);
    const repair = () => sql`DROP TRIGGER IF EXISTS fail ON ${sql.raw(table)}`.execute(db);
    onTestFinished(async () => void (await repair()));
    return repair;
  };
  await sql`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'killed'; END $$`.execute(db);
  // A killed process neither adds the interview nor starts the removal.
  const repairs = [await fail('interview', 'INSERT'), await fail('pgboss.job', 'UPDATE OF start_after')];
  const videos = join(product.dataDir, 'files', 'videos');
  const stored = async () => (await readdir(videos).catch((): string[] => [])).toSorted();
  const used = async () => {
    const rows = await db.selectFrom('interview').select('video_file').where('video_file', 'is not', null).execute();
    return rows.map(({ video_file }) => video_file).toSorted();
  };
  const delays = async () => {
    const { rows } = await sql<{ hours: number }>`
      SELECT round(extract(epoch FROM start_after - created_on) / 3600)::int AS hours
      FROM pgboss.job WHERE name = 'media.remove-abandoned-files'`.execute(db);
    return rows.map(({ hours }) => hours);
  };
  await put('left.mp4', mp4);
  await until('it was tried twice', async () => (await stored()).length >= (await used()).length + 2);
  expect(new Set(await delays())).toEqual(new Set([24]));
  for (const repair of repairs) await repair();
  await moved('done', 'left.mp4');
  await sql`UPDATE pgboss.job SET start_after = now() WHERE name = 'media.remove-abandoned-files'`.execute(db);
  await until('only used files are left', async () => isDeepStrictEqual(await stored(), await used()));
});

test.each(['done', 'failed'] as const)(
  'a recording stays where it is while "%s" is a link, and is not added',
  async (target) => {
    const elsewhere = join(root, `elsewhere ${target}`);
    await mkdir(elsewhere);
    const { scan, warnings } = await watched(async () => {}, 1);
    await symlink(elsewhere, join(root, 'watched', '1', target));
    await writeFile(join(root, 'watched', '1', 'ola.mp4'), mp4);
    for (let scans = 0; scans < 4; scans += 1) await scan();
    expect(warnings.filter((text) => text.includes('left where it is'))).toEqual([
      `a recording in UPLOAD_FOLDER was left where it is: "${target}" is not a folder on the same disk; replace the link, file or mount with a folder`,
    ]);
    expect(await readdir(elsewhere)).toEqual([]);
    expect((await lstat(join(root, 'watched', '1', 'ola.mp4'))).isFile()).toBe(true);
  },
);

test('a missing folder is logged once, and again when it is there', async () => {
  const missing = join(root, 'not there');
  const watching = await startApp({ env: { UPLOAD_FOLDER: missing } });
  const person = await watching.signedIn();
  const entries = async () =>
    (await person.call(listLogs, { query: {} })).logs.filter(({ action }) => action === 'upload-folder');
  await until('it is logged', async () => (await entries()).length === 1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await entries()).map(({ status, summary }) => [status, summary])).toEqual([
    [
      'error',
      `UPLOAD_FOLDER does not exist: ${missing}. Create the folder and give this account access, or correct or unset UPLOAD_FOLDER.`,
    ],
  ]);
  await mkdir(missing);
  await until('its recovery is logged', async () => (await entries()).length === 2);
  expect((await entries())[0]).toMatchObject({ status: 'info' });
});
