import { randomUUID } from 'node:crypto';
import type { Funnel } from '#contracts/funnels.ts';
import { AppError } from '#server/app-error.ts';
import type { Executor } from '#server/db/database.ts';
import type { Funnels } from '#server/features/funnels/funnels.service.ts';
import type { Logs } from '#server/features/logs/logs.service.ts';
import type { JobContext } from '#server/jobs/job.ts';
import { announce } from '#server/live/bus.ts';
import type { InterviewSource } from '#server/ports/interview-source.ts';
import type { Log } from '#server/ports/log.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { deleteAnnounced } from './announced.repo.ts';
import { announcedSource } from './announced-source.ts';
import { type DownloadDeps, FileDownloads } from './file-downloads.ts';
import { type ReadDeps, readPages, readUnready } from './read-pages.ts';
import { SearchLimits } from './search-limits.ts';
import { endEntry, endMessage } from './sync-log.ts';
import { deleteRecords, findCommonFailure, listRecords } from './sync-records.repo.ts';
import {
  type ClaimedRun,
  claimSyncRun,
  findSyncRun,
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
  /** Called first in the transaction that ends a run, before it locks a row. */
  beforeEnd(tx: Executor, funnelId: number): Promise<void>;
  /** Called in the transaction that ends a run. */
  onEnded(tx: Executor, end: EndedRun): Promise<void>;
  /** Starts the next refresh of a queue. Returns false when there is none. */
  startQueued(tx: Executor): Promise<boolean>;
}

export interface EndedRun {
  run: RunRow;
  funnel: Funnel;
  /**
   * True when another attempt would fail too: the service refused the funnel's key or id, or its
   * answers end the process.
   */
  isRefused: boolean;
}

const UNEXPECTED = 'The refresh stopped unexpectedly. What it synced was saved; start it again to continue.';
const ENDS_PROCESS =
  "The refresh was stopped because the server ended twice while it ran. What it synced was saved. Ask an admin to check the server's log.";
/** A page that ends one process would end every further one. */
const MAX_LOST_ATTEMPTS = 2;
/** Interviews in each list of a log entry. */
const MAX_LISTED = 500;

/** Performs refresh runs. */
export class SyncWorker {
  readonly #deps: SyncWorkerDeps;
  /** One id per process: an earlier attempt of this process has not ended with its process. */
  readonly #id = randomUUID();
  readonly #limits = new SearchLimits();
  /** Cancels the runs of this process, by their id. */
  readonly #current = new Map<string, AbortController>();

  constructor(deps: SyncWorkerDeps) {
    this.#deps = deps;
    // Every process receives the announcements of every run, some of them late.
    deps.onCancel((runId) => this.#current.get(runId)?.abort(new Error('Canceled')));
  }

  /**
   * Continues a run after its last written page. Throws when the job should be retried; the last
   * attempt ends the run.
   */
  async continueRun(runId: string, { signal, isLastAttempt }: JobContext): Promise<void> {
    const { db, log } = this.#deps;
    // Listen before the run is read: a cancellation is then either in the row or announced.
    const canceling = new AbortController();
    this.#current.set(runId, canceling);
    const run = await this.#claimRun(runId);
    if (!run) return;
    try {
      await this.#refresh(run, signal, canceling);
    } catch (error) {
      const isLost = error instanceof RunLost || (await findSyncRun(db, runId))?.finished_at !== null;
      if (isLost) return;
      // These carry a message for users, and another attempt would end the same way.
      if (error instanceof UpstreamError || error instanceof AppError) {
        log.warn({ err: error, runId }, 'refresh failed');
        await this.failRun(runId, error.message, isRefusal(error));
      } else {
        if (isLastAttempt && !signal.aborted) await this.failRun(runId, UNEXPECTED);
        await releaseSyncRun(db, run);
        throw error;
      }
    } finally {
      if (this.#current.get(runId) === canceling) this.#current.delete(runId);
    }
  }

  /** Returns undefined when the run has ended, and fails a run that has ended several processes. */
  async #claimRun(runId: string): Promise<ClaimedRun | undefined> {
    const run = await claimSyncRun(this.#deps.db, runId, this.#id);
    if (!run || run.lost_attempts < MAX_LOST_ATTEMPTS) return run;
    await this.failRun(runId, ENDS_PROCESS, true);
    return undefined;
  }

  /** Does nothing when the run has ended. */
  async failRun(runId: string, error: string, isRefused = false): Promise<void> {
    const fail = (tx: Executor) => updateSyncRunEnd(tx, runId, { status: 'failed', error, message: null });
    await this.#end(runId, { message: 'refresh-error', isRefused }, fail);
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
      const onPage = () => downloads.onPageWritten();
      const input = { run, access, signal: stopping, canceled: canceling.signal, onPage };
      const deps = { ...this.#deps, source: this.#sourceOf(run) };
      const isComplete =
        run.cancel_requested_at === null &&
        (run.cause === 'event' || (await readUnready(deps, input))) &&
        (await readPages(deps, input));
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

  /**
   * Returns a source with a single page of the announced interviews, or the list of the service.
   */
  #sourceOf(run: ClaimedRun): InterviewSource {
    const readsSingly = run.cause === 'event' && run.timeframe !== 'all';
    return readsSingly ? announcedSource({ ...this.#deps, limits: this.#limits }, run) : this.#deps.source;
  }

  async #completeRun(runId: string): Promise<void> {
    await this.#end(runId, { message: 'refresh-completed', isRefused: false }, async (tx) => {
      const run = await lockSyncRun(tx, runId);
      if (!run) return undefined;
      const message = endMessage(run, await findCommonFailure(tx, runId));
      const { funnel_id: funnelId, announced_up_to: upTo, cancel_requested_at: canceledAt } = run;
      if (upTo !== null && canceledAt === null) await deleteAnnounced(tx, funnelId, upTo);
      return updateSyncRunEnd(tx, runId, { status: 'completed', message, error: null });
    });
  }

  /** Ends the run, writes its log entry and announces the end in one transaction. */
  async #end(
    runId: string,
    { message, isRefused }: { message: 'refresh-completed' | 'refresh-error'; isRefused: boolean },
    endRun: (tx: Executor) => Promise<RunRow | undefined>,
  ): Promise<void> {
    const { db, funnels, logs } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const before = await findSyncRun(tx, runId);
      if (before) await this.#deps.beforeEnd(tx, before.funnel_id);
      const run = await endRun(tx);
      if (!run) return;
      const funnel = await funnels.find(tx, run.funnel_id);
      if (funnel) await logs.write(tx, endEntry(run, funnel, await listRecords(tx, run.id, MAX_LISTED)));
      await deleteRecords(tx, run.id);
      if (funnel) await this.#deps.onEnded(tx, { run, funnel, isRefused });
      // Browsers show the progress of users' runs. After other runs they reload their lists.
      if (run.cause === 'user') {
        const continues = await this.#deps.startQueued(tx);
        await announce(tx, 'sync', continues ? 'refresh-progress' : message);
      } else await announce(tx, 'funnels', String(run.funnel_id));
    });
  }
}

/** True when every attempt fails until the funnel or the configuration changes. */
const isRefusal = (error: UpstreamError | AppError): boolean =>
  error instanceof AppError || error.kind === 'unauthorised' || error.kind === 'not_found';
