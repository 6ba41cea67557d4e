import { setInterval } from 'node:timers/promises';
import type pg from 'pg';
import { openClient } from './client.ts';

const INTERVAL_MS = 5_000;

export interface MigrationProgress {
  /** A second connection reads the progress of the migration. */
  connectionString: string;
  report(line: string): void;
  /** Default: 5 s. */
  intervalMs?: number;
}

interface RunningMigration {
  client: pg.ClientBase;
  name: string;
}

/** Reports a migration every few seconds while it runs: on a big table it takes minutes. */
export async function withProgress<T>(
  { client, name }: RunningMigration,
  progress: MigrationProgress | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!progress) return work();
  const { connectionString, report, intervalMs = INTERVAL_MS } = progress;
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const startedAt = performance.now();
  const seconds = () => `${Math.round((performance.now() - startedAt) / 1_000)} s`;
  const ended = new AbortController();
  const reporting = (async () => {
    for await (const _ of setInterval(intervalMs, undefined, { signal: ended.signal })) {
      // A failed look must not fail the migration.
      const activity = await describeActivity(connectionString, rows[0]?.pid ?? 0).catch(() => '');
      if (!ended.signal.aborted) report(`Migration ${name}: ${seconds()}${activity}`);
    }
  })();
  try {
    return await work();
  } finally {
    ended.abort();
    await reporting.catch(() => {});
    if (performance.now() - startedAt > intervalMs) report(`Migration ${name} ended after ${seconds()}.`);
  }
}

interface Activity {
  isWaiting: boolean;
  /** Null for a table that was never analyzed, such as a new one. */
  table: string | null;
  /** As of the last ANALYZE. */
  rows: number;
  phase: string | null;
  percent: number | null;
}

/** The progress of an index that is built, or the largest table that the transaction has locked. */
async function describeActivity(connectionString: string, pid: number): Promise<string> {
  await using client = await openClient(connectionString, 'migration');
  const found = await client.query<Activity>(ACTIVITY, [pid]);
  const [activity] = found.rows;
  if (!activity) return '';
  const { isWaiting, table, rows, phase, percent } = activity;
  if (isWaiting) return ', waits for a table in use';
  if (table === null) return '';
  const ofTable = `${table} (about ${rows.toLocaleString('en-US')} rows)`;
  return phase === null ? `, works on ${ofTable}` : `, ${phase}, ${ofTable}: ${Math.min(percent ?? 0, 100)} %`;
}

const ACTIVITY = `
  SELECT coalesce(activity.wait_event_type = 'Lock', false) AS "isWaiting", class.relname AS table,
    class.reltuples::float8 AS rows, build.phase,
    round(100.0 * CASE WHEN tuples_total > 0 THEN tuples_done / tuples_total::numeric
      ELSE blocks_done / nullif(blocks_total, 0)::numeric END)::int AS percent
  FROM pg_stat_activity AS activity
  LEFT JOIN pg_stat_progress_create_index AS build USING (pid)
  LEFT JOIN LATERAL (
    SELECT relname, reltuples FROM pg_class
    WHERE relkind = 'r' AND reltuples >= 0 AND oid = coalesce(build.relid, (
      SELECT relation FROM pg_locks JOIN pg_class AS locked ON locked.oid = relation
      WHERE pid = activity.pid AND granted AND mode <> 'AccessShareLock'
        AND locked.relkind = 'r' AND locked.relnamespace <> 'pg_catalog'::regnamespace
      ORDER BY locked.reltuples DESC LIMIT 1))
  ) AS class ON true
  WHERE activity.pid = $1`;
