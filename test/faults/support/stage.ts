import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { activateFunnel, createFunnel } from '#contracts/funnels.ts';
import { getSyncStatus, startSync, type Timeframe } from '#contracts/sync.ts';
import { seededRandom } from '#sandbox/random.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import { connectionStringOf, readAccess } from '#server/db/embedded/access.ts';
import { surroundings } from '#support/process-surroundings.ts';
import { type ProductProcess, startProcess } from '#support/start-process.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';
import { findProblems, localFiles, UNDER_WAY } from './invariants.ts';

/**
 * The setting of a scenario: a sandbox of outside services, a data folder, and the product, which
 * may be started in it several times.
 */
export interface Stage {
  sandbox: Sandbox;
  env: Record<string, string> & { DATA_DIR: string };
  start(options?: Parameters<typeof startProcess>[1]): Promise<ProductProcess>;
  /** Queries the product's database over a new connection. */
  ask<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  databaseUrl(): Promise<string>;
  /** Waits until no work is left. */
  settled(limitMs?: number): Promise<void>;
  /** Fails when an idle product violates an invariant. */
  expectConsistent(): Promise<void>;
}

export async function setStage(env: Record<string, string> = {}): Promise<Stage> {
  const sandbox = await startSandbox();
  // The video host processes without delay.
  sandbox.control.fail({ kind: 'processing-takes', polls: 0 });
  const all = { ...(await surroundings(sandbox)), ...env };
  const databaseUrl = async () => {
    const access = await readAccess(all.DATA_DIR);
    return all.DATABASE_OWNER_URL ?? all.DATABASE_URL ?? (access ? connectionStringOf(access) : '');
  };
  const ask: Stage['ask'] = async (sql, values) => {
    const client = new pg.Client({ connectionString: await databaseUrl() });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(sql, values)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    sandbox,
    env: all,
    databaseUrl,
    ask,
    start: (options) => startProcess(all, options),
    settled: (limitMs = 60_000) => until('nothing is under way', () => isQuiet(ask), limitMs).then(() => undefined),
    async expectConsistent() {
      const wrong = await findProblems({ ask, listFiles: localFiles(all.DATA_DIR), sandbox });
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
    },
  };
}

async function isQuiet(ask: Stage['ask']): Promise<boolean> {
  // The database may be unavailable or restarting.
  const rows = await ask<{ n: string }>(UNDER_WAY).catch(() => []);
  if (Number(rows[0]?.n) === 0) return true;
  await pause(100);
  return false;
}

/** Creates one of the sandbox's funnels and activates it. Returns its id in the product. */
export async function activateFunnelOf(product: ProductProcess, sandbox: Sandbox, funnelId: string): Promise<number> {
  const form = sandbox.funnels.find((funnel) => funnel.funnelId === funnelId);
  if (!form) throw new Error(`The sandbox has no funnel ${funnelId}`);
  const { id } = await product.call(createFunnel, { body: form });
  await product.call(activateFunnel, { params: { id } });
  return id;
}

/** Runs a refresh and resolves with its final status. */
export async function refresh(product: ProductProcess, timeframe: Timeframe = 'all', limitMs = 60_000) {
  await product.call(startSync, { query: { timeframe } });
  return refreshEnded(product, limitMs);
}

export const refreshEnded = (product: ProductProcess, limitMs = 60_000) =>
  until(
    'the refresh ends',
    async () => {
      const status = await product.call(getSyncStatus, {});
      if (!status.inProgress) return status;
      await pause(100);
      return null;
    },
    limitMs,
  );

/** Runs a cleanup at the end of the test, newest first. */
export const onTestEnd = (undo: () => Promise<unknown> | unknown) => onTestFinished(async () => void (await undo()));

/** Opens a TCP connection to the product, for arbitrary bytes. */
export async function rawClient(origin: string): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.on('error', () => {});
  // Reads incoming data, so that it notices the end. A slow client calls `pause`.
  socket.resume();
  onTestEnd(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/**
 * The seed of all random moments of a run. It is printed at the start; pass it with `--seed` to
 * repeat the run.
 */
export const SEED = Number(process.env.FAULT_SEED ?? 1);

/** Returns a generator of numbers from 0 to 1, determined by the seed and the name. */
export function chance(name: string): () => number {
  let mixed = SEED >>> 0;
  for (const letter of name) mixed = Math.imul(mixed ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return seededRandom(mixed);
}
