import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The folder of this release. */
export const ROOT = resolve(import.meta.dirname, '../..');

/**
 * The release before this one, until there are tags: the last commit before the migrations that
 * follow 0020, and a complete product with roles, a bucket and a pooler.
 */
const FIRST_RELEASE = '233f85ef7eeb';

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

/**
 * Checks a commit out into a temporary folder, and installs its packages and builds its pages there.
 * @throws Error for an unknown commit
 */
export async function checkOut(name: string): Promise<Release> {
  const commit = await git('rev-parse', '--short', `${name}^{commit}`).catch(() => {
    throw new Error(`This clone has no commit ${name}. Fetch it (git fetch --unshallow), or choose one with --from.`);
  });
  const root = await mkdtemp(join(tmpdir(), `interviews-${commit}-`));
  await git('worktree', 'add', '--detach', '--force', root, commit);
  const lockFile = (folder: string) => readFile(join(folder, 'package-lock.json'), 'utf8');
  // The same packages need not be installed twice.
  if ((await lockFile(root)) === (await lockFile(ROOT)))
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  await run(process.execPath, ['run.mjs', 'build'], { cwd: root });
  return {
    commit,
    root,
    async remove() {
      await git('worktree', 'remove', '--force', root);
      await rm(root, { recursive: true, force: true });
    },
  };
}

const git = async (...args: string[]) => (await run('git', args, { cwd: ROOT })).stdout.trim();
