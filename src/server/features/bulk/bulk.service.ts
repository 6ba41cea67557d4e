import type { BulkAction, BulkReport, BulkRun, BulkTarget, checkBulkTarget, startBulkRun } from '#contracts/bulk.ts';
import type { HandlerInput, ResponseOf } from '#contracts/endpoint.ts';
import type { Actor } from '#contracts/logs.ts';
import { MAX_BULK_ITEMS } from '#contracts/rules/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Executor } from '#server/db/database.ts';
import type { Interviews } from '#server/features/interviews/interviews.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { currentActor, SYSTEM, visibleFunnels } from '#server/request-context.ts';
import { listReasons, listReportedItems, type ReportLimits, updateStepEnded } from './bulk-items.repo.ts';
import type { BulkRunRow, NewBulkItems, NewBulkRun } from './bulk-runs.repo.ts';
import * as runsRepo from './bulk-runs.repo.ts';
import { BATCH_SIZE, BulkWorker, type BulkWorkerDeps } from './bulk-worker.ts';

export interface BulkDeps extends BulkWorkerDeps {
  queue: JobQueue;
  interviews: Pick<Interviews, 'countWithDestination' | 'listIds' | 'keepVisible'> & BulkWorkerDeps['interviews'];
}

/** Runs that wait for their turn or run, in the whole installation. */
const MAX_UNDECIDED_RUNS = 20;
/** Ended runs that are kept for their reports: of users, and of automatic processing. */
const MAX_KEPT_RUNS = 50;
const MAX_REASONS = 50;
/** Interviews in a report and in a log entry. */
const MAX_LISTED = 500;
const DELETED = 'Deleted in the meantime.';

const notFound = () => new AppError('not_found', 'This bulk run no longer exists.');
const nothingToUndo = () => new AppError('conflict', 'There is nothing to undo.');

/** Actions that change interviews without a step. */
export const EDITS: ReadonlySet<string> = new Set<BulkAction>([
  'setDestination',
  'undoDestination',
  'archive',
  'unarchive',
]);

/** The event of the only transaction of the run contains its whole result. */
const isRecordedByItsBatch = (run: BulkRunRow): boolean =>
  EDITS.has(run.action) && run.done_count === run.total && run.total <= BATCH_SIZE;

/** Runs that apply one action to many interviews. */
export class Bulk {
  readonly #deps: BulkDeps;
  readonly job;

  constructor(deps: BulkDeps) {
    this.#deps = deps;
    const worker = new BulkWorker(deps, {
      endIfComplete: (tx, run) => this.#endIfComplete(tx, run),
      failRun: (runId, error) => this.#failRun(runId, error),
    });
    this.job = worker.job;
  }

  /**
   * `origin` is the URL of the product for links.
   * @throws AppError conflict, matches_changed, invalid_input when too many interviews match,
   * not_found when the run to undo does not exist
   */
  async startRun(input: HandlerInput<typeof startBulkRun>['body'], origin: string): Promise<BulkRun> {
    const { action, target } = input;
    return this.#deps.db.transaction().execute(async (tx) => {
      if ((await runsRepo.countUndecidedRuns(tx)) >= MAX_UNDECIDED_RUNS)
        throw new AppError('conflict', 'Too many bulk runs are waiting. Try again when one of them has ended.');
      const columns = {
        action,
        ...(await this.#destinationOf(tx, input)),
        // For links in notes.
        origin: action === 'sendToAts' ? origin : null,
        started_by: currentActor(),
      };
      const run = await this.#insert(tx, columns, {
        interviewIds: await this.#idsOf(tx, target),
        visibleFunnelIds: visibleFunnels(),
        undoneRunId: 'run' in target ? target.run : null,
      });
      await this.#deps.events.record(tx, 'bulk-run.started', { bulkRunId: run.id });
      return viewBulkRun(run);
    });
  }

  /** The interviews of a run before it starts. @throws AppError as `startRun` */
  async check(target: BulkTarget): Promise<ResponseOf<typeof checkBulkTarget>> {
    const { db, interviews } = this.#deps;
    const ids = await this.#idsOf(db, target);
    return { total: ids.length, withDestination: await interviews.countWithDestination(db, ids) };
  }

  /** For an undo: the destination that the undone run has set. @throws AppError conflict */
  async #destinationOf(
    tx: Executor,
    { action, target, destinationId, notes, existing }: HandlerInput<typeof startBulkRun>['body'],
  ): Promise<Partial<NewBulkRun>> {
    if (action === 'setDestination' && destinationId !== undefined)
      return { destination_id: destinationId, destination_notes: notes || null, keep_existing: existing === 'keep' };
    if (action !== 'undoDestination' || !('run' in target)) return {};
    const undone = await this.#findVisible(tx, target.run);
    if (undone.action !== 'setDestination' || undone.destination_id === null) throw nothingToUndo();
    return { destination_id: undone.destination_id };
  }

  /** Starts steps of interviews that a refresh adds, after the commit of its transaction. */
  async processAdded(
    tx: Executor,
    interviewIds: readonly string[],
    action: 'process' | 'transcribe' | 'summarize',
  ): Promise<void> {
    // The run belongs to the system, so no browser shows its end.
    await this.#insert(tx, { action, started_by: SYSTEM }, { interviewIds, visibleFunnelIds: null });
  }

  async #insert(tx: Executor, newRun: NewBulkRun, items: NewBulkItems): Promise<BulkRunRow> {
    const run = await runsRepo.insertBulkRun(tx, newRun, items);
    await runsRepo.deleteOldBulkRuns(tx, MAX_KEPT_RUNS);
    await this.#deps.queue.enqueue(tx, this.job, { runId: run.id });
    return run;
  }

  /** @throws AppError not_found */
  async report(id: number): Promise<BulkReport> {
    const { db } = this.#deps;
    const run = await this.#findVisible(db, id);
    return { ...viewBulkRun(run), ...(await this.#listOutcomes(db, run, visibleFunnels())) };
  }

  /** For live messages. Null when the run was deleted. */
  async findRun(id: number): Promise<BulkRun | null> {
    const run = await runsRepo.findBulkRun(this.#deps.db, id);
    return run ? viewBulkRun(run) : null;
  }

  /** @throws AppError not_found; conflict when the run has ended */
  async cancelRun(id: number): Promise<BulkRun> {
    const { db, queue, events } = this.#deps;
    await this.#findVisible(db, id);
    return db.transaction().execute(async (tx) => {
      const run = await runsRepo.updateCancelRequested(tx, id);
      if (!run) throw new AppError('conflict', 'This bulk run has already ended.');
      await queue.enqueue(tx, this.job, { runId: id });
      const action = run.action as BulkAction;
      await events.record(tx, 'bulk-run.cancel-requested', { bulkRunId: id, action, total: run.total });
      return viewBulkRun(run);
    });
  }

  /** The note about an interview was written into the ATS, or will not be. */
  async afterPushEnd(tx: Executor, push: { interviewId: string; error: string | null }): Promise<void> {
    await this.afterStepEnd(tx, { ...push, step: runsRepo.SEND });
  }

  /** True when the step belongs to a bulk run. */
  async afterStepEnd(tx: Executor, step: Parameters<typeof updateStepEnded>[1]): Promise<boolean> {
    const runs = await updateStepEnded(tx, step);
    for (const run of runs) {
      await this.#endIfComplete(tx, run);
      await this.#deps.events.record(tx, 'bulk-run.progressed', { bulkRunId: run.id });
    }
    return runs.length > 0;
  }

  /** Ends runs whose remaining interviews were deleted. */
  async endRunsWithoutSteps(): Promise<void> {
    const { db } = this.#deps;
    for (const run of await runsRepo.listRunsWithoutSteps(db))
      await db.transaction().execute((tx) => this.#endIfComplete(tx, { ...run, started_count: 0 }));
  }

  async #idsOf(tx: Executor, target: BulkTarget): Promise<string[]> {
    const { interviews } = this.#deps;
    if ('ids' in target) return [...new Set(target.ids)];
    if ('run' in target) {
      const { id } = await this.#findVisible(tx, target.run);
      const ids = await interviews.keepVisible(tx, await runsRepo.listDoneIds(tx, id));
      if (ids.length === 0) throw nothingToUndo();
      return ids;
    }
    const ids = await interviews.listIds(tx, target.filter, MAX_BULK_ITEMS + 1);
    if (ids.length > MAX_BULK_ITEMS) {
      const limit = MAX_BULK_ITEMS.toLocaleString('en-US');
      throw new AppError('invalid_input', `filter must match at most ${limit} interviews`, { field: 'filter' });
    }
    if (ids.length !== target.expected)
      throw new AppError('matches_changed', `The list has changed: ${ids.length} interviews match now.`, {
        details: { matches: ids.length },
      });
    return ids;
  }

  /** Callers who do not see all funnels see only their own runs. */
  async #findVisible(db: Executor, id: number): Promise<BulkRunRow> {
    const run = await runsRepo.findBulkRun(db, id);
    if (!run) throw notFound();
    const isOwn = viewBulkRun(run).startedBy?.id === currentActor().accountId;
    if (visibleFunnels() !== null && !isOwn) throw notFound();
    return run;
  }

  async #endIfComplete(tx: Executor, run: BulkRunRow): Promise<void> {
    if (!run.all_decided || run.started_count > 0) return;
    const status = run.cancel_requested_at === null ? 'completed' : 'canceled';
    await this.#end(tx, run.id, { status, error: null });
  }

  async #failRun(id: number, error: string): Promise<void> {
    await this.#deps.db.transaction().execute((tx) => this.#end(tx, id, { status: 'failed', error }));
  }

  async #end(tx: Executor, id: number, end: Parameters<typeof runsRepo.updateBulkRunEnd>[2]): Promise<void> {
    const run = await runsRepo.updateBulkRunEnd(tx, id, end);
    if (!run) return;
    const listed = isRecordedByItsBatch(run) ? null : await this.#listOutcomes(tx, run, null);
    await this.#deps.events.record(tx, 'bulk-run.ended', {
      bulkRunId: id,
      action: run.action as BulkAction,
      ...end,
      total: run.total,
      done: run.done_count,
      failed: run.failed_count,
      skipped: run.skipped_count,
      report: listed && { reasons: listed.reasons, interviews: listed.items },
    });
  }

  /** Interviews that were deleted count as skipped, but have no item with a reason. */
  async #listOutcomes(
    db: Executor,
    { id, skipped_count: skipped }: BulkRunRow,
    funnelIds: ReportLimits['funnelIds'],
  ): Promise<Pick<BulkReport, 'reasons' | 'items'>> {
    const items = await listReportedItems(db, id, { limit: MAX_LISTED, funnelIds });
    const reasons = await listReasons(db, id, { limit: MAX_REASONS, funnelIds });
    const explained = reasons.reduce((sum, { outcome, count }) => sum + (outcome === 'skipped' ? count : 0), 0);
    if (explained < skipped && reasons.length < MAX_REASONS)
      reasons.push({ outcome: 'skipped', reason: DELETED, count: skipped - explained });
    return { reasons, items };
  }
}

const viewBulkRun = (row: BulkRunRow): BulkRun => ({
  id: row.id,
  action: row.action as BulkRun['action'],
  status: row.status as BulkRun['status'],
  total: row.total,
  done: row.done_count,
  started: row.started_count,
  failed: row.failed_count,
  skipped: row.skipped_count,
  cancelRequested: row.cancel_requested_at !== null,
  error: row.error,
  startedBy: viewAccount(row.started_by as unknown as Actor),
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
});

const viewAccount = ({ accountId, name }: Actor): BulkRun['startedBy'] =>
  accountId == null || name === null ? null : { id: accountId, username: name };
