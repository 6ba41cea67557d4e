import { chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { findEncryptionKeys, readSecrets } from './secrets.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'secrets-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const config = () => readConfig({ DATA_DIR: dataDir });

test.each([
  ['encryption-key', '', 'does not hold a key of 64 hexadecimal digits'],
  ['encryption-key', 'MY-KEY', 'does not hold a key of 64 hexadecimal digits'],
  ['session-secret', '', 'does not hold a secret of at least 16 characters'],
])('a file %s that holds "%s" is refused and stays as it is', async (name, held, words) => {
  await writeFile(join(dataDir, name), held);
  await expect(readSecrets(config())).rejects.toThrow(`${join(dataDir, name)} ${words}. Put it back from a copy`);
  expect((await stat(join(dataDir, name))).size).toBe(held.length);
});

test('a next key that cannot be read stops whoever would open what is sealed', async () => {
  await readSecrets(config());
  await writeFile(join(dataDir, 'encryption-key.next'), 'half');
  expect(() => findEncryptionKeys(config())).toThrow('encryption-key.next does not hold a key');
});

test('a DATA_DIR that is a file is refused by name', async () => {
  const file = join(dataDir, 'file');
  await writeFile(file, '');
  await expect(readSecrets(readConfig({ DATA_DIR: file }))).rejects.toThrow(/DATA_DIR .*file cannot be used: .*EEXIST/);
});

test.runIf(process.getuid?.() === 0)('what root makes belongs to the account whose folder it is', async () => {
  const folder = join(dataDir, 'of-another');
  await mkdir(folder, { mode: 0o700 });
  await chown(folder, 12_345, 12_346);
  await readSecrets(readConfig({ DATA_DIR: folder }));
  expect(await readdir(folder)).toEqual(['encryption-key', 'session-secret']);
  for (const name of await readdir(folder))
    expect(await stat(join(folder, name))).toMatchObject({ uid: 12_345, gid: 12_346 });
});
