import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { RefreshStatus } from '#contracts/sync.ts';
import type { DB } from '#server/db/tables.ts';
import { type BenchProduct, startProduct } from '../product.ts';
import type { FunnelAccess, SandboxProcess } from './sandbox-process.ts';

/** How often the end of a refresh is looked for: finer than what is measured, and little work for the product. */
const LOOK_EVERY_MS = 10;

/** A product whose active funnel is one of the sandbox's. */
export interface RefreshProduct extends BenchProduct {
  /** Refreshes everything. Resolves with the milliseconds from the click until the product says that it is done. */
  refresh(): Promise<number>;
  /** Removes the interviews, their files and what is known of earlier refreshes; the next refresh starts from nothing. */
  empty(): Promise<void>;
  /** Differs whenever in between any row was written of what a refresh brings or writes down of a change. */
  versions(): Promise<string>;
}

export async function startRefreshProduct(sandbox: SandboxProcess, funnel: FunnelAccess): Promise<RefreshProduct> {
  const product = await startProduct({ env: { INTERVIEW_SERVICE_URL: sandbox.interviewServiceUrl } });
  const { name, funnelId, apiKey } = funnel;
  const { id } = await product.call<{ id: number }>('POST', '/api/funnels', { name, funnelId, apiKey });
  await product.call('POST', `/api/funnels/${id}/activate`);
  const database = new pg.Client({ connectionString: product.databaseUrl });
  await database.connect();
  return {
    ...product,
    refresh: () => refresh(product),
    async empty() {
      await database.query('DELETE FROM sync_run');
      await database.query('DELETE FROM interview');
      await database.query('VACUUM');
      // A file that is there already is not fetched again.
      await rm(join(product.dataDir, 'files'), { recursive: true, force: true });
    },
    async versions() {
      const { rows } = await database.query<{ versions: string }>(VERSIONS);
      return rows[0]?.versions ?? '';
    },
    async stop() {
      await database.end();
      await product.stop();
    },
  };
}

/** What a refresh may write besides the run itself and its log entry. */
const TABLES = [
  'interview',
  'interview_text',
  'listing',
  'listing_count',
  'listing_day',
  'listing_state',
  'sync_change',
  'sync_file',
  'sync_skip',
] as const satisfies (keyof DB)[];

/** `xmin` names the transaction that wrote a row's present version, and `ctid` its place (PostgreSQL manual, System Columns). */
const VERSIONS = `SELECT md5(string_agg(name || place || ' ' || version, ',' ORDER BY name, place)) AS versions
  FROM (${TABLES.map((name) => `SELECT '${name}' AS name, ctid AS place, xmin AS version FROM ${name}`).join(' UNION ALL ')}) AS rows`;

async function refresh(product: BenchProduct): Promise<number> {
  const start = performance.now();
  await product.call('GET', '/api/interviews/sync?timeframe=all');
  for (;;) {
    const status = await product.call<RefreshStatus>('GET', '/api/interviews/sync/status');
    if (status.error) throw new Error(`The refresh failed: ${status.error}`);
    if (!status.inProgress) return performance.now() - start;
    await sleep(LOOK_EVERY_MS);
  }
}
