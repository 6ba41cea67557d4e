import { readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { checkArchive } from './release/check-archive.ts';
import { findChanges, writeArchive } from './release/write-archive.ts';
import { expect } from './steps/expect.ts';
import { ROOT, temporaryFolder } from './steps/workspace.ts';

/**
 * `npm run release`: writes the archive of this release into `dist`. With `--check`, the archive is
 * written twice and compared, then installed and started in a temporary folder.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const changes = await findChanges();
  if (changes !== '') throw new Error(`Commit these changes first:\n${changes}`);
  if (values.check) return check();
  const archive = await writeArchive(join(ROOT, 'dist'));
  const { size } = await stat(archive);
  console.log(`Wrote ${relative(ROOT, archive)} (${(size / 1e6).toFixed(1)} MB).`);
  console.log(`SHA-256: ${await readFile(`${archive}.sha256`, 'utf8')}`.trimEnd());
}

async function check(): Promise<void> {
  await using folder = await temporaryFolder('archive');
  const [first, second] = [await writeArchive(join(folder.path, '1')), await writeArchive(join(folder.path, '2'))];
  const digests = await Promise.all([first, second].map((path) => readFile(`${path}.sha256`, 'utf8')));
  expect(digests[0] === digests[1], 'the same sources result in the same archive', digests);
  await checkArchive(first, folder.path);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
