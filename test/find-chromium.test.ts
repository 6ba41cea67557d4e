import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findChromium } from '../scripts/find-chromium.ts';

async function folderWith(program: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'browser-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, program), '', { mode: 0o755 });
  return folder;
}

test('journeys run in Edge where it is the only browser on the PATH', async () => {
  const folder = await folderWith('microsoft-edge');
  expect(findChromium({ PATH: folder })).toBe(join(folder, 'microsoft-edge'));
});

test('CHROMIUM_PATH replaces the search, so a wrong path finds no browser', async () => {
  const folder = await folderWith('chromium');
  expect(findChromium({ PATH: folder, CHROMIUM_PATH: join(folder, 'chromium') })).toBe(join(folder, 'chromium'));
  expect(findChromium({ PATH: folder, CHROMIUM_PATH: join(folder, 'missing') })).toBeNull();
});
