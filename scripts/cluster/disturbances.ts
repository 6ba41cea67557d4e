import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '#sandbox/random.ts';
import type { Cluster } from '#support/cluster.ts';
import type { ClusterProcess } from '#support/cluster-process.ts';
import { until } from '#support/until.ts';
import type { Observations } from '../load/observations.ts';
import { ROOT } from '../steps/workspace.ts';
import type { RunningCluster } from './refreshes-and-steps.ts';

const KILL_INTERVAL_MS = 15_000;
/**
 * The least time between a start and the next kill, so that a request that failed at the killed
 * process can be answered by the other one.
 */
const MIN_KILL_GAP_MS = 6_000;
/** The time for which the database, the pooler and the bucket are unavailable. */
const OUTAGE_MS = 3_000;
/** After an outage, every process must be ready again within this time. */
const RECOVERY_LIMIT_MS = 15_000;
/** The time for requests that were waiting when the processes became ready. */
const SETTLED_MS = 1_000;

type Service = { stop(): Promise<unknown>; start(): Promise<unknown> };

/** They happen one after the other, spread over the run. */
const DISTURBANCES: readonly ((running: RunningCluster) => Promise<void>)[] = [
  outage('the database', 'all', ({ postgres }) => postgres),
  outage('the bucket', 'files', ({ swift }) => ({ stop: swift.pause, start: swift.resume })),
  outage('the pooler', 'all', ({ pooler }) => ({ stop: pooler.kill, start: pooler.start })),
  cutLiveConnections,
];

/** Kills a random process of the product every 15 s and starts it again. */
export async function disturb(running: RunningCluster, minutes: number, seed: number): Promise<void> {
  const intervals = Math.max(1, Math.round((minutes * 60_000) / KILL_INTERVAL_MS));
  const steps = Math.ceil(running.load.plannedSteps / intervals);
  const random = seededRandom(seed);
  for (let index = 0; index < intervals; index += 1) {
    const endsAt = performance.now() + KILL_INTERVAL_MS;
    running.load.startSteps(steps);
    await pause(random() * 5_000);
    await killOne(running, random);
    for (const [place, begin] of DISTURBANCES.entries())
      if (Math.floor((intervals * (place + 1)) / (DISTURBANCES.length + 1)) === index) await begin(running);
    await pause(Math.max(MIN_KILL_GAP_MS, endsAt - performance.now()));
  }
  console.log(`  ${intervals} processes were killed`);
}

async function killOne({ cluster }: RunningCluster, random: () => number): Promise<void> {
  const { processes } = cluster;
  const victim = processes[Math.floor(random() * processes.length)] as ClusterProcess;
  report(`${victim.plan.name} is killed`);
  await victim.kill();
  await victim.start(ROOT);
}

/** Stops a service for a moment. All processes have to be ready soon after it is back. */
function outage(what: string, affected: 'all' | 'files', serviceOf: (cluster: Cluster) => Service) {
  return async ({ cluster, observations }: RunningCluster) => {
    report(`${what} is stopped`);
    await observations.during(affected, async () => {
      await serviceOf(cluster).stop();
      await pause(OUTAGE_MS);
      await serviceOf(cluster).start();
      await recovered(cluster, observations, what);
    });
  };
}

/** Not an outage: no request may fail. */
async function cutLiveConnections({ cluster, observations }: RunningCluster): Promise<void> {
  report('the connections for live messages are cut');
  const cut = await cluster.ask(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'interviews live'",
  );
  if (cut.length !== cluster.processes.length)
    observations.addProblem(`${cluster.processes.length} processes had ${cut.length} connections for live messages`);
}

async function recovered({ processes }: Cluster, observations: Observations, what: string): Promise<void> {
  const from = performance.now();
  const isReady = async () => (await Promise.all(processes.map((process) => process.isReady()))).every(Boolean);
  try {
    await until('all are ready', isReady, RECOVERY_LIMIT_MS);
    report(`${what} is back, and all processes are ready after ${((performance.now() - from) / 1_000).toFixed(1)} s`);
  } catch {
    observations.addProblem(`${RECOVERY_LIMIT_MS / 1_000} s after ${what} was back, not all processes were ready`);
  }
  await pause(SETTLED_MS);
}

const report = (what: string) => console.log(`  ${new Date().toISOString().slice(11, 19)} ${what}`);
