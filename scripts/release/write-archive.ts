import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import { RELEASE } from '#server/release.ts';
import { buildWebInto } from '../launch/build-web.mjs';
import { productionLock, productionPackage } from './production-package.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');

export const NAME = `video-interview-management-${RELEASE}`;

/** The files that the product needs to run, and the files for operators. */
const INCLUDED = [
  /^(README\.md|CHANGELOG\.md|\.npmrc|package\.json|package-lock\.json|run\.mjs|exec\.cmd)$/,
  /^scripts\/launch(\.mjs$|\/)/,
  /^src\/(contracts|server)\/(?!.*\.test\.ts$)/,
  /^(deploy|docs)\//,
];

interface Member {
  name: string;
  content: Buffer | string;
  isExecutable: boolean;
}

/**
 * Writes the archive of this commit into `folder`, and a file with its SHA-256 next to it. The same
 * commit results in the same bytes: times are the commit's, and members are sorted.
 * Returns the path of the archive.
 */
export async function writeArchive(folder: string): Promise<string> {
  const committedAt = new Date(Number(await git('log', '-1', '--format=%ct')) * 1_000);
  const members = [...(await listSources()), ...(await buildWeb(committedAt))];
  members.sort((one, other) => (one.name < other.name ? -1 : 1));
  const path = join(folder, `${NAME}.tar.gz`);
  const draft = `${path}.unfinished`;
  await mkdir(folder, { recursive: true });
  const archive = pack();
  const written = pipeline(archive, createGzip({ level: 9 }), createWriteStream(draft));
  for (const member of members) addMember(archive, member, committedAt);
  archive.finalize();
  await written;
  await rename(draft, path);
  const digest = createHash('sha256').update(await readFile(path));
  await writeFile(`${path}.sha256`, `${digest.digest('hex')}  ${basename(path)}\n`);
  return path;
}

function addMember(archive: Pack, { name, content, isExecutable }: Member, mtime: Date): void {
  archive.entry({ name: `${NAME}/${name}`, mode: isExecutable ? 0o755 : 0o644, mtime, uid: 0, gid: 0 }, content);
}

/** Lists changes of committed files, as `git status` prints them. */
export const findChanges = (): Promise<string> => git('status', '--porcelain', '--untracked-files=no');

async function listSources(): Promise<Member[]> {
  // "100644 <hash> 0\t<path>", each ended by a zero byte.
  const entries = (await git('ls-files', '--stage', '-z')).split('\0').filter((entry) => entry !== '');
  const sources = entries.map((entry) => ({ mode: entry.slice(0, 6), name: entry.slice(entry.indexOf('\t') + 1) }));
  const included = sources.filter(({ name }) => INCLUDED.some((pattern) => pattern.test(name)));
  return Promise.all(
    included.map(async ({ mode, name }) => ({
      name,
      content: await readSource(name),
      isExecutable: mode === '100755',
    })),
  );
}

async function readSource(name: string): Promise<Buffer | string> {
  const content = await readFile(join(ROOT, name));
  if (name === 'package.json') return productionPackage(content.toString());
  if (name === 'package-lock.json') return productionLock(content.toString());
  return content;
}

/** Builds in an empty folder: `dist/web` also contains files of earlier builds. */
async function buildWeb(builtAt: Date): Promise<Member[]> {
  const folder = await mkdtemp(join(tmpdir(), 'interviews-web-'));
  try {
    process.env.VITE_BUILT_AT = builtAt.toISOString();
    await buildWebInto(folder, process.execPath);
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return await Promise.all(
      files.map(async (file) => ({
        name: `dist/web${file.slice(folder.length).replaceAll('\\', '/')}`,
        content: await readFile(file),
        isExecutable: false,
      })),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const git = async (...args: string[]): Promise<string> =>
  (await run('git', args, { cwd: ROOT, maxBuffer: 16 * 1_024 * 1_024 })).stdout.trim();
