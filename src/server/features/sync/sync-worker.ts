import { randomUUID } from 'node:crypto';
import { AppError } from '#server/app-error.ts';
import type { Executor } from '#server/db/database.ts';
import type { Funnels } from '#server/features/funnels/funnels.service.ts';
import type { Logs } from '#server/features/logs/logs.service.ts';
import type { JobContext } from '#server/jobs/job.ts';
import { announce } from '#server/live/bus.ts';
import type { Log } from '#server/ports/log.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { type DownloadDeps, FileDownloads } from './file-downloads.ts';
import { type ReadDeps, readPages } from './read-pages.ts';
import { endEntry, endMessage } from './sync-log.ts';
import { deleteRecords, findCommonFailure, listRecords } from './sync-records.repo.ts';
import {
  type ClaimedRun,
  claimSyncRun,
  findRunningRun,
  lockSyncRun,
  RunLost,
  type RunRow,
  releaseSyncRun,
  updateSyncRunEnd,
} from './sync-runs.repo.ts';

export interface SyncWorkerDeps extends DownloadDeps, ReadDeps {
  funnels: Funnels;
  logs: Logs;
  log: Log;
  /** Calls the listener with the id of each run whose cancellation is requested. */
  onCancel(listener: (runId: string) => void): void;
}

const UNEXPECTED = 'The refresh stopped unexpectedly. What it synced was saved; start it again to continue.';
const ENDS_PROCESS =
  "The refresh was stopped because the server ended twice while it ran. What it synced was saved. Ask an admin to check the server's log.";
/** A page that ends one process would end every further one. */
const MAX_LOST_ATTEMPTS = 2;
/** Interviews in each list of a log entry. */
const MAX_LISTED = 500;

/** Performs refresh runs, one at a time. */
export class SyncWorker {
  readonly #deps: SyncWorkerDeps;
  /** One id per process: an earlier attempt of this process has not ended with its process. */
  readonly #id = randomUUID();
  #current: { runId: string; cancel: AbortController } | null = null;

  constructor(deps: SyncWorkerDeps) {
    this.#deps = deps;
    // Every process receives the announcements of every run, some of them late.
    deps.onCancel((runId) => {
      if (runId === this.#current?.runId) this.#current.cancel.abort(new Error('Canceled'));
    });
  }

  /**
   * Continues a run after its last written page. Throws when the job should be retried; the last
   * attempt ends the run.
   */
  async continueRun(runId: string, { signal, isLastAttempt }: JobContext): Promise<void> {
    const { db, log } = this.#deps;
    // Listen before the run is read: a cancellation is then either in the row or announced.
    const current = { runId, cancel: new AbortController() };
    this.#current = current;
    const run = await this.#claimRun(runId);
    if (!run) return;
    try {
      await this.#refresh(run, signal, current.cancel);
    } catch (error) {
      const isLost = error instanceof RunLost || (await findRunningRun(db))?.id !== runId;
      if (isLost) return;
      // These carry a message for users, and another attempt would end the same way.
      if (error instanceof UpstreamError || error instanceof AppError) {
        log.warn({ err: error, runId }, 'refresh failed');
        await this.failRun(runId, error.message);
      } else {
        if (isLastAttempt && !signal.aborted) await this.failRun(runId, UNEXPECTED);
        await releaseSyncRun(db, run);
        throw error;
      }
    } finally {
      if (this.#current === current) this.#current = null;
    }
  }

  /** Undefined when the run has ended, also because it ended several processes. */
  async #claimRun(runId: string): Promise<ClaimedRun | undefined> {
    const run = await claimSyncRun(this.#deps.db, runId, this.#id);
    if (!run || run.lost_attempts < MAX_LOST_ATTEMPTS) return run;
    await this.failRun(runId, ENDS_PROCESS);
    return undefined;
  }

  /** Does nothing when the run has ended. */
  async failRun(runId: string, error: string): Promise<void> {
    await this.#end('refresh-error', (tx) => updateSyncRunEnd(tx, runId, { status: 'failed', error, message: null }));
  }

  async #refresh(run: ClaimedRun, stopping: AbortSignal, canceling: AbortController): Promise<void> {
    const access = await this.#deps.funnels.findAccess(run.funnel_id);
    if (!access) throw new RunLost();
    const cancel = () => canceling.abort(new Error('Canceled'));
    const signal = AbortSignal.any([stopping, canceling.signal]);
    const downloads = new FileDownloads(this.#deps, { id: run.id, worker: run.worker, access, cancel }, signal);
    const downloaded = downloads.downloadAll();
    // Awaited below; this only prevents an unhandled rejection.
    downloaded.catch(() => {});
    try {
      const isComplete = await readPages(this.#deps, {
        run,
        access,
        signal: stopping,
        canceled: canceling.signal,
        onPage: () => downloads.onPageWritten(),
      });
      if (!isComplete) cancel();
      downloads.onAllPagesWritten();
      await downloaded;
      stopping.throwIfAborted();
      await this.#completeRun(run.id);
    } catch (error) {
      // Release the files before another worker claims the run.
      canceling.abort(error);
      await downloaded.catch(() => {});
      throw error;
    }
  }

  async #completeRun(runId: string): Promise<void> {
    await this.#end('refresh-completed', async (tx) => {
      const run = await lockSyncRun(tx, runId);
      if (!run) return undefined;
      const message = endMessage(run, await findCommonFailure(tx, runId));
      return updateSyncRunEnd(tx, runId, { status: 'completed', message, error: null });
    });
  }

  /** Ends the run, writes its log entry and announces the end in one transaction. */
  async #end(
    message: 'refresh-completed' | 'refresh-error',
    endRun: (tx: Executor) => Promise<RunRow | undefined>,
  ): Promise<void> {
    const { db, funnels, logs } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const run = await endRun(tx);
      if (!run) return;
      const funnel = await funnels.find(tx, run.funnel_id);
      if (funnel) await logs.write(tx, endEntry(run, funnel, await listRecords(tx, run.id, MAX_LISTED)));
      await deleteRecords(tx, run.id);
      await announce(tx, 'sync', message);
    });
  }
}
