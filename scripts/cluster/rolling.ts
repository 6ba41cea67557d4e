import { setTimeout as pause } from 'node:timers/promises';
import { type Cluster, SHUTDOWN_DELAY_S } from '#support/cluster.ts';
import type { ClusterProcess } from '#support/cluster-process.ts';
import { until } from '#support/until.ts';
import type { Observations } from '../load/observations.ts';
import { run } from '../steps/workspace.ts';

/** A process stops within this time after the delay: see `STOP_TIMEOUT_MS` of the server. */
const STOP_LIMIT_MS = 15_000;

interface RollingParts {
  cluster: Cluster;
  observations: Observations;
}

/** Replaces every process, one after the other, with one of the release in `root`. */
export async function replaceAll(parts: RollingParts, root: string, onEach: () => void): Promise<void> {
  for (const process of parts.cluster.processes) {
    onEach();
    await replace(parts, process, root);
    await pause(1_000);
  }
}

/** nginx sends requests to the process as long as it accepts connections. */
async function replace({ observations }: RollingParts, process: ClusterProcess, root: string): Promise<void> {
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
