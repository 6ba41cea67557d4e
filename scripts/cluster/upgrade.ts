import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Cluster, SHUTDOWN_DELAY_S } from '#support/cluster.ts';
import type { ClusterProcess } from '#support/cluster-process.ts';
import { until } from '#support/until.ts';
import type { Observations } from '../load/observations.ts';
import { git, run, temporaryFolder } from '../steps/workspace.ts';
import type { RunningCluster } from './refreshes-and-steps.ts';

/** Replaces the previous release until there are tags. Its accounts have no roles yet. */
const FIRST_RELEASE = '80fcd7d6';
/** Longer than an installation without a cache. A registry that hangs must not hang the test. */
const BUILD_LIMIT_MS = 10 * 60_000;
/** Steps that start with each replacement. */
const STEPS = 5;
/** A process stops within this time after the delay: see `STOP_TIMEOUT_MS` of the server. */
const STOP_LIMIT_MS = 15_000;

/** The newest tag before this commit. */
export async function previousRelease(): Promise<string> {
  return git('describe', '--tags', '--abbrev=0', 'HEAD^').catch(() => FIRST_RELEASE);
}

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

/** Replaces every process, one after the other, with one of the release in `root`. */
export async function replaceAll(running: RunningCluster, root: string): Promise<void> {
  for (const process of running.cluster.processes) {
    running.load.startSteps(STEPS);
    await replace(running.observations, process, root);
    await pause(1_000);
  }
}

/** nginx sends requests to the process as long as it accepts connections. */
async function replace(observations: Observations, process: ClusterProcess, root: string): Promise<void> {
  const { name } = process.plan;
  const startedAt = performance.now();
  const ended = process.terminate();
  const isStopping = async () => (await process.readiness()) === 'stopping';
  await until('readiness fails', isStopping, SHUTDOWN_DELAY_S * 1_000).catch(() =>
    observations.addProblem(`${name} did not report within ${SHUTDOWN_DELAY_S} s that it stops`),
  );
  const code = await ended;
  const tookMs = performance.now() - startedAt;
  if (code !== 0 || tookMs > SHUTDOWN_DELAY_S * 1_000 + STOP_LIMIT_MS)
    observations.addProblem(`${name} stopped with ${code} after ${Math.round(tookMs)} ms`);
  await process.start(root);
  console.log(`  ${name} was replaced; it stopped within ${(tookMs / 1_000).toFixed(1)} s`);
}

/** `npm run migrate` with the release in `root`. */
export async function migrate({ env }: Cluster, root: string): Promise<void> {
  const options = { cwd: root, env: { ...env, MIGRATE: 'only' } };
  const { stdout } = await run(process.execPath, ['src/server/main.mjs'], options);
  console.log(`  ${stdout.split('\n').find((line) => line.includes('up to date')) ?? stdout}`);
}
