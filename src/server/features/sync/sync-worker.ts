import { z } from 'zod';
import { AppError } from '#server/app-error.ts';
import type { Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { Funnels } from '#server/features/funnels/funnels.service.ts';
import type { InterviewSource } from '#server/ports/interview-source.ts';
import type { Log } from '#server/ports/log.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { type ReleaseColumns, RunLost } from '#server/runs/run.ts';
import type { Runs } from '#server/runs/runs.ts';
import { deleteAnnounced } from './announced.repo.ts';
import { announcedSource } from './announced-source.ts';
import { type DownloadDeps, FileDownloads } from './file-downloads.ts';
import { type ReadDeps, readPages, readUnready } from './read-pages.ts';
import { SearchLimits } from './search-limits.ts';
import { viewEndedRun } from './sync.view.ts';
import { endMessage } from './sync-log.ts';
import { deleteRecords, findCommonFailure, listRecords } from './sync-records.repo.ts';
import type { ClaimedSyncRun, RunCause, RunRow } from './sync-runs.repo.ts';
import * as runsRepo from './sync-runs.repo.ts';

export interface SyncWorkerDeps extends DownloadDeps, ReadDeps {
  funnels: Funnels;
  events: Events;
  log: Log;
  runs: Runs;
  /** Calls the listener with the id of each run whose cancellation is requested. */
  onCancel(listener: (runId: string) => void): void;
}

const RUN = {
  payload: z.object({ runId: z.uuid() }),
  /** For failures that the source does not cause: an unavailable database, a killed worker. */
  retries: 8,
  /** A page that ends one process would end every further one. */
  maxLostAttempts: 2,
};

export const SYNC_RUN = { ...RUN, name: 'sync.run', concurrency: 1 } as const;

/**
 * Automatic runs have separate workers, so that a user's run never waits for them. Further runs
 * than these of a process wait.
 */
export const AUTOMATIC_RUN = { ...RUN, name: 'sync.automatic', concurrency: 2 } as const;

const ERRORS = {
  unexpected: 'The refresh stopped unexpectedly. What it synced was saved; start it again to continue.',
  interrupted: 'The refresh was interrupted. What it synced was saved; start it again to continue.',
  endsProcess:
    "The refresh was stopped because the server ended twice while it ran. What it synced was saved. Ask an admin to check the server's log.",
};
/** Interviews in each list of a log entry. */
const MAX_LISTED = 500;

/** A run that a cancellation interrupts immediately. */
type CancelableRun = ClaimedSyncRun & { canceling: AbortController };

/** Performs refresh runs. A run continues after its last written page. */
export class SyncWorker {
  readonly #deps: SyncWorkerDeps;
  readonly #limits = new SearchLimits();
  /** Cancels the runs of this process, by their id. */
  readonly #current = new Map<string, AbortController>();
  readonly jobs;

  constructor(deps: SyncWorkerDeps) {
    this.#deps = deps;
    // Every process receives the announcements of every run, some of them late.
    deps.onCancel((runId) => this.#current.get(runId)?.abort(new Error('Canceled')));
    const define = (type: typeof SYNC_RUN | typeof AUTOMATIC_RUN, causes: readonly RunCause[]) =>
      deps.runs.define({
        ...type,
        open: runsRepo.openSyncRuns(causes),
        errors: ERRORS,
        claim: ({ runId }, { process }) => this.#claim(runId, process),
        perform: (run, signal) => this.#refresh(run, signal),
        settle: (run, error) => this.#settle(run, error),
        // A refresh that ends its process would do so again.
        fail: ({ id }, error) => this.#failRun(id, error, error === ERRORS.endsProcess),
        release: (run, columns) => this.#release(run, columns),
      });
    this.jobs = [define(SYNC_RUN, ['user']), define(AUTOMATIC_RUN, ['schedule', 'event'])];
  }

  async #claim(runId: string, process: string): Promise<CancelableRun | undefined> {
    // Listen before the run is read: a cancellation is then either in the row or announced.
    const canceling = new AbortController();
    this.#current.set(runId, canceling);
    const run = await runsRepo.claimSyncRun(this.#deps.db, runId, process);
    if (!run) this.#current.delete(runId);
    return run && { ...run, canceling };
  }

  async #release(run: CancelableRun, columns: ReleaseColumns): Promise<void> {
    if (this.#current.get(run.id) === run.canceling) this.#current.delete(run.id);
    await runsRepo.releaseSyncRun(this.#deps.db, run, columns);
  }

  /** Errors with a message for users end the run: another attempt would end the same way. */
  async #settle({ id: runId }: RunRow, error: unknown): Promise<boolean> {
    const { db, log } = this.#deps;
    // Errors that follow the end of the run, such as the deletion of its funnel.
    if ((await runsRepo.findSyncRun(db, runId))?.finished_at !== null) return true;
    if (!(error instanceof UpstreamError || error instanceof AppError)) return false;
    log.warn({ err: error, runId }, 'refresh failed');
    await this.#failRun(runId, error.message, isRefusal(error));
    return true;
  }

  /** Does nothing when the run has ended. */
  async #failRun(runId: string, error: string, isRefused: boolean): Promise<void> {
    const fail = (tx: Executor) => runsRepo.updateSyncRunEnd(tx, runId, { status: 'failed', error, message: null });
    await this.#end(runId, isRefused, fail);
  }

  async #refresh(run: CancelableRun, stopping: AbortSignal): Promise<void> {
    const access = await this.#deps.funnels.findAccess(run.funnel_id);
    if (!access) throw new RunLost();
    const { canceling } = run;
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
  #sourceOf(run: ClaimedSyncRun): InterviewSource {
    const readsSingly = run.cause === 'event' && run.timeframe !== 'all';
    return readsSingly ? announcedSource({ ...this.#deps, limits: this.#limits }, run) : this.#deps.source;
  }

  async #completeRun(runId: string): Promise<void> {
    await this.#end(runId, false, async (tx) => {
      const run = await runsRepo.lockSyncRun(tx, runId);
      if (!run) return undefined;
      const message = endMessage(run, await findCommonFailure(tx, runId));
      const { funnel_id: funnelId, announced_up_to: upTo, cancel_requested_at: canceledAt } = run;
      if (upTo !== null && canceledAt === null) await deleteAnnounced(tx, funnelId, upTo);
      return runsRepo.updateSyncRunEnd(tx, runId, { status: 'completed', message, error: null });
    });
  }

  async #end(runId: string, isRefused: boolean, endRun: (tx: Executor) => Promise<RunRow | undefined>): Promise<void> {
    const { db, funnels, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const before = await runsRepo.findSyncRun(tx, runId);
      if (before) await events.record(tx, 'run.ending', { funnelId: before.funnel_id });
      const run = await endRun(tx);
      if (!run) return;
      const funnel = await funnels.find(tx, run.funnel_id);
      const records = await listRecords(tx, run.id, MAX_LISTED);
      await deleteRecords(tx, run.id);
      await events.record(tx, 'run.ended', { ...viewEndedRun(run, funnel), ...records, isRefused });
    });
  }
}

/** True when every attempt fails until the funnel or the configuration changes. */
const isRefusal = (error: UpstreamError | AppError): boolean =>
  error instanceof AppError || error.kind === 'unauthorised' || error.kind === 'not_found';
