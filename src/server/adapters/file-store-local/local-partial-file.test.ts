import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { localFileStore } from './local-file-store.ts';

test('a file that another process removed and began anew is not published half written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'local-partial-file-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // Each store stands for a process: they share nothing but the folder.
  const [ours, theirs] = [localFileStore(folder), localFileStore(folder)];

  const old = await ours.resume('video', 'a');
  await old.append(Buffer.from('old and whole'));
  await theirs.remove('video', ['a']);
  const anew = await theirs.resume('video', 'a');
  await anew.append(Buffer.from('new and ha'));

  await expect(old.commit()).rejects.toMatchObject({ name: 'FileStoreError', kind: 'unavailable' });
  expect(await ours.stat('video', 'a')).toBeNull();
  await anew.append(Buffer.from('lf'));
  await anew.commit();
  expect((await ours.stat('video', 'a'))?.size).toBe(12);
});
