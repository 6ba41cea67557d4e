import { availableParallelism } from 'node:os';
import pg from 'pg';
import { setUpDatabase } from '#server/set-up-database.ts';
import { type ExternalPostgres, startExternalPostgres } from '#support/external-postgres.ts';
import { Child } from './child.ts';
import type { DeliveredMessages } from './live/listeners.ts';
import { ANNOUNCE } from './live.ts';
import { type BenchProduct, startProduct } from './product.ts';
import { type BenchRow, limitRow, percentile, printRows, rowOfRounds } from './row.ts';
import { sized } from './scale.ts';
import { seedInterviews } from './seed-interviews.ts';
import type { Load, LoadDone } from './session/load.ts';

const SIZES = sized([1, 2, 4], [1, 2]);
const CORES = availableParallelism();
const ROUNDS = sized(15, 1);
const MILLISECONDS = sized(1_000, 50);
const INTERVIEWS = sized(20_000, 500);
const PATH = '/api/interviews?page=1&limit=10&texts=false';
const SOCKETS = sized(1_000, 20);
const MESSAGES = sized(15, 1);
const LIMIT_MS = 100;
const LISTENERS = new URL('./live/listeners.ts', import.meta.url);

/**
 * Measures several web processes over one database: how lists scale with their number, and how fast
 * a live message reaches the sockets of all of them.
 *
 * Clients, web processes and PostgreSQL share the cores of one machine, so a saturated web process
 * would leave too little for the others. Instead, each web process has a client process with one
 * connection, which sends the next request after the answer. Client, web process and database then
 * take turns and use about one core, so that N of these chains can use N cores and no more.
 */
export async function run(): Promise<BenchRow[]> {
  await using opened = new AsyncDisposableStack();
  const postgres = await startExternalPostgres();
  opened.defer(() => postgres.remove());
  const database = await fill(postgres);
  opened.defer(() => database.end());
  const chains: Chain[] = [];
  for (let count = 0; count < Math.max(...SIZES); count += 1) chains.push(await startChain(postgres, opened));
  return [...(await listRows(chains)), await messageRow(chains, database)];
}

interface Chain {
  product: BenchProduct;
  client: Child;
}

async function fill({ url }: ExternalPostgres): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  // `end` does not wait until the connections are closed. The database may stop earlier.
  pool.on('error', () => {});
  await setUpDatabase(url, pool);
  await seedInterviews(pool, INTERVIEWS);
  return pool;
}

async function startChain({ url }: ExternalPostgres, opened: AsyncDisposableStack): Promise<Chain> {
  const env = {
    ROLES: 'web',
    DATABASE_URL: url,
    SESSION_SECRET: 'a secret of the benchmark',
    MAX_SOCKETS_PER_SESSION: String(SOCKETS),
  };
  const product = await startProduct({ env });
  opened.defer(() => product.stop());
  const client = new Child(new URL('./session/load.ts', import.meta.url));
  opened.defer(() => client.stop());
  return { product, client };
}

/** The sizes alternate in every round, and so does their order. */
async function listRows(chains: readonly Chain[]): Promise<BenchRow[]> {
  const rates = new Map(SIZES.map((size) => [size, [] as number[]]));
  for (let round = -1; round < ROUNDS; round += 1)
    for (const size of round % 2 === 0 ? SIZES : SIZES.toReversed()) {
      const rate = await listsPerSecond(chains.slice(0, size));
      // The first round warms up.
      if (round >= 0) rates.get(size)?.push(rate);
    }
  const one = rates.get(1) ?? [];
  return SIZES.slice(1).map((size) => scalingRow(size, rates.get(size) ?? [], one));
}

async function listsPerSecond(chains: readonly Chain[]): Promise<number> {
  const done = await Promise.all(
    chains.map(({ product: { port, cookie }, client }) =>
      client.ask<LoadDone>({ port, path: PATH, cookie, connections: 1, milliseconds: MILLISECONDS } satisfies Load),
    ),
  );
  return done.reduce((sum, { requests, milliseconds }) => sum + (requests / milliseconds) * 1_000, 0);
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

async function messageRow([first, second]: readonly Chain[], database: pg.Pool): Promise<BenchRow> {
  if (!first || !second) throw new Error('Two web processes are needed.');
  const listeners = [new Child(LISTENERS), new Child(LISTENERS)];
  try {
    for (const [index, { product }] of [first, second].entries()) {
      const { address: origin, port, cookie } = product;
      await listeners[index]?.ask({ port, origin, cookie, path: '/ws', sockets: SOCKETS / 2 });
    }
    const delays: number[] = [];
    for (let round = -1; round < MESSAGES; round += 1) {
      const start = process.hrtime.bigint();
      const deliveries = listeners.map((listener) => listener.ask<DeliveredMessages>({ expect: true }));
      await database.query(ANNOUNCE);
      const arrivals = (await Promise.all(deliveries)).flatMap((delivered) => delivered.arrivals);
      // The first message warms up.
      if (round >= 0) delays.push(...arrivals.map((at) => Number(BigInt(at) - start) / 1e6));
    }
    return limitRow({
      name: `${MESSAGES} messages to ${SOCKETS.toLocaleString('en-US')} sockets of 2 processes, 99th percentile`,
      ours: percentile(delays, 0.99),
      limit: LIMIT_MS,
      unit: 'ms',
    });
  } finally {
    await Promise.all(listeners.map((listener) => listener.stop()));
  }
}

if (import.meta.main) printRows(await run());
