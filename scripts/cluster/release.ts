import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The folder of this release. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** Replaces the previous release until there are tags. Its accounts have no roles yet. */
const FIRST_RELEASE = '80fcd7d6';

export interface Release {
  commit: string;
  /** The folder of its files. */
  root: string;
  remove(): Promise<void>;
}

/** The newest tag before this commit. */
export async function previousRelease(): Promise<string> {
  return git('describe', '--tags', '--abbrev=0', 'HEAD^').catch(() => FIRST_RELEASE);
}

/** Longer than an installation without a cache. A registry that hangs must not hang the test. */
const BUILD_LIMIT_MS = 10 * 60_000;

/**
 * Writes the files of a commit into a temporary folder, and installs its packages and builds its
 * pages there.
 * @throws Error for an unknown commit
 */
export async function checkOut(name: string): Promise<Release> {
  const commit = await git('rev-parse', '--short', `${name}^{commit}`).catch(() => {
    throw new Error(`This clone has no commit ${name}. Fetch it (git fetch --unshallow), or choose one with --from.`);
  });
  const folder = await mkdtemp(join(tmpdir(), `interviews-${commit}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const root = join(folder, 'release');
    await mkdir(root);
    await git('archive', `--output=${join(folder, 'release.tar')}`, commit);
    await run('tar', ['-xf', join(folder, 'release.tar'), '-C', root]);
    if (await hasAllPackages(root)) await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    // Without the registry, if npm has downloaded the packages before.
    const env = { ...process.env, npm_config_prefer_offline: 'true' };
    await run(process.execPath, ['run.mjs', 'build'], { cwd: root, env, timeout: BUILD_LIMIT_MS });
    return { commit, root, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

interface LockedPackage {
  version?: string;
  optional?: boolean;
  devOptional?: boolean;
}

/**
 * True when all packages that the release in `root` locks are installed here, in their versions.
 */
async function hasAllPackages(root: string): Promise<boolean> {
  const packagesOf = async (path: string) =>
    JSON.parse(await readFile(path, 'utf8')).packages as Record<string, LockedPackage>;
  const installed = await packagesOf(join(ROOT, 'node_modules/.package-lock.json'));
  const locked = Object.entries(await packagesOf(join(root, 'package-lock.json'))).filter(([path]) => path !== '');
  return locked.every(([path, { version, optional, devOptional }]) => {
    const here = installed[path];
    // npm omits optional packages of other platforms.
    return here ? here.version === version : Boolean(optional || devOptional);
  });
}

const git = async (...args: string[]) => (await run('git', args, { cwd: ROOT })).stdout.trim();
