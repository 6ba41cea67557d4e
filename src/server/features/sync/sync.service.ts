import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '#contracts/endpoint.ts';
import type { RefreshStatus, startSync, Timeframe } from '#contracts/sync.ts';
import { AppError } from '../../app-error.ts';
import type { Database } from '../../db/database.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import { announce } from '../../live/bus.ts';
import type { Funnels } from '../funnels/funnels.service.ts';
import type { Logs } from '../logs/logs.service.ts';
import { SYNC_RUN, syncRunJob } from './sync.jobs.ts';
import { viewStatus } from './sync.view.ts';
import { dismissError, insertRun, latestRun, requestCancel, runningRun } from './sync-runs.repo.ts';
import type { SyncWorker } from './sync-worker.ts';

export interface SyncDependencies {
  db: Database;
  funnels: Funnels;
  logs: Logs;
  queue: JobQueue;
  worker: SyncWorker;
  /** False when the installation names no interview service. */
  configured: boolean;
}

/** How long deleting a funnel waits for its refresh to stop. Longer than a batch takes; a worker that is still at it finds the run gone. */
const STOP_WAIT_MS = 5_000;
const INTERRUPTED = 'The refresh was interrupted and could not go on. Please start it again; what it saved is kept.';

/** Refreshes of the active funnel, one at a time in the whole installation. */
export class Sync {
  readonly #on: SyncDependencies;
  readonly job;

  constructor(dependencies: SyncDependencies) {
    this.#on = dependencies;
    this.job = syncRunJob((runId, signal, lastAttempt) => dependencies.worker.work(runId, signal, lastAttempt));
    dependencies.funnels.beforeDelete((funnelId) => this.#stop(funnelId));
  }

  /** @throws AppError no_active_funnel, not_configured, sync_running */
  async start(timeframe: Timeframe): Promise<Answer<typeof startSync>> {
    const { db, funnels, logs, queue, configured } = this.#on;
    return db.transaction().execute(async (tx) => {
      const funnel = await funnels.holdActive(tx);
      if (!funnel) throw new AppError('no_active_funnel', 'Configure an active funnel first');
      if (!configured)
        throw new AppError(
          'not_configured',
          'No interview service is configured. Set INTERVIEW_SERVICE_URL and start the server again.',
        );
      const run = await insertRun(tx, funnel.id, timeframe);
      if (!run) throw new AppError('sync_running', 'A refresh operation is already in progress');
      // Of any funnel: the text of an older failure must not come back when newer runs go with their funnel.
      await dismissError(tx);
      await queue.enqueue(tx, SYNC_RUN, { runId: run.id });
      await logs.write(tx, {
        type: 'refresh',
        action: 'start-refresh',
        status: 'info',
        summary: `${funnel.name}: a refresh was started (${timeframe}).`,
        metadata: { funnelId: funnel.id, timeframe },
      });
      await announce(tx, 'sync', 'refresh-status');
      return { message: 'The interviews are being refreshed.', status: viewStatus(run) };
    });
  }

  async status(): Promise<RefreshStatus> {
    return viewStatus(await latestRun(this.#on.db));
  }

  /** @throws AppError conflict when nothing runs */
  async cancel(): Promise<{ message: string }> {
    const { db, logs } = this.#on;
    return db.transaction().execute(async (tx) => {
      const run = await requestCancel(tx);
      if (!run) throw new AppError('conflict', 'No refresh is in progress.');
      await logs.write(tx, {
        type: 'refresh',
        action: 'cancel-refresh',
        status: 'info',
        summary: 'Somebody asked to cancel the refresh.',
      });
      await announce(tx, 'sync-cancel', run.id);
      await announce(tx, 'sync', 'refresh-status');
      return { message: 'The refresh operation will stop after the current batch completes.' };
    });
  }

  async dismissError(): Promise<RefreshStatus> {
    await this.#on.db.transaction().execute(async (tx) => {
      await dismissError(tx);
      await announce(tx, 'sync', 'refresh-status');
    });
    return this.status();
  }

  /** A run whose job is gone for good (it was given up, or the queue was emptied) must not say "in progress" for ever. */
  async endAbandoned(): Promise<void> {
    const run = await runningRun(this.#on.db);
    if (run && !(await this.#on.queue.holds(SYNC_RUN, { runId: run.id })))
      await this.#on.worker.fail(run.id, INTERRUPTED);
  }

  async #stop(funnelId: number): Promise<void> {
    const { db } = this.#on;
    const run = await db.transaction().execute(async (tx) => {
      const run = await requestCancel(tx, funnelId);
      if (run) await announce(tx, 'sync-cancel', run.id);
      return run;
    });
    const deadline = Date.now() + STOP_WAIT_MS;
    while (run && Date.now() < deadline && (await runningRun(db))?.id === run.id) await sleep(50);
  }
}
