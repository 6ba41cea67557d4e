import { join } from 'node:path';
import { git, run, temporaryFolder } from '../steps/workspace.ts';

/** Replaces the previous release until there are tags. Its accounts have no roles yet. */
const FIRST_RELEASE = '80fcd7d6';

/** The newest tag before this commit. */
export async function previousRelease(): Promise<string> {
  return git('describe', '--tags', '--abbrev=0', 'HEAD^').catch(() => FIRST_RELEASE);
}

/** Longer than an installation without a cache. A registry that hangs must not hang the test. */
const BUILD_LIMIT_MS = 10 * 60_000;

/**
 * Writes the files of a commit into a temporary folder, and installs its packages and builds its
 * pages there. Returns the folder with its files as `root`. Disposing of it deletes the folder.
 * @throws Error for an unknown commit
 */
export async function checkOut(name: string) {
  const commit = await git('rev-parse', '--short', `${name}^{commit}`).catch(() => {
    throw new Error(`This clone has no commit ${name}. Fetch it (git fetch --unshallow), or choose one with --from.`);
  });
  await using made = new AsyncDisposableStack();
  const folder = made.use(await temporaryFolder(commit)).path;
  await git('archive', '--prefix=release/', `--output=${join(folder, 'release.tar')}`, commit);
  await run('tar', ['-xf', join(folder, 'release.tar'), '-C', folder]);
  const root = join(folder, 'release');
  // Without the registry, if npm has downloaded the packages before.
  const env = { ...process.env, npm_config_prefer_offline: 'true' };
  await run(process.execPath, ['run.mjs', 'build'], { cwd: root, env, timeout: BUILD_LIMIT_MS });
  const ready = made.move();
  return { commit, root, [Symbol.asyncDispose]: () => ready.disposeAsync() };
}
