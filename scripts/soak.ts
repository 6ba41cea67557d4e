import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { productVariables } from '#sandbox/product-variables.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { type BenchProduct, startProduct } from '../bench/product.ts';
import { connectDemoFunnels } from './demo/connect-demo-funnels.ts';
import { BrowsingUser } from './soak/browsing-user.ts';
import { Latencies, ProcessSamples } from './soak/measurements.ts';
import { signIn } from './soak/sign-in.ts';

const USERS = 50;
const REFRESH_INTERVAL_MS = 60_000;
/** The interviews that the service adds between two refreshes. */
const NEW_INTERVIEWS = 5;
const MAX_P99_MS = 100;
/**
 * More growth than this during the second half is a leak; less is normal garbage collection.
 */
const MAX_GROWTH_MB = 15;
const MAX_GROWTH_HANDLES = 15;
const CREDENTIALS = { username: 'admin', password: 'admin123' };

/**
 * `npm run soak`: the built product with 50 users and a refresh every minute, for 30 minutes or
 * `-- --minutes N`.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
  const minutes = Number(values.minutes);
  if (!(minutes >= 1 && minutes <= 24 * 60)) throw new Error('--minutes must be a number from 1 to 1440.');
  const sandbox = await startSandbox();
  const product = await startProduct({ env: productVariables(sandbox) });
  try {
    return await soak(product, sandbox, minutes);
  } finally {
    await product.stop();
    await sandbox.close();
  }
}

async function soak(product: BenchProduct, sandbox: Sandbox, minutes: number): Promise<number> {
  await connectDemoFunnels(product.address, CREDENTIALS, sandbox.funnels);
  await product.call('GET', '/api/interviews/sync');
  const problems = new Map<string, number>();
  const onProblem = (message: string) => problems.set(message, (problems.get(message) ?? 0) + 1);
  const latencies = new Latencies();
  const stopping = new AbortController();
  const samples = new ProcessSamples(product.pid);
  console.log(`${USERS} users browse ${product.address} for ${minutes} minutes.`);

  const refreshing = refreshEveryMinute(product, sandbox, { onProblem, signal: stopping.signal });
  const users: Promise<void>[] = [];
  for (let count = 0; count < USERS; count += 1) {
    const cookie = await signIn(product.address, CREDENTIALS);
    users.push(
      new BrowsingUser({ address: product.address, cookie, latencies, onProblem, signal: stopping.signal }).browse(),
    );
  }
  await pause(minutes * 60_000);
  samples.stop();
  stopping.abort();
  await Promise.all([...users, refreshing]);
  return report(latencies, samples, problems);
}

async function refreshEveryMinute(
  product: BenchProduct,
  { control, funnels }: Sandbox,
  { onProblem, signal }: { onProblem: (message: string) => void; signal: AbortSignal },
): Promise<void> {
  const funnelId = funnels[0]?.funnelId ?? '';
  while (!signal.aborted) {
    await pause(REFRESH_INTERVAL_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    control.grow(funnelId, NEW_INTERVIEWS, { videoBytes: 500_000, newestAt: new Date() });
    try {
      const { error } = await product.call<{ error: string | null }>('GET', '/api/interviews/sync/status');
      if (error !== null) onProblem(`refresh: ${error}`);
      await product.call('GET', '/api/interviews/sync?timeframe=all');
    } catch (error) {
      onProblem(`refresh: ${error}`);
    }
  }
}

function report(latencies: Latencies, samples: ProcessSamples, problems: Map<string, number>): number {
  latencies.print();
  const memory = samples.growth('residentMb');
  const handles = samples.growth('handles');
  const slowest = latencies.percentile(0.99);
  const verdicts: [name: string, measured: string, isFine: boolean][] = [
    ['errors', `${problems.values().reduce((sum, n) => sum + n, 0)} in ${latencies.count} calls`, problems.size === 0],
    ['99th percentile', `${slowest.toFixed(1)} ms, at most ${MAX_P99_MS}`, slowest < MAX_P99_MS],
    ['memory', `${memory.average.toFixed(0)} MB, grown by ${memory.grown.toFixed(1)}`, memory.grown < MAX_GROWTH_MB],
    [
      'handles',
      `${handles.average.toFixed(0)}, grown by ${handles.grown.toFixed(1)}`,
      handles.grown < MAX_GROWTH_HANDLES,
    ],
  ];
  console.table(
    Object.fromEntries(
      verdicts.map(([name, measured, isFine]) => [name, { measured, '': isFine ? 'fine' : 'MISSED' }]),
    ),
  );
  for (const [message, count] of problems) console.log(`${count} × ${message}`);
  return verdicts.every(([, , isFine]) => isFine) ? 0 : 1;
}

process.exitCode = await main();
