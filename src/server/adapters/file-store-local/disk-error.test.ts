import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { diskError } from './disk-error.ts';
import { localFileStore } from './local-file-store.ts';

test.each([
  ['ENOSPC', 'full', 'The disk is full. Free space for /files.'],
  ['EDQUOT', 'full', 'The disk is full. Free space for /files.'],
  ['EROFS', 'read_only', 'The file store is read-only. Allow the server to write to /files.'],
  ['EACCES', 'read_only', 'The file store is read-only. Allow the server to write to /files.'],
  ['EIO', 'unavailable', 'The file store is unavailable (EIO). Check /files.'],
])('%s is reported as %s with the remedy', (code, kind, message) => {
  const cause = Object.assign(new Error('from the system'), { code });
  expect(diskError(cause, '/files')).toMatchObject({ name: 'FileStoreError', kind, message, cause });
});

test('a store whose folder is a file reports that on the first write', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  const store = localFileStore(join(folder, 'file'));
  expect(await store.open('video', 'a')).toBeNull();
  await expect(store.resume('video', 'a')).rejects.toMatchObject({ name: 'FileStoreError', kind: 'unavailable' });
});

test.skipIf(process.platform !== 'linux')(
  'a disk that fills up is reported as full and keeps what was written',
  async () => {
    const folder = await temporaryFolder();
    const store = localFileStore(folder);
    await (await store.resume('video', 'a')).close();
    await rm(join(folder, 'partial/videos/a'));
    await symlink('/dev/full', join(folder, 'partial/videos/a'));
    const file = await store.resume('video', 'a');
    await expect(file.append(Buffer.from('more'))).rejects.toMatchObject({ name: 'FileStoreError', kind: 'full' });
    expect(file.size).toBe(0);
    await file.close();
  },
);

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'disk-error-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
