import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RefreshStatus } from '#contracts/sync.ts';
import type { DB } from '#server/db/tables.ts';
import type { Recruiter } from '#support/recruiter.ts';
import { openDatabase } from '../database.ts';
import { timed } from '../measure.ts';
import { startProduct } from '../product.ts';
import type { SandboxProcess } from './sandbox-process.ts';

/** Shorter than the measured differences, and rare enough to cost the product little work. */
const POLL_INTERVAL_MS = 10;

export type RefreshProduct = Awaited<ReturnType<typeof startRefreshProduct>>;

/** A product whose active funnel belongs to the sandbox. */
export async function startRefreshProduct(sandbox: SandboxProcess, env: Record<string, string> = {}) {
  await using started = new AsyncDisposableStack();
  const variables = { INTERVIEW_SERVICE_URL: sandbox.interviewServiceUrl, ...env };
  const product = started.use(await startProduct({ env: variables }));
  await product.admin.connect(sandbox.funnel);
  const database = started.use(await openDatabase(product.databaseUrl));
  const running = started.move();
  return {
    ...product,
    /**
     * Refreshes all interviews. Returns the milliseconds until the product reports the end, and the
     * number of downloaded files.
     */
    async refresh() {
      await sandbox.countFileRequests();
      const ms = await timed(() => refresh(product.admin));
      return { ms, files: await sandbox.countFileRequests() };
    },
    /**
     * Deletes the interviews, their files and all runs, so the next refresh starts from nothing.
     */
    async empty() {
      await database.query('DELETE FROM sync_run');
      await database.query('DELETE FROM interview');
      await database.query('VACUUM');
      // Existing files would not be downloaded again.
      await rm(join(product.dataDir, 'files'), { recursive: true, force: true });
    },
    /** Returns a fingerprint that changes when any row that a refresh may write was written. */
    async versions() {
      const { rows } = await database.query<{ versions: string }>(VERSIONS);
      return rows[0]?.versions ?? '';
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The tables that a refresh writes, except the run and its log entry. */
const TABLES = [
  'interview',
  'interview_segment',
  'interview_text',
  'listing',
  'listing_count',
  'listing_day',
  'listing_state',
  'sync_change',
  'sync_file',
  'sync_skip',
] as const satisfies (keyof DB)[];

/**
 * `xmin` is the transaction that wrote the current version of a row, `ctid` its location
 * (PostgreSQL manual, System Columns).
 */
const VERSIONS = `SELECT md5(string_agg(name || place || ' ' || version, ',' ORDER BY name, place)) AS versions
  FROM (${TABLES.map((name) => `SELECT '${name}' AS name, ctid AS place, xmin AS version FROM ${name}`).join(' UNION ALL ')}) AS rows`;

async function refresh(admin: Recruiter): Promise<void> {
  await admin.startRefresh();
  for (;;) {
    const status = await admin.call<RefreshStatus>('GET', '/api/interviews/sync/status');
    if (status.error) throw new Error(`The refresh failed: ${status.error}`);
    if (!status.inProgress) return;
    await sleep(POLL_INTERVAL_MS);
  }
}
