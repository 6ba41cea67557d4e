import { parseArgs } from 'node:util';
import { type Cluster, CREDENTIALS, startCluster } from '#support/cluster.ts';
import { HOW_TO_GET_PGBOUNCER, isPgBouncerInstalled } from '#support/find-pgbouncer.ts';
import { HOW_TO_GET_NGINX, isNginxInstalled } from '#support/nginx.ts';
import { HOW_TO_GET_SWIFT, isSwiftInstalled } from '#support/swift/find-swift.ts';
import { Client } from './cluster/client.ts';
import { findInconsistencies } from './cluster/consistency.ts';
import { disturb } from './cluster/disturbances.ts';
import { findSilentSockets } from './cluster/live-messages.ts';
import { Observations } from './cluster/observations.ts';
import { RefreshesAndSteps } from './cluster/refreshes-and-steps.ts';
import { checkOut, previousRelease, ROOT } from './cluster/release.ts';
import { migrate, replaceAll } from './cluster/rolling.ts';
import { BrowsingUser } from './soak/browsing-user.ts';
import { signIn } from './soak/sign-in.ts';

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

interface Running {
  cluster: Cluster;
  observations: Observations;
  load: RefreshesAndSteps;
}

async function kills(minutes: number): Promise<boolean> {
  const seed = Number(values.seed);
  console.log(`\nKills for ${minutes} minutes (--seed ${seed})`);
  return underLoad(ROOT, { isStrict: false, maxP99Ms: MAX_P99_MS }, async (running) => {
    const share = Math.ceil((PROCESSED * 3) / Math.max(1, Math.round(minutes * 4)));
    const count = await disturb({ ...running, root: ROOT, seed }, minutes, () => running.load.startSteps(share));
    console.log(`  ${count} processes were killed`);
  });
}

async function upgrade(): Promise<boolean> {
  const release = await checkOut(values.from ?? (await previousRelease()));
  console.log(`\nUpgrade from ${release.commit}, then a restart`);
  try {
    return await underLoad(release.root, { isStrict: true, maxP99Ms: null }, async (running) => {
      const { load } = running;
      const startSteps = () => load.startSteps(5);
      // Former releases may lose a change when they stop.
      load.isStrict = false;
      await migrate(running.cluster, ROOT);
      console.log('  the former release starts on the new tables, and runs refreshes and steps');
      await replaceAll(running, release.root, startSteps);
      await load.settle();
      console.log('  upgrade');
      await replaceAll(running, ROOT, startSteps);
      console.log('  restart');
      load.isStrict = true;
      for (let count = 0; count < RESTARTS; count += 1) await replaceAll(running, ROOT, startSteps);
    });
  } finally {
    await release.remove();
  }
}

interface LoadOptions {
  /**
   * Whether every failed call and every response that ends early is a problem; otherwise the calls
   * are repeated, as users and players do.
   */
  isStrict: boolean;
  /** Null when the duration of requests is not judged. */
  maxP99Ms: number | null;
}

/**
 * Starts a cluster of the release in `root`, runs `disturbance` under load, and judges the result.
 */
async function underLoad(
  root: string,
  { isStrict, maxP99Ms }: LoadOptions,
  disturbance: (running: Running) => Promise<void>,
): Promise<boolean> {
  const cluster = await startCluster(root);
  const onInterrupt = () => void cluster.stop({ keepLogs: false }).finally(() => process.exit(130));
  for (const signal of INTERRUPTS) process.once(signal, onInterrupt);
  let isFine = false;
  try {
    const observations = new Observations();
    const [address, cookie] = [cluster.address, await signIn(cluster.address, CREDENTIALS)];
    const load = new RefreshesAndSteps({ cluster, client: new Client(address, cookie), observations }, isStrict);
    const leaving = new AbortController();
    await load.begin(PROCESSED);
    const users = await arriveUsers({ cluster, observations, load }, leaving.signal);
    await disturbance({ cluster, observations, load });
    await load.finish();
    leaving.abort();
    await Promise.all(users);
    const wrong = [
      ...(await findSilentSockets({ address, cookie }, () => load.refresh())),
      ...(await findInconsistencies(cluster)),
      ...cluster.processes.flatMap(({ plan, crashes }) =>
        crashes > 0 ? [`${plan.name} ended ${crashes} times without being killed`] : [],
      ),
    ];
    isFine = judge({ cluster, observations, load }, wrong, { isStrict, maxP99Ms });
    return isFine;
  } finally {
    for (const signal of INTERRUPTS) process.off(signal, onInterrupt);
    if (!isFine) console.log(`  The logs of the processes are in ${cluster.folder}`);
    await cluster.stop({ keepLogs: !isFine });
  }
}

async function arriveUsers({ cluster: { address }, observations, load }: Running, signal: AbortSignal) {
  const users: Promise<void>[] = [];
  for (let count = 0; count < USERS; count += 1) {
    const options = {
      address,
      cookie: await signIn(address, CREDENTIALS),
      latencies: observations.measured,
      onProblem: observations.onProblem,
      onBrokenRange: () => {
        observations.brokenRanges += 1;
      },
      onFailedChange: (message: string, beganAt: number) => {
        if (load.isStrict) observations.onProblem(message, beganAt);
        else observations.failedChanges += 1;
      },
      signal,
    };
    users.push(new BrowsingUser(options).browse());
  }
  return users;
}

function judge(
  { observations, load }: Running,
  inconsistencies: readonly string[],
  { isStrict, maxP99Ms }: LoadOptions,
): boolean {
  const p99 = observations.latencies.percentile(0.99);
  observations.latencies.print();
  console.log(`  ${observations.summary}`);
  console.log(`  ${load.refreshes} refreshes, ${load.finishedSteps} of ${PROCESSED * 3} steps completed.`);
  const wrong = [
    ...observations.problems,
    ...inconsistencies,
    ...(isStrict && observations.brokenRanges > 0
      ? [`${observations.brokenRanges} responses of recordings ended early`]
      : []),
    ...(load.finishedSteps === PROCESSED * 3 ? [] : ['not all steps were completed']),
    ...(maxP99Ms === null || p99 < maxP99Ms
      ? []
      : [`the 99th percentile is ${p99.toFixed(0)} ms, at most ${maxP99Ms}`]),
  ];
  for (const line of wrong) console.log(`  WRONG: ${line}`);
  return wrong.length === 0;
}

process.exitCode = await main();
