import { availableParallelism } from 'node:os';
import { migrate } from '#server/db/migrate.ts';
import { startExternalPostgres } from '#support/external-postgres.ts';
import { type Child, startLoadClient } from './child.ts';
import { openDatabase } from './database.ts';
import type { Load } from './load-client.ts';
import { inRounds, sized } from './measure.ts';
import { startProduct } from './product.ts';
import { type BenchRow, rowOfRounds } from './row.ts';
import { seedInterviews } from './seed-interviews.ts';

const SIZES = sized([1, 2, 4], [1, 2]);
const CORES = availableParallelism();
const ROUNDS = sized(15, 1);
const SECONDS = sized(1, 0.05);
const INTERVIEWS = sized(20_000, 500);
const PATH = '/api/interviews?page=1&limit=10&texts=false';

/**
 * Measures how lists scale with the number of web processes over one database.
 *
 * Clients, web processes and PostgreSQL share the cores of one machine, so a saturated web process
 * would leave too little for the others. Instead, each web process has a client process with one
 * connection, which sends the next request after the response. Client, web process and database
 * then take turns and use about one core, so that N of these chains can use N cores and no more.
 */
export async function run(): Promise<BenchRow[]> {
  await using opened = new AsyncDisposableStack();
  const postgres = await startExternalPostgres();
  opened.defer(() => postgres.remove());
  await migrate(postgres.url);
  const database = opened.use(await openDatabase(postgres.url));
  await seedInterviews(database, INTERVIEWS);
  return await listRows(await Array.fromAsync({ length: Math.max(...SIZES) }, () => startChain(postgres.url, opened)));
}

interface Chain {
  client: Child;
  load: Load;
}

async function startChain(url: string, opened: AsyncDisposableStack): Promise<Chain> {
  const env = { ROLES: 'web', DATABASE_URL: url, SESSION_SECRET: 'a secret of the benchmark' };
  const { port, url: origin, cookie } = opened.use(await startProduct({ env }));
  const list = await (await fetch(origin + PATH, { headers: { cookie } })).arrayBuffer();
  const load = { port, path: PATH, cookie, fileBytes: list.byteLength, connections: 1, seconds: SECONDS };
  return { client: opened.use(startLoadClient()), load };
}

async function listRows(chains: readonly Chain[]): Promise<BenchRow[]> {
  const measurements = SIZES.map((size) => [size, () => listsPerSecond(chains.slice(0, size))] as const);
  // Warms up.
  await listsPerSecond(chains);
  const rates = await inRounds(ROUNDS, Object.fromEntries(measurements));
  return SIZES.slice(1).map((size) => scalingRow(size, rates[size] ?? [], rates[1] ?? []));
}

async function listsPerSecond(chains: readonly Chain[]): Promise<number> {
  const rates = chains.map(async ({ client, load }) => (await client.ask<number>(load)) / load.fileBytes);
  return (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0);
}

function scalingRow(size: number, rates: readonly number[], one: readonly number[]): BenchRow {
  const linear = Math.min(size, CORES);
  return rowOfRounds({
    name: `signed-in lists, ${size} web processes, against ${linear} × one (${CORES} cores)`,
    ours: rates,
    baseline: one.map((rate) => rate * linear),
    unit: '/s',
    // More processes than cores only take processor time from each other.
    aim: size <= CORES ? { atLeast: 0.9 } : null,
  });
}
