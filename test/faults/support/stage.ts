import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { activateFunnel, createFunnel } from '#contracts/funnels.ts';
import { startSync, syncStatus, type Timeframe } from '#contracts/sync.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import { connectionStringOf, readAccess } from '#server/db/embedded/access.ts';
import { surroundings } from '#support/process-surroundings.ts';
import { type ProductProcess, startProcess } from '#support/start-process.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';
import { whatIsWrong } from './invariants.ts';

/** Where a scenario happens: a sandbox of the outside world, a folder, and the product that is started in it again and again. */
export interface Stage {
  sandbox: Sandbox;
  env: Record<string, string> & { DATA_DIR: string };
  start(options?: Parameters<typeof startProcess>[1]): Promise<ProductProcess>;
  /** Asks the product's database, over a connection of its own for each question. */
  ask<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  databaseUrl(): Promise<string>;
  /** Waits until nothing is under way any more. */
  settled(limitMs?: number): Promise<void>;
  /** Fails unless everything that holds of a quiet product holds. */
  expectWhole(): Promise<void>;
}

export async function setStage(env: Record<string, string> = {}): Promise<Stage> {
  const sandbox = await startSandbox();
  // Nobody has to wait for a video host that takes its time.
  sandbox.control.fail({ kind: 'processing-takes', polls: 0 });
  const all = { ...(await surroundings(sandbox)), ...env };
  const databaseUrl = async () => {
    const access = await readAccess(all.DATA_DIR);
    return env.DATABASE_URL ?? (access ? connectionStringOf(access) : '');
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
    async expectWhole() {
      const wrong = await whatIsWrong({ ask, dataDir: all.DATA_DIR, sandbox });
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
    },
  };
}

const UNDER_WAY = `
  SELECT (SELECT count(*) FROM sync_run WHERE status = 'running')
       + (SELECT count(*) FROM step_run)
       + (SELECT count(*) FROM pgboss.job WHERE state IN ('created', 'retry', 'active') AND name NOT LIKE '\\_\\_%') AS n`;

async function isQuiet(ask: Stage['ask']): Promise<boolean> {
  // The database itself may be away or coming back.
  const rows = await ask<{ n: string }>(UNDER_WAY).catch(() => []);
  if (Number(rows[0]?.n) === 0) return true;
  await pause(100);
  return false;
}

/** Makes one of the sandbox's funnels and sets it active; its id here. */
export async function activateFunnelOf(product: ProductProcess, sandbox: Sandbox, funnelId: string): Promise<number> {
  const form = sandbox.funnels.find((funnel) => funnel.funnelId === funnelId);
  if (!form) throw new Error(`The sandbox has no funnel ${funnelId}`);
  const { id } = await product.call(createFunnel, { body: form });
  await product.call(activateFunnel, { params: { id } });
  return id;
}

/** Refreshes and waits for the end; the status at the end. */
export async function refresh(product: ProductProcess, timeframe: Timeframe = 'all', limitMs = 60_000) {
  await product.call(startSync, { query: { timeframe } });
  return refreshEnded(product, limitMs);
}

export const refreshEnded = (product: ProductProcess, limitMs = 60_000) =>
  until(
    'the refresh ends',
    async () => {
      const status = await product.call(syncStatus, {});
      if (!status.inProgress) return status;
      await pause(100);
      return null;
    },
    limitMs,
  );

/** A folder of things to undo with the test, newest first. */
export const undone = (undo: () => Promise<unknown> | unknown) => onTestFinished(async () => void (await undo()));
