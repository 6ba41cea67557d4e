import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listInterviews } from '#contracts/interviews.ts';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { encryptTo } from '#server/backup/age.ts';
import { ArchiveReader } from '#server/backup/archive-reader.ts';
import { MANIFEST, SIGNATURE } from '#server/backup/manifest.ts';
import { restoreBackup } from '#server/backup/restore-backup.ts';
import { verifyArchive } from '#server/backup/verify-archive.ts';
import { backupCommand } from '#server/cli/backup-command.ts';
import { readConfig } from '#server/config/config.ts';
import { readSecrets } from '#server/config/secrets.ts';
import { migrate } from '#server/db/migrate.ts';
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
import { runCommand } from '#support/commands.ts';
import { setUpProcessing } from '#support/processing.ts';
import { startApp } from '#support/start-app.ts';
import { createEmptyDatabase, createTestDatabase } from '#support/test-database.ts';

/**
 * A running product with a fully processed interview, and a backup of it. Tests share both and do
 * not change them; each gets its own empty environment.
 */
async function withBackup() {
  const { product, recruiter } = processed;
  return { product, recruiter, file: sharedBackup, elsewhere: await emptyInstallation(product) };
}

const cleanup = new AsyncDisposableStack();
let processed: Awaited<ReturnType<typeof setUpProcessing>>;
let sharedBackup: string;
beforeAll(async () => {
  processed = await setUpProcessing({ onFinished: (clear) => cleanup.defer(clear) });
  for (const step of ['convert', 'transcribe', 'summarize'] as const) await processed.done(step);
  sharedBackup = join(processed.product.dataDir, 'backup.tar');
  await backUpTo(sharedBackup, processed.product.environment);
});
afterAll(() => cleanup.disposeAsync());

test('a backup restores the same product in another database, where numbering continues', async () => {
  const { product, recruiter, file, elsewhere } = await withBackup();
  const rows = await rowsOf(product.environment);
  await restore(elsewhere, file);
  expect(await rowsOf(elsewhere)).toEqual(rows);
  expect(await filesOf(elsewhere)).toEqual(await filesOf(product.environment));

  const database = databaseOf(elsewhere);
  const second = await startApp({ database, dataDir: elsewhere.DATA_DIR, env: elsewhere });
  const person = await second.signedIn();
  expect(await person.call(listInterviews, { query: {} })).toEqual(await recruiter.call(listInterviews, { query: {} }));
  await second.build.funnel(person, { name: 'One more' });
});

describe('the secrets of a backup', () => {
  test('the secrets of a backup are included only with --with-secrets, and the restore puts them in place', async () => {
    const [database, empty] = [await createTestDatabase(), await createEmptyDatabase()];
    for (const { drop } of [database, empty]) onTestFinished(drop);
    const env = { DATA_DIR: await emptyFolder(), DATABASE_URL: database.url };
    await readSecrets(readConfig(env));
    const key = (await readFile(join(env.DATA_DIR, 'encryption-key'), 'utf8')).trim();
    const without = await backUp(env);
    const withThem = await backUp(env, '--with-secrets');
    expect(withThem.result).toContain('anyone who has it can read everything');
    expect((await readFile(without.file)).includes(key)).toBe(false);

    const elsewhere = { DATA_DIR: await emptyFolder(), DATABASE_URL: empty.url };
    expect(await restore(elsewhere, withThem.file, '--allow-unsigned')).toContain('No other source confirmed');
    expect((await readFile(join(elsewhere.DATA_DIR, 'encryption-key'), 'utf8')).trim()).toBe(key);
    expect((await stat(join(elsewhere.DATA_DIR, 'encryption-key'))).mode & 0o777).toBe(0o600);
  });

  test('another key is rejected, and --new-key restores without encrypted values', async () => {
    const { file, elsewhere } = await withBackup();
    const other = { ...elsewhere, ENCRYPTION_KEY: 'ab'.repeat(32) };
    await expect(restore(other, file)).rejects.toThrow(
      /The encryption key here \(\w{8}\) is not the key of the backup/,
    );
    await expect(restore(other, file, '--new-key')).rejects.toThrow(
      /cannot be authenticated without the encryption key that signed it \(\w{8}\)/,
    );
    expect(await restore(other, file, '--new-key', '--allow-unsigned')).toContain(
      'Enter the API keys of all funnels again',
    );
    expect((await rowsOf(other)).interview?.length).toBeGreaterThan(0);
  });
});

const expectNothingIn = async (environment: Record<string, string>) => {
  expect(await readdir(environment.DATA_DIR ?? '')).toEqual([]);
  expect(Object.values(await rowsOf(environment)).flat()).toEqual([]);
};

describe('an encrypted backup', () => {
  const keyFile = async () => {
    const path = join(await emptyFolder(), 'key.txt');
    const { result } = await runCommand(backupCommand, ['--create-key', path], {});
    return { path, publicKey: result.split('\n').at(-1) ?? '' };
  };

  test('an encrypted backup is an age file without any plain text, which its key file restores completely', async () => {
    const { product, elsewhere } = await withBackup();
    const key = await keyFile();
    expect((await stat(key.path)).mode & 0o777).toBe(0o600);
    await expect(runCommand(backupCommand, ['--create-key', key.path], {})).rejects.toThrow('it already exists');
    for (const recipient of [key.publicKey, key.path]) {
      const { file, result } = await backUp(product.environment, '--encrypt', recipient);
      expect(result).toContain('It is encrypted: a restore needs the secret key.');
      const bytes = await readFile(file, 'latin1');
      expect(bytes.startsWith('age-encryption.org/v1\n-> X25519 ')).toBe(true);
      expect(bytes).not.toMatch(/manifest\.json|"admin"|@example/);
      await expect(restore(elsewhere, file)).rejects.toThrow('it is encrypted. Add --key-file');
      await expect(restore(elsewhere, file, '--key-file', (await keyFile()).path)).rejects.toThrow(
        'is encrypted for another key',
      );
      await expectNothingIn(elsewhere);
      if (recipient === key.path) await restore(elsewhere, file, '--key-file', key.path);
    }
    expect(await rowsOf(elsewhere)).toEqual(await rowsOf(product.environment));
    expect(await filesOf(elsewhere)).toEqual(await filesOf(product.environment));
  });

  test('an encrypted backup can be encrypted to several keys, each of which restores it', async () => {
    const { product, elsewhere } = await withBackup();
    const [one, other] = [await keyFile(), await keyFile()];
    const { file } = await backUp(product.environment, '--encrypt', one.publicKey, '--encrypt', other.publicKey);
    expect(await restore(elsewhere, file, '--key-file', other.path)).toContain('Restored');
  });

  test('an encrypted backup is rejected when it is damaged, truncated, or was written by someone who has only the public key', async () => {
    const { product, file: plainBackup, elsewhere } = await withBackup();
    const key = await keyFile();
    const { file } = await backUp(product.environment, '--encrypt', key.publicKey);
    const whole = await readFile(file);
    const damaged = join(await emptyFolder(), 'damaged.age');
    for (let round = 0; round < 12; round += 1) {
      const at = Math.floor((whole.length * (round + 0.5)) / 12);
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x04;
      for (const bytes of [changed, whole.subarray(0, at)]) {
        await writeFile(damaged, bytes);
        await expect(restore(elsewhere, damaged, '--key-file', key.path), `at ${at}`).rejects.toThrow(
          'is damaged: its encrypted content was changed',
        );
      }
    }
    const plain = await tamperWith(plainBackup, (name, text) =>
      name.startsWith('files/') ? `x${text.slice(1)}` : text,
    );
    const encrypt = await encryptTo([key.publicKey]);
    await writeFile(damaged, encrypt(createReadStream(plain)));
    await expect(restore(elsewhere, damaged, '--key-file', key.path)).rejects.toThrow('was modified');
    await expectNothingIn(elsewhere);
  });

  test.each([
    ['age1nonsense', 'this is neither a public key'],
    ['/nowhere/key.txt', 'The key file /nowhere/key.txt cannot be read: the file does not exist'],
  ])('an encrypted backup is not written to %s', async (key, problem) => {
    const folder = await emptyFolder();
    await expect(backUpTo(join(folder, 'b.age'), {}, '--encrypt', key)).rejects.toThrow(problem);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('refused without changes:', () => {
  test('a backup that is truncated anywhere', async () => {
    const { file, elsewhere } = await withBackup();
    const whole = await readFile(file);
    const cut = join(await emptyFolder(), 'cut.tar');
    for (let round = 0; round < 40; round += 1) {
      await writeFile(cut, whole.subarray(0, Math.floor(((whole.length - 1_024) * round) / 40)));
      await expect(restore(elsewhere, cut), `cut ${round}`).rejects.toThrow(/is incomplete|is not a backup|is damaged/);
    }
    await expectNothingIn(elsewhere);
  });

  test('a backup with a changed byte', async () => {
    const { file, elsewhere } = await withBackup();
    const whole = await readFile(file);
    const damaged = join(await emptyFolder(), 'damaged.tar');
    for (let round = 0; round < 60; round += 1) {
      const bytes = Buffer.from(whole);
      // The zeros between members have no meaning.
      let at = Math.floor(((whole.length - 1_024) * (round + 0.5)) / 60);
      while (bytes[at] === 0) at += 1;
      bytes[at] = (bytes[at] ?? 0) ^ 0x04;
      await writeFile(damaged, bytes);
      // The last one is the response to a changed digit of the format's version.
      const refused = /is incomplete|is not a backup|is damaged|has the format of another release/;
      await expect(restore(elsewhere, damaged), `at ${at}`).rejects.toThrow(refused);
    }
    await expectNothingIn(elsewhere);
  });

  test('a backup that was modified without the encryption key, whatever its checksums', async () => {
    const { product, file, elsewhere } = await withBackup();
    const rows = await rowsOf(product.environment);
    const backdoor = rows.account?.[0]?.replace('"admin"', '"backdoor"').replace(/^\["1"/, '["999"');
    const changes: [string, (name: string, text: string) => string | null][] = [
      ['an added account', (name, text) => (name.startsWith('database/account/') ? `${text}${backdoor}\n` : text)],
      ['a changed video', (name, text) => (name.startsWith('files/videos/') ? `${text.slice(0, -1)}x` : text)],
      ['a missing thumbnail', (name, text) => (name.startsWith('files/thumbnails/') ? null : text)],
      [
        'another manifest',
        (name, text) => (name === MANIFEST ? text.replace(/"keyIds": \[[^\]]*\]/, '"keyIds": []') : text),
      ],
      [
        'another signature',
        (name, text) => (name === SIGNATURE ? text.replace(/./, (c) => (c === '0' ? '1' : '0')) : text),
      ],
    ];
    for (const [what, change] of changes) {
      const modified = await tamperWith(file, change);
      for (const options of [[], ['--new-key']])
        await expect(restore(elsewhere, modified, ...options), what).rejects.toThrow(
          what === 'another manifest' ? 'cannot be authenticated' : 'was modified: its signature does not match',
        );
    }
    const modified = await tamperWith(file, changes[0]?.[1] ?? (() => null));
    await expect(restore(elsewhere, modified, '--allow-unsigned')).rejects.toThrow('was modified');
    await expectNothingIn(elsewhere);
    expect(await restore(elsewhere, await tamperWith(file, (_, text) => text))).toContain('Restored');
  });

  test('a backup that is replaced between its verification and its restore', async () => {
    const { file, elsewhere } = await withBackup();
    const modified = await tamperWith(file, (name, text) =>
      name.startsWith('files/videos/') ? `x${text.slice(1)}` : text,
    );
    await using first = await ArchiveReader.open(file);
    await using second = await ArchiveReader.open(modified);
    const verified = await verifyArchive(first);
    await migrate(elsewhere.DATABASE_OWNER_URL);
    const files = localFileStore(join(elsewhere.DATA_DIR, 'files'));
    const target = { connectionString: elsewhere.DATABASE_OWNER_URL, files, leaveOut: [] };
    await expect(restoreBackup(second, verified, target)).rejects.toThrow('was modified');
    expect([Object.values(await rowsOf(elsewhere)).flat(), await filesOf(elsewhere)]).toEqual([[], {}]);
  });

  test('a backup of an earlier release, which has no signature, unless --allow-unsigned is given', async () => {
    const { product, file, elsewhere } = await withBackup();
    const withoutSignature = (name: string, text: string) => (name === SIGNATURE ? null : text);
    const stripped = await tamperWith(file, withoutSignature);
    await expect(restore(elsewhere, stripped, '--allow-unsigned')).rejects.toThrow('is incomplete');
    const earlier = await tamperWith(stripped, (name, text) =>
      name === MANIFEST ? text.replace('"formatVersion": 2', '"formatVersion": 1') : text,
    );
    await expect(restore(elsewhere, earlier)).rejects.toThrow(
      'backup.tar is not signed: it is from an earlier release',
    );
    await expectNothingIn(elsewhere);
    expect(await restore(elsewhere, earlier, '--allow-unsigned')).toContain('Restored');
    expect(await rowsOf(elsewhere)).toEqual(await rowsOf(product.environment));
  });

  test('a backup without an encryption key to sign it', async () => {
    const { product } = await withBackup();
    const { ENCRYPTION_KEY: _, ...environment } = product.environment;
    await expect(backUp({ ...environment, DATA_DIR: await emptyFolder() })).rejects.toThrow(
      'There is no encryption key in',
    );
  });

  test.each([
    ['a text', 'Dear diary'],
    ['nothing at all', ''],
    ['zeros', Buffer.alloc(4_096)],
  ])('%s instead of a backup', async (_, content) => {
    const file = join(await emptyFolder(), 'foreign.tar');
    await writeFile(file, content);
    await expect(restore({ DATA_DIR: await emptyFolder() }, file)).rejects.toThrow(
      /is not a backup of this product|is incomplete/,
    );
  });

  test('a folder instead of a backup', async () => {
    const folder = await emptyFolder();
    await expect(restore({ DATA_DIR: folder }, folder)).rejects.toThrow(
      `${folder} contains no backup named interviews-`,
    );
  });

  test('a missing file', async () => {
    await expect(restore({}, '/nowhere/backup.tar')).rejects.toThrow('the file does not exist');
  });

  test('an installation that is not empty', async () => {
    const { product } = await setUpProcessing();
    const elsewhere = await emptyInstallation(product);
    const { file } = await backUp(product.environment);
    const before = await rowsOf(product.environment);
    await expect(restore({ ...product.environment, DATA_DIR: elsewhere.DATA_DIR }, file)).rejects.toThrow(
      /The database is not empty: table \w+ has rows/,
    );
    await expect(restore({ ...elsewhere, DATA_DIR: product.dataDir }, file)).resolves.toBeDefined();
    await writeFile(join(product.dataDir, 'files', 'videos', 'other.mp4'), 'x');
    await expect(restore({ ...elsewhere, DATA_DIR: product.dataDir }, file)).rejects.toThrow('already contains files');
    expect(await rowsOf(product.environment)).toEqual(before);
  });

  test('a backup of an installation without a database', async () => {
    const database = await createEmptyDatabase();
    onTestFinished(database.drop);
    const DATA_DIR = await emptyFolder();
    await expect(backUp({ DATA_DIR })).rejects.toThrow(`There is no database in ${DATA_DIR}.`);
    await expect(backUp({ DATA_DIR, DATABASE_URL: database.url })).rejects.toThrow(
      'The database in DATABASE_URL is empty',
    );
    expect(await readdir(DATA_DIR)).toEqual([]);
  });

  test('a backup to an existing file or a folder that is not writable', async () => {
    const { product, file } = await withBackup();
    await expect(backUpTo(file, product.environment)).rejects.toThrow('already exists');
    await expect(backUpTo('/nowhere/b.tar', product.environment)).rejects.toThrow('cannot be written');
  });
});

test('a failed restore leaves nothing, and can be repeated', async () => {
  const { product, file, elsewhere } = await withBackup();
  await mkdir(join(elsewhere.DATA_DIR, 'files'));
  // A file in the place of the thumbnail folder: writing thumbnails fails after the videos are
  // stored.
  await writeFile(join(elsewhere.DATA_DIR, 'files', 'thumbnails'), '');
  await expect(restore(elsewhere, file)).rejects.toThrow();
  expect(Object.values(await rowsOf(elsewhere)).flat()).toEqual([]);
  await rm(join(elsewhere.DATA_DIR, 'files', 'thumbnails'));
  expect(Object.keys(await filesOf(elsewhere))).toEqual([]);
  await restore(elsewhere, file);
  expect(await rowsOf(elsewhere)).toEqual(await rowsOf(product.environment));
});
