import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Executor } from '../../db/database.ts';
import { announce } from '../../live/bus.ts';
import { UpstreamError } from '../../ports/upstream-error.ts';
import type { Funnels } from '../funnels/funnels.service.ts';
import type { Logs } from '../logs/logs.service.ts';
import { type DownloadDependencies, FileDownloads } from './file-downloads.ts';
import { type ReadDependencies, readPages } from './read-pages.ts';
import { RunLost } from './run-lost.ts';
import type { RunRow } from './sync.view.ts';
import { endMessage, refreshLogEntry } from './sync-log.ts';
import { clearRecords, commonFailure } from './sync-records.repo.ts';
import { claimRun, endRun, runningRun } from './sync-runs.repo.ts';

export interface WorkerDependencies extends DownloadDependencies, ReadDependencies {
  funnels: Funnels;
  logs: Logs;
  log: FastifyBaseLogger;
  /** Calls back with the id of a run that somebody asks to cancel. */
  onCancel(listener: (runId: string) => void): void;
}

const UNEXPECTED =
  'The refresh stopped because of an unexpected problem. Please start it again; what it saved is kept.';

/** Works on runs, one at a time. */
export class SyncWorker {
  readonly #on: WorkerDependencies;
  #current: { runId: string; cancel: AbortController } | null = null;

  constructor(dependencies: WorkerDependencies) {
    this.#on = dependencies;
    // The news of an earlier run may be heard late, and every process hears of every run.
    dependencies.onCancel((runId) => {
      if (runId === this.#current?.runId) this.#current.cancel.abort(new Error('Cancelled'));
    });
  }

  /** Goes on with a run from its last finished page. Throws when another try may help, after ending the run if none follows. */
  async work(runId: string, signal: AbortSignal, lastAttempt: boolean): Promise<void> {
    const worker = randomUUID();
    // Before the run is read: a cancellation is then either in what is read, or heard.
    const cancel = new AbortController();
    const current = { runId, cancel };
    this.#current = current;
    const run = await claimRun(this.#on.db, runId, worker);
    // Ended, or deleted with its funnel: nothing is left to do.
    if (!run) return;
    try {
      await this.#workOn({ ...run, worker }, signal, cancel);
    } catch (error) {
      if (error instanceof RunLost || (await this.#isGone(runId))) return;
      // Both carry a text that a person can act on; trying again would end the same way.
      if (error instanceof UpstreamError || error instanceof AppError) {
        this.#on.log.warn({ err: error, runId }, 'refresh failed');
        await this.fail(runId, error.message);
      } else {
        if (lastAttempt && !signal.aborted) await this.fail(runId, UNEXPECTED);
        throw error;
      }
    } finally {
      if (this.#current === current) this.#current = null;
    }
  }

  /** Ends a run as failed, if it still runs. */
  async fail(runId: string, text: string): Promise<void> {
    await this.#end(runId, 'refresh-error', (tx) =>
      endRun(tx, runId, { status: 'failed', error: text, message: null }),
    );
  }

  async #workOn(run: RunRow & { worker: string }, stopping: AbortSignal, cancel: AbortController): Promise<void> {
    const access = await this.#on.funnels.access(run.funnel_id);
    if (!access) throw new RunLost();
    const downloads = new FileDownloads(
      this.#on,
      { id: run.id, worker: run.worker, access, cancel: () => cancel.abort(new Error('Cancelled')) },
      AbortSignal.any([stopping, cancel.signal]),
    );
    const drained = downloads.drain();
    drained.catch(() => {});
    try {
      const finished = await readPages(this.#on, {
        run,
        access,
        signal: stopping,
        cancelled: cancel.signal,
        onPage: () => downloads.pageWritten(),
      });
      if (!finished) cancel.abort(new Error('Cancelled'));
      downloads.allPagesWritten();
      await drained;
      stopping.throwIfAborted();
      await this.#complete(run.id);
    } catch (error) {
      // Let go of the files before anybody else takes the run up.
      cancel.abort(error);
      await drained.catch(() => {});
      throw error;
    }
  }

  async #complete(runId: string): Promise<void> {
    await this.#end(runId, 'refresh-completed', async (tx) => {
      const run = await tx.selectFrom('sync_run').selectAll().where('id', '=', runId).forUpdate().executeTakeFirst();
      if (!run) return undefined;
      const message = endMessage(run, await commonFailure(tx, runId));
      return endRun(tx, runId, { status: 'completed', message, error: null });
    });
  }

  /** The end, its log entry and the live message are one transaction. */
  async #end(
    runId: string,
    message: 'refresh-completed' | 'refresh-error',
    end: (tx: Executor) => Promise<RunRow | undefined>,
  ): Promise<void> {
    const { db, funnels, logs } = this.#on;
    await db.transaction().execute(async (tx) => {
      const run = await end(tx);
      if (!run) return;
      const funnel = await funnels.find(tx, run.funnel_id);
      if (funnel) await logs.write(tx, await refreshLogEntry(tx, run, funnel));
      await clearRecords(tx, runId);
      await announce(tx, 'sync', message);
    });
  }

  async #isGone(runId: string): Promise<boolean> {
    return (await runningRun(this.#on.db))?.id !== runId;
  }
}
