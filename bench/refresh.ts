import { setTimeout as sleep } from 'node:timers/promises';
import { keepAliveClient } from './keep-alive-client.ts';
import { inRounds, sized, timed } from './measure.ts';
import { bareRefresh, bareRefreshStoring } from './refresh/bare-client.ts';
import { type RefreshProduct, startRefreshProduct } from './refresh/refresh-product.ts';
import { type SandboxProcess, startSandboxProcess } from './refresh/sandbox-process.ts';
import { peakMb } from './resident-mb.ts';
import { type BenchRow, benchRow, limitRow, rowOfRounds } from './row.ts';

const MEGABYTE = 2 ** 20;
const ROUNDS = sized(3, 1);
const INTERVIEWS = sized(5_000, 150);
const VIDEOS = sized(300, 4);
/** Response time of a service on the internet. */
const REALISTIC_MS = 40;
const MEMORY_LIMIT_MB = 250;

/** Refreshes of the whole product compared with a bare client that downloads the same. */
export async function run(): Promise<BenchRow[]> {
  using sandbox = await startSandboxProcess();
  await sandbox.fill(INTERVIEWS);
  const title = `${INTERVIEWS.toLocaleString('en-US')} interviews`;
  const rows = [...(await compare(sandbox, title, { withFiles: false })), await listRow(sandbox)];
  await sandbox.fill(VIDEOS, 2 * MEGABYTE);
  rows.push(...(await compare(sandbox, `${VIDEOS} videos of 2 MB`, { withFiles: true })));
  return [...rows, ...(await memoryRows(sandbox))];
}

/**
 * A first refresh and one with nothing changed, with a realistic response time of the service and
 * with none. The bare client stores files as durably as the product does.
 */
async function compare(
  sandbox: SandboxProcess,
  title: string,
  { withFiles }: { withFiles: boolean },
): Promise<BenchRow[]> {
  await using product = await startRefreshProduct(sandbox);
  const rows = await Array.fromAsync([REALISTIC_MS, 0], async (latency) => {
    await sandbox.setLatency(latency);
    const { bare, first, bareList, second } = await inRounds(ROUNDS, {
      bare: async () => {
        await product.empty();
        return await (withFiles ? bareRefreshStoring(sandbox) : bareRefresh(sandbox));
      },
      first: () => refreshFirst(product, { withFiles }),
      bareList: () => bareRefresh(sandbox),
      second: () => refreshUnchanged(product),
    });
    const name = `${title}, ${latency} ms a page`;
    const against = withFiles ? `${name}, against a client that stores them` : name;
    // Without a response time the figure shows the cost of our own work and has no aim.
    const aim = latency > 0 ? { atMost: withFiles ? 1 : 1.2 } : null;
    return [
      rowOfRounds({ name: against, ours: first, baseline: bare, aim }),
      rowOfRounds({ name: `${name}, nothing changed`, ours: second, baseline: bareList }),
    ];
  });
  return rows.flat();
}

/** Returns milliseconds. @throws Error if a refresh that should download files downloads none */
async function refreshFirst(product: RefreshProduct, { withFiles }: { withFiles: boolean }): Promise<number> {
  const { ms, files } = await product.refresh();
  if (withFiles && files === 0) throw new Error('The files of an earlier round still exist.');
  return ms;
}

/** Refreshes again. Returns milliseconds. @throws Error if it writes a row or downloads a file */
async function refreshUnchanged(product: RefreshProduct): Promise<number> {
  const before = await product.versions();
  const { ms, files } = await product.refresh();
  if (files > 0) throw new Error(`A refresh with nothing changed downloaded ${files} files.`);
  if ((await product.versions()) !== before) throw new Error('A refresh with nothing changed wrote rows.');
  return ms;
}

/** Response time of the list while a refresh runs. */
async function listRow(sandbox: SandboxProcess): Promise<BenchRow> {
  await sandbox.setLatency(REALISTIC_MS);
  await using product = await startRefreshProduct(sandbox);
  await using http = keepAliveClient(product);
  const look = async () => {
    const took = await timed(() => http.get('/api/interviews?texts=false'));
    // A person pauses between reads.
    await sleep(10);
    return took;
  };
  await product.refresh();
  const [idle, busy]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let n = 0; n < sized(60, 2); n += 1) idle.push(await look());
    await product.empty();
    const ended = new AbortController();
    const refreshing = product.refresh().finally(() => ended.abort());
    while (!ended.signal.aborted) busy.push(await look());
    await refreshing;
  }
  return benchRow({ name: 'list during a refresh, against idle', ours: busy, baseline: idle, aim: { atMost: 2 } });
}

/**
 * Peak memory during a refresh: below the limit, and independent of the number of rows and bytes.
 */
async function memoryRows(sandbox: SandboxProcess): Promise<BenchRow[]> {
  await sandbox.setLatency(0);
  const rows = await peaksMb(sandbox, [{ count: sized(4_000, 100) }, { count: sized(40_000, 200) }]);
  // Both cases transfer the same number of bytes, because a young process grows with any traffic.
  const files = await peaksMb(sandbox, [
    { count: sized(600, 4), videoBytes: 2 * MEGABYTE },
    { count: sized(6, 1), videoBytes: sized(200, 8) * MEGABYTE },
  ]);
  const unit = 'MB';
  const flat = { atMost: 1.2 };
  const [few = 0, many = 0] = rows;
  const [small = 0, large = 0] = files;
  return [
    limitRow({ name: 'memory during a refresh', ours: Math.max(...rows, ...files), limit: MEMORY_LIMIT_MB, unit }),
    benchRow({ name: 'memory, 40,000 interviews against 4,000', ours: many, baseline: few, unit, aim: flat }),
    benchRow({ name: 'memory, videos of 200 MB against 2 MB', ours: large, baseline: small, unit, aim: flat }),
  ];
}

/** One warmed-up process runs every case: memory grows during warm-up. */
async function peaksMb(sandbox: SandboxProcess, fillings: { count: number; videoBytes?: number }[]): Promise<number[]> {
  await using product = await startRefreshProduct(sandbox);
  const peaks = await Array.fromAsync([...fillings.slice(0, 1), ...fillings], async ({ count, videoBytes }) => {
    await sandbox.fill(count, videoBytes);
    await product.empty();
    return await peakMb(product.pid, () => product.refresh());
  });
  return peaks.slice(1);
}
