import { parseArgs } from 'node:util';
import { CREDENTIALS, startCluster } from '#support/cluster.ts';
import { HOW_TO_GET_PGBOUNCER, isPgBouncerInstalled } from '#support/find-pgbouncer.ts';
import { HOW_TO_GET_NGINX, isNginxInstalled } from '#support/nginx.ts';
import { Recruiter } from '#support/recruiter.ts';
import { HOW_TO_GET_SWIFT, isSwiftInstalled } from '#support/swift/find-swift.ts';
import { findInconsistencies, findSilentSockets } from './cluster/consistency.ts';
import { disturb } from './cluster/disturbances.ts';
import { RefreshesAndSteps, type RunningCluster } from './cluster/refreshes-and-steps.ts';
import { checkOut, migrate, previousRelease, replaceAll } from './cluster/upgrade.ts';
import { startUsers } from './load/browsing-user.ts';
import { Observations } from './load/observations.ts';
import { ROOT } from './steps/workspace.ts';

const USERS = 20;
/** Interviews whose three steps run: 60 steps. */
const PROCESSED = 20;
/** Restarts of all processes after the upgrade. */
const RESTARTS = 2;
const MAX_P99_MS = 300;
const INTERRUPTS = ['SIGINT', 'SIGTERM'] as const;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    from: { type: 'string' },
    only: { type: 'string' },
  },
});

/**
 * `npm run test:cluster`: two web and two worker processes over PostgreSQL, PgBouncer and Swift
 * behind nginx, with 20 users, refreshes and steps.
 * - `kills`: a random process is killed every 15 s for `--minutes N`; the database, the bucket, the
 *   pooler and the connections for live messages fail once each
 * - `upgrade`: from the release `--from COMMIT` (default: the previous tag), one process after the
 *   other, then restarts in the same way, during which no change may fail either
 *
 * `--only kills` or `--only upgrade` runs one of them, `--seed N` repeats the random choices.
 */
async function main(): Promise<number> {
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= 24 * 60)) throw new Error('--minutes must be a number up to 1440.');
  const missing = findMissing();
  if (missing.length > 0) {
    console.error(missing.join('\n'));
    return 1;
  }
  const phases = { kills: () => kills(minutes), upgrade };
  if (values.only && !Object.hasOwn(phases, values.only)) throw new Error('--only must be kills or upgrade.');
  let isFine = true;
  for (const [name, phase] of Object.entries(phases))
    if (!values.only || values.only === name) isFine = (await phase()) && isFine;
  console.log(
    isFine ? '\nThe cluster works as required.' : '\nThe cluster does not work as required: see WRONG above.',
  );
  return isFine ? 0 : 1;
}

const findMissing = (): string[] => [
  ...(isNginxInstalled() ? [] : [HOW_TO_GET_NGINX]),
  ...(isPgBouncerInstalled() ? [] : [HOW_TO_GET_PGBOUNCER]),
  ...(isSwiftInstalled() ? [] : [HOW_TO_GET_SWIFT]),
];

async function kills(minutes: number): Promise<boolean> {
  const seed = Number(values.seed);
  console.log(`\nKills for ${minutes} minutes (--seed ${seed})`);
  const observations = new Observations('brokenRange', 'failedChange');
  return underLoad(ROOT, observations, async (running) => {
    await disturb(running, minutes, seed);
    const { p99 } = observations.latencies;
    if (p99 >= MAX_P99_MS)
      observations.addProblem(`the 99th percentile is ${p99.toFixed(0)} ms, at most ${MAX_P99_MS}`);
  });
}

async function upgrade(): Promise<boolean> {
  await using release = await checkOut(values.from ?? (await previousRelease()));
  console.log(`\nUpgrade from ${release.commit}, then a restart`);
  // Former releases may lose a change when they stop.
  const observations = new Observations('failedChange');
  return await underLoad(release.root, observations, async (running) => {
    await migrate(running.cluster, ROOT);
    console.log('  the former release starts on the new tables, and runs refreshes and steps');
    await replaceAll(running, release.root);
    await running.load.settle();
    console.log('  upgrade');
    await replaceAll(running, ROOT);
    console.log('  restart');
    observations.tolerates.delete('failedChange');
    for (let count = 0; count < RESTARTS; count += 1) await replaceAll(running, ROOT);
  });
}

/**
 * Starts a cluster of the release in `root`, runs `disturbance` under load, and returns whether
 * everything worked.
 */
async function underLoad(
  root: string,
  observations: Observations,
  disturbance: (running: RunningCluster) => Promise<void>,
): Promise<boolean> {
  const cluster = await startCluster(root);
  const onInterrupt = () => void cluster.stop({ keepLogs: false }).finally(() => process.exit(130));
  for (const signal of INTERRUPTS) process.once(signal, onInterrupt);
  let isFine = false;
  try {
    const { url } = cluster;
    const recruiter = await Recruiter.signIn(url, CREDENTIALS, 'fail');
    const parts = { cluster, recruiter, observations };
    const load = new RefreshesAndSteps(parts);
    const leaving = new AbortController();
    await load.begin(PROCESSED);
    const user = { url, credentials: CREDENTIALS, observations, signal: leaving.signal };
    const users = await startUsers(USERS, user);
    await disturbance({ ...parts, load });
    await load.finish();
    leaving.abort();
    await Promise.all(users);
    for (const problem of await findSilentSockets(url, recruiter.cookie, load)) observations.addProblem(problem);
    for (const problem of await findInconsistencies(cluster)) observations.addProblem(problem);
    isFine = report({ ...parts, load });
    return isFine;
  } finally {
    for (const signal of INTERRUPTS) process.off(signal, onInterrupt);
    if (!isFine) console.log(`  The logs of the processes are in ${cluster.folder}`);
    await cluster.stop({ keepLogs: !isFine });
  }
}

function report({ cluster, observations, load }: RunningCluster): boolean {
  const { latencies, summary, problems } = observations;
  latencies.print();
  console.log(`  ${summary}`);
  console.log(`  ${load.refreshes} refreshes, ${load.finishedSteps} of ${PROCESSED * 3} steps completed.`);
  const wrong = [
    ...problems,
    ...cluster.processes
      .filter(({ crashes }) => crashes > 0)
      .map(({ plan, crashes }) => `${plan.name} ended ${crashes} times without being killed`),
    ...(load.finishedSteps === PROCESSED * 3 ? [] : ['not all steps were completed']),
  ];
  for (const line of wrong) console.log(`  WRONG: ${line}`);
  return wrong.length === 0;
}

process.exitCode = await main();
