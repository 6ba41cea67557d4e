import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { RELEASE } from '#server/release.ts';
import { buildWebInto } from '../launch/build-web.mjs';
import { git, ROOT, temporaryFolder } from '../steps/workspace.ts';
import { productionLock, productionPackage } from './production-package.ts';

export const NAME = `video-interview-management-${RELEASE}`;

/** The committed files that the product needs to run, and the files for operators. */
const INCLUDED = [
  ...['README.md', 'CHANGELOG.md', '.npmrc', 'run.mjs', 'exec.cmd', 'scripts/launch', 'deploy', 'docs'],
  ...['src/contracts', 'src/server', ':(exclude)*.test.ts'],
];

/**
 * Writes the archive of this commit into `folder`, and a file with its SHA-256 next to it. The same
 * commit results in the same bytes: Git sorts the files and gives all of them the time of the
 * commit. Returns the path of the archive.
 */
export async function writeArchive(folder: string): Promise<string> {
  await using made = await temporaryFolder('made');
  const tar = `${made.path}.tar`;
  const path = join(folder, `${NAME}.tar.gz`);
  await makeFiles(made.path);
  const added = (await readdir(made.path, { recursive: true })).filter((name) => extname(name) !== '').sort();
  const options = added.flatMap((name) => [
    `--prefix=${join(NAME, dirname(name)).replaceAll('\\', '/')}/`,
    `--add-file=${join(made.path, name)}`,
  ]);
  await git('-c', 'tar.umask=022', 'archive', ...options, `--prefix=${NAME}/`, `--output=${tar}`, 'HEAD', ...INCLUDED);
  await mkdir(folder, { recursive: true });
  const archive = gzipSync(await readFile(tar), { level: 9 });
  await writeFile(`${path}.unfinished`, archive);
  await rename(`${path}.unfinished`, path);
  await writeFile(`${path}.sha256`, `${hash('sha256', archive)}  ${basename(path)}\n`);
  return path;
}

/** Writes the files that differ from the commit: npm's files and the built pages. */
async function makeFiles(folder: string): Promise<void> {
  const read = (name: string) => readFile(join(ROOT, name), 'utf8');
  await writeFile(join(folder, 'package.json'), productionPackage(await read('package.json')));
  await writeFile(join(folder, 'package-lock.json'), productionLock(await read('package-lock.json')));
  process.env.VITE_BUILT_AT = await git('log', '-1', '--format=%cI');
  await buildWebInto(join(folder, 'dist/web'), process.execPath);
}

/** Lists changes of committed files, as `git status` prints them. */
export const findChanges = (): Promise<string> => git('status', '--porcelain', '--untracked-files=no');
