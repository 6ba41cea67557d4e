import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '#contracts/endpoint.ts';
import type { FunnelSource } from '#contracts/sources.ts';
import type { RefreshStatus, startSync, Timeframe } from '#contracts/sync.ts';
import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Funnels } from '#server/features/funnels/funnels.service.ts';
import type { Logs } from '#server/features/logs/logs.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { announce } from '#server/live/bus.ts';
import { SYNC_RUN, syncRunJob } from './sync.jobs.ts';
import { viewStatus } from './sync.view.ts';
import { cancelEntry, startEntry } from './sync-log.ts';
import {
  findLatestRun,
  findRunningRun,
  hasCompletedRun,
  insertSyncRun,
  type RunRow,
  updateCancelRequested,
  updateErrorsDismissed,
} from './sync-runs.repo.ts';
import type { SyncWorker } from './sync-worker.ts';

export { redactRecords } from './sync-records.repo.ts';
export { redactProgress } from './sync-runs.repo.ts';

export interface SyncDeps {
  db: Database;
  funnels: Funnels;
  logs: Logs;
  queue: JobQueue;
  worker: SyncWorker;
  /** The sources that are configured. */
  sources: readonly FunnelSource[];
}

/** Longer than a page takes. A worker that still runs afterwards finds its run deleted. */
const STOP_TIMEOUT_MS = 5_000;
const STOP_POLL_MS = 50;
const INTERRUPTED = 'The refresh was interrupted. What it synced was saved; start it again to continue.';
const NOT_CONFIGURED = "Syncing isn't set up yet. Ask an admin to set INTERVIEW_SERVICE_URL and restart the server.";

/** Refreshes of the active funnel, one at a time in the whole installation. */
export class Sync {
  readonly #deps: SyncDeps;
  readonly job;

  constructor(deps: SyncDeps) {
    this.#deps = deps;
    this.job = syncRunJob((runId, context) => deps.worker.continueRun(runId, context));
  }

  /** @throws AppError no_active_funnel, not_configured, sync_running */
  async startRefresh(timeframe: Timeframe): Promise<Answer<typeof startSync>> {
    const { db, funnels, logs, queue, sources } = this.#deps;
    return db.transaction().execute(async (tx) => {
      const funnel = await funnels.lockActive(tx);
      if (!funnel) throw new AppError('no_active_funnel', 'Configure an active funnel first');
      if (!sources.includes(funnel.source)) throw new AppError('not_configured', NOT_CONFIGURED);
      const run = await insertSyncRun(tx, funnel.id, timeframe);
      if (!run) throw new AppError('sync_running', 'A refresh operation is already in progress');
      // Otherwise an older error would reappear when the newer runs are deleted with their funnel.
      await updateErrorsDismissed(tx);
      await queue.enqueue(tx, SYNC_RUN, { runId: run.id });
      await logs.write(tx, startEntry(funnel, timeframe));
      await announce(tx, 'sync', 'refresh-status');
      return { message: `Syncing ${funnel.name}. New interviews appear as they arrive.`, status: viewStatus(run) };
    });
  }

  async status(): Promise<RefreshStatus> {
    return viewStatus(await findLatestRun(this.#deps.db));
  }

  /** True once a refresh of a funnel that still exists has completed. */
  hasRefreshed(): Promise<boolean> {
    return hasCompletedRun(this.#deps.db);
  }

  /** @throws AppError conflict when no refresh is in progress */
  async cancelRefresh(): Promise<{ message: string }> {
    const { db, funnels, logs } = this.#deps;
    return db.transaction().execute(async (tx) => {
      const run = await this.#requestCancel(tx);
      if (!run) throw new AppError('conflict', 'No refresh is in progress.');
      await logs.write(tx, cancelEntry(await funnels.find(tx, run.funnel_id)));
      await announce(tx, 'sync', 'refresh-status');
      return { message: 'The refresh operation will stop after the current batch completes.' };
    });
  }

  async dismissError(): Promise<RefreshStatus> {
    await this.#deps.db.transaction().execute(async (tx) => {
      await updateErrorsDismissed(tx);
      await announce(tx, 'sync', 'refresh-status');
    });
    return this.status();
  }

  /** Fails a run whose job no longer exists: the retries were used up, or the queue was emptied. */
  async endAbandoned(): Promise<void> {
    const run = await findRunningRun(this.#deps.db);
    if (run && !(await this.#deps.queue.hasOpenJob(SYNC_RUN, { runId: run.id })))
      await this.#deps.worker.failRun(run.id, INTERRUPTED);
  }

  /** Cancels a refresh of this funnel and waits until it has stopped, at most `STOP_TIMEOUT_MS`. */
  async stopForFunnel(funnelId: number): Promise<void> {
    const { db } = this.#deps;
    const run = await db.transaction().execute((tx) => this.#requestCancel(tx, funnelId));
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    while (run && Date.now() < deadline && (await findRunningRun(db))?.id === run.id) await sleep(STOP_POLL_MS);
  }

  async #requestCancel(tx: Executor, funnelId?: number): Promise<RunRow | undefined> {
    const run = await updateCancelRequested(tx, funnelId);
    if (run) await announce(tx, 'sync-cancel', run.id);
    return run;
  }
}
