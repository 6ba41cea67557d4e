import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { localFileStore } from './local-file-store.ts';

test('a partial file that another process deleted and restarted is not published', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'local-partial-file-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // Each store represents a process; they share only the folder.
  const [ours, theirs] = [localFileStore(folder), localFileStore(folder)];

  const old = await ours.resume('video', 'a');
  await old.append(Buffer.from('old and complete'));
  await theirs.remove('video', ['a']);
  const restarted = await theirs.resume('video', 'a');
  await restarted.append(Buffer.from('new and ha'));

  await expect(old.commit()).rejects.toMatchObject({ name: 'FileStoreError', kind: 'unavailable' });
  expect(await ours.stat('video', 'a')).toBeNull();
  await restarted.append(Buffer.from('lf'));
  await restarted.commit();
  expect((await ours.stat('video', 'a'))?.size).toBe(12);
});
