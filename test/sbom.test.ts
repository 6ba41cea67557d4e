import { execFile } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { emptyFolder } from './support/backups.ts';

const ROOT = join(import.meta.dirname, '..');

test('npm run sbom writes a CycloneDX bill of materials with every package that package.json names', async () => {
  const folder = await emptyFolder();
  for (const name of ['package.json', 'package-lock.json']) await copyFile(join(ROOT, name), join(folder, name));
  await promisify(execFile)('npm', ['run', 'sbom'], { cwd: folder, shell: process.platform === 'win32' });
  const bill = JSON.parse(await readFile(join(folder, 'sbom.cdx.json'), 'utf8'));
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { type: 'application' } } });
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const listed = bill.components.map(({ purl }: { purl: string }) => decodeURIComponent(purl));
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    expect(listed).toContain(`pkg:npm/${name}@${version}`);
});
