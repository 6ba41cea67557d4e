import { readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { productVariables } from '#sandbox/product-variables.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { type BenchProduct, PASSWORD, startProduct } from '../bench/product.ts';
import { residentMb } from '../bench/resident-mb.ts';
import { startUsers } from './load/browsing-user.ts';
import { Observations } from './load/observations.ts';

const USERS = 50;
const REFRESH_INTERVAL_MS = 60_000;
const SAMPLE_INTERVAL_MS = 5_000;
/** The interviews that the service adds between two refreshes. */
const NEW_INTERVIEWS = 5;
const MAX_P99_MS = 100;
/**
 * More growth than this during the second half is a leak; less is normal garbage collection.
 */
const MAX_GROWTH_MB = 15;
const MAX_GROWTH_HANDLES = 15;

/**
 * `npm run soak`: the built product with 50 users and a refresh every minute, for 30 minutes or
 * `-- --minutes N`.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
  const minutes = Number(values.minutes);
  if (!(minutes >= 1 && minutes <= 24 * 60)) throw new Error('--minutes must be a number from 1 to 1440.');
  await using started = new AsyncDisposableStack();
  const sandbox = started.adopt(await startSandbox(), ({ close }) => close());
  const product = started.use(await startProduct({ env: productVariables(sandbox) }));
  return await soak(product, sandbox, minutes);
}

async function soak({ url, admin, pid }: BenchProduct, sandbox: Sandbox, minutes: number): Promise<number> {
  const funnels = await admin.connect(...sandbox.funnels);
  const [funnel] = funnels;
  if (!funnel) throw new Error('The sandbox has no funnels.');
  await admin.refresh(...funnels);
  const observations = new Observations();
  const stopping = new AbortController();
  const { signal } = stopping;
  console.log(`${USERS} users browse ${url} for ${minutes} minutes.`);

  const refreshEveryMinute = async () => {
    while (!signal.aborted) {
      sandbox.control.grow(funnel.funnelId, NEW_INTERVIEWS, { videoBytes: 500_000, newestAt: new Date() });
      const refreshed = admin.refresh(funnel).catch((error) => observations.onProblem(String(error)));
      await pause(REFRESH_INTERVAL_MS, undefined, { signal }).catch(() => {});
      await refreshed;
    }
  };
  const credentials = { username: 'admin', password: PASSWORD };
  const users = await startUsers(USERS, { url, credentials, observations, signal });
  const refreshing = refreshEveryMinute();
  const samples: Sample[] = [];
  const sampling = setInterval(
    () =>
      void takeSample(pid).then(
        (sample) => samples.push(sample),
        () => {},
      ),
    SAMPLE_INTERVAL_MS,
  );
  await pause(minutes * 60_000);
  clearInterval(sampling);
  stopping.abort();
  await Promise.all([...users, refreshing]);
  return report(observations, samples);
}

/** The memory, and the open files and sockets of the product. */
interface Sample {
  residentMb: number;
  handles: number;
}

async function takeSample(pid: number): Promise<Sample> {
  return { residentMb: await residentMb(pid), handles: (await readdir(`/proc/${pid}/fd`)).length };
}

/** Returns the average of the last quarter, and the growth during the second half. */
function growth(values: readonly number[]): { average: number; grown: number } {
  const quarter = Math.floor(values.length / 4);
  const [before, average] = [mean(values.slice(-2 * quarter, -quarter)), mean(values.slice(-quarter))];
  // The middles of the two quarters are half of that time apart.
  return { average, grown: 2 * (average - before) };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function report({ latencies, problems }: Observations, samples: readonly Sample[]): number {
  latencies.print();
  const memory = growth(samples.map((sample) => sample.residentMb));
  const handles = growth(samples.map((sample) => sample.handles));
  const limits: [name: string, measured: number, limit: number][] = [
    ['99th percentile (ms)', latencies.p99, MAX_P99_MS],
    [`growth of ${memory.average.toFixed(0)} MB`, memory.grown, MAX_GROWTH_MB],
    [`growth of ${handles.average.toFixed(0)} handles`, handles.grown, MAX_GROWTH_HANDLES],
  ];
  for (const [name, measured, limit] of limits)
    console.log(`${measured < limit ? '✓' : '✗'} ${name}: ${measured.toFixed(1)}, less than ${limit}`);
  console.log(`${problems.length === 0 ? '✓' : '✗'} errors in ${latencies.count} calls: ${problems.length}`);
  for (const problem of problems) console.log(problem);
  return problems.length === 0 && limits.every(([, measured, limit]) => measured < limit) ? 0 : 1;
}

process.exitCode = await main();
