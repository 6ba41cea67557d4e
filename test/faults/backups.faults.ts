import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listInterviews } from '#contracts/interviews.ts';
import { MANIFEST, SIGNATURE } from '#server/backup/manifest.ts';
import { emptyFolder, filesOf, tamperWith } from '#support/backups.ts';
import { spawnCommand } from '#support/commands.ts';
import { startProcess } from '#support/start-process.ts';
import { activateFunnelOf, chance, refresh, setStage } from './support/stage.ts';

test('a modified backup is rejected without changes, and the original restores the product', {
  timeout: 300_000,
}, async () => {
  const stage = await setStage();
  const product = await stage.start();
  await activateFunnelOf(product, stage.sandbox, 'warehouse');
  await refresh(product);
  const { total } = await product.call(listInterviews, { query: {} });
  const files = await filesOf(stage.env);
  const folder = await emptyFolder();
  const [plain, encrypted, key] = ['backup.tar', 'backup.age', 'key.txt'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  expect((await spawnCommand(['backup', '--create-key', key], {})).code).toBe(0);
  expect((await spawnCommand(['backup', plain, '--plain'], stage.env)).code).toBe(0);
  expect((await spawnCommand(['backup', encrypted, '--encrypt', key], stage.env)).code).toBe(0);
  await product.terminate();

  const elsewhere = { ...stage.env, DATA_DIR: await emptyFolder() };
  await copyFile(join(stage.env.DATA_DIR, 'encryption-key'), join(elsewhere.DATA_DIR, 'encryption-key'));
  const restored = async (file: string) => spawnCommand(['restore', file, '--key-file', key], elsewhere);
  const random = chance('a modified backup');
  const expectRefused = async (file: string, what: string) => {
    const { code, stderr } = await restored(file);
    expect([code, stderr], what).toEqual([1, expect.stringContaining('Nothing was changed.')]);
    expect(await filesOf(elsewhere), what).toEqual({});
  };
  await expectRefused(
    await tamperWith(plain, (name, text) => (name.startsWith('database/account/') ? text.repeat(2) : text)),
    'an added row',
  );
  await expectRefused(
    await tamperWith(plain, (name, text) => {
      if (name === SIGNATURE) return null;
      return name === MANIFEST ? text.replace('"formatVersion": 2', '"formatVersion": 1') : text;
    }),
    'no signature',
  );
  for (const file of [plain, encrypted]) {
    const bytes = await readFile(file);
    for (let round = 0; round < 3; round += 1) {
      let at = Math.floor(random() * (bytes.length - 1_024));
      // The zeros between the members of an archive have no meaning.
      while (bytes[at] === 0) at += 1;
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      await writeFile(join(folder, 'changed'), changed);
      await expectRefused(join(folder, 'changed'), `${file}, byte ${at}`);
    }
  }

  expect((await restored(encrypted)).code).toBe(0);
  expect(await filesOf(elsewhere)).toEqual(files);
  const second = await startProcess(elsewhere);
  expect((await second.call(listInterviews, { query: {} })).total).toBe(total);
});
