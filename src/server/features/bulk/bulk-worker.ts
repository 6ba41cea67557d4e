import { z } from 'zod';
import type { BulkAction } from '#contracts/bulk.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { AtsPushes, BulkTarget } from '#server/features/ats-pushes/pushes.service.ts';
import type { InterviewEdits } from '#server/features/interviews/interview-edits.service.ts';
import type { Interviews, StoredInterview } from '#server/features/interviews/interviews.service.ts';
import type { Processing } from '#server/features/processing/processing.service.ts';
import type { Runs } from '#server/runs/runs.ts';
import { listStarted, updateUndecidedToSkipped, updateWithdrawn } from './bulk-items.repo.ts';
import type { BulkRunRow, ClaimedBulkRun, DecidedItem } from './bulk-runs.repo.ts';
import * as runsRepo from './bulk-runs.repo.ts';
import { type Decision, decide } from './decide-items.ts';

export interface BulkWorkerDeps {
  db: Database;
  events: Events;
  runs: Runs;
  interviews: Pick<Interviews, 'lockAll'>;
  edits: Pick<InterviewEdits, 'setArchivedAll' | 'setDestinationAll' | 'restoreDestinations'>;
  pushes: Pick<AtsPushes, 'findTargets' | 'sendAll'>;
  processing: Pick<Processing, 'listSupplied' | 'startAll' | 'withdrawAll'>;
}

/** Interviews of one transaction. While it runs, other changes of interviews wait. */
export const BATCH_SIZE = 250;
/** The ATS is asked about each interview. */
const SENDING_BATCH_SIZE = 25;
const TRANSCRIBING: ReadonlySet<string> = new Set<BulkAction>(['transcribe', 'summarize', 'process', 'retry']);
const NONE: ReadonlySet<string> = new Set();
const NO_TARGETS: ReadonlyMap<string, BulkTarget> = new Map();
const INTERRUPTED = 'It was interrupted. Start it again for the rest.';
const CANCELED = 'Canceled.';
/** The state of a failed step whose retry was canceled before it began. */
const RETRY_CANCELED = 'The retry was canceled before it began.';

/** Data that is read before the transaction of a batch. */
interface Gathered {
  supplied: ReadonlySet<string>;
  targets: ReadonlyMap<string, BulkTarget>;
}

interface Decided {
  interview: StoredInterview;
  decision: Decision;
}

interface WorkerOptions {
  /** Ends a run whose interviews all have an outcome, unless steps are in progress. */
  endIfComplete(tx: Executor, run: BulkRunRow): Promise<void>;
  failRun(runId: number, error: string): Promise<void>;
}

/** Performs bulk runs: every interview gets its outcome in the transaction that changes it. */
export class BulkWorker {
  readonly #deps: BulkWorkerDeps;
  readonly #options: WorkerOptions;
  readonly job;

  constructor(deps: BulkWorkerDeps, options: WorkerOptions) {
    this.#deps = deps;
    this.#options = options;
    this.job = deps.runs.define({
      name: 'bulk.run',
      payload: z.object({ runId: z.int() }),
      /** For an unavailable database or a killed worker. */
      retries: 8,
      concurrency: 1,
      open: runsRepo.OPEN_BULK_RUNS,
      errors: { unexpected: INTERRUPTED },
      claim: ({ runId }, attempt) => runsRepo.claimBulkRun(deps.db, runId, attempt),
      perform: (run, signal) => this.#perform(run, signal),
      fail: ({ id }, error) => options.failRun(id, error),
      release: (run, columns) => runsRepo.releaseBulkRun(deps.db, run, columns),
    });
  }

  async #perform(run: ClaimedBulkRun, signal: AbortSignal): Promise<void> {
    let isCanceled = run.cancel_requested_at !== null;
    for (let after: ClaimedBulkRun | null = run; after && !isCanceled; ) {
      signal.throwIfAborted();
      after = await this.#decideBatch(run, signal);
      isCanceled = after?.cancel_requested_at != null;
    }
    if (isCanceled) await this.#withdraw(run, signal);
    await this.#finish({ ...run, cancel_requested_at: isCanceled ? new Date() : null });
  }

  /** Returns the run as it is now; null when every interview has an outcome. */
  async #decideBatch(run: ClaimedBulkRun, signal: AbortSignal): Promise<ClaimedBulkRun | null> {
    const { db, events, interviews } = this.#deps;
    const { id: bulkRunId, destination_id: destinationId } = run;
    const action = run.action as BulkAction;
    const ids = await runsRepo.listUndecided(db, run.id, action === 'sendToAts' ? SENDING_BATCH_SIZE : BATCH_SIZE);
    if (ids.length === 0) return null;
    const gathered = await this.#gather(action, ids, signal);
    return db.transaction().execute(async (tx) => {
      const items = await this.#apply(tx, run, await interviews.lockAll(tx, ids), gathered);
      const changed = items.filter(({ outcome }) => outcome !== 'skipped');
      if (changed.length > 0)
        await events.record(tx, 'bulk-run.applied', { bulkRunId, action, destinationId, interviews: changed });
      else await events.record(tx, 'bulk-run.progressed', { bulkRunId });
      return runsRepo.insertOutcomes(tx, run, items);
    });
  }

  /** Reads before the transaction, which must not wait for the interview service or the ATS. */
  async #gather(action: BulkAction, ids: readonly string[], signal: AbortSignal): Promise<Gathered> {
    const { processing, pushes } = this.#deps;
    return {
      supplied: TRANSCRIBING.has(action) ? await processing.listSupplied(ids, signal) : NONE,
      targets: action === 'sendToAts' ? await pushes.findTargets(ids, signal) : NO_TARGETS,
    };
  }

  async #apply(
    tx: Executor,
    run: BulkRunRow,
    rows: readonly StoredInterview[],
    { supplied, targets }: Gathered,
  ): Promise<DecidedItem[]> {
    const decided = rows.map((interview) => ({
      interview,
      decision: decide(run, interview, targets.get(interview.id)),
    }));
    await this.#edit(tx, run, decided);
    const sending = await this.#send(tx, run, decided);
    const plans = await this.#start(tx, decided, supplied);
    const outcomeOf = ({ interview, decision }: Decided): Partial<DecidedItem> => {
      if (decision.kind === 'skip') return { outcome: 'skipped', reason: decision.reason };
      if (decision.kind === 'edit') return { former: run.action === 'setDestination' ? formerOf(interview) : null };
      if (decision.kind === 'send') return sending.has(interview.id) ? { outcome: 'started', isSending: true } : {};
      const { runs = [], reason = null } = plans.get(interview.id) ?? {};
      return { outcome: runs.length > 0 ? 'started' : 'skipped', reason, steps: runs.map(({ step }) => step) };
    };
    return decided.map((one) => ({ ...doneItem(one.interview), ...outcomeOf(one) }));
  }

  /** Returns the ids of the interviews whose notes are being written. */
  async #send(tx: Executor, { origin }: BulkRunRow, decided: readonly Decided[]): Promise<ReadonlySet<string>> {
    const targets = decided.flatMap(({ interview, decision }) =>
      decision.kind === 'send' ? [[interview.id, decision.target] as const] : [],
    );
    return targets.length > 0 ? this.#deps.pushes.sendAll(tx, new Map(targets), origin) : NONE;
  }

  #start(tx: Executor, decided: readonly Decided[], supplied: ReadonlySet<string>) {
    const starts = decided.flatMap(({ interview, decision }) =>
      decision.kind === 'steps' ? [{ interview, steps: decision.steps }] : [],
    );
    return this.#deps.processing.startAll(tx, starts, supplied);
  }

  async #edit(tx: Executor, run: BulkRunRow, decided: readonly Decided[]): Promise<void> {
    const { edits } = this.#deps;
    const ids = decided.filter(({ decision }) => decision.kind === 'edit').map(({ interview }) => interview.id);
    if (ids.length === 0) return;
    if (run.action === 'undoDestination')
      return edits.restoreDestinations(tx, await runsRepo.listFormerDestinations(tx, run.id, ids));
    if (run.action !== 'setDestination') return edits.setArchivedAll(tx, ids, { isArchived: run.action === 'archive' });
    const { destination_id: destinationId, destination_notes: notes } = run;
    if (destinationId !== null) await edits.setDestinationAll(tx, ids, { destinationId, notes });
  }

  /** Skips undecided interviews and withdraws started steps that have not begun. */
  async #withdraw(run: ClaimedBulkRun, signal: AbortSignal): Promise<void> {
    const { db } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const undecided = await updateUndecidedToSkipped(tx, run.id, CANCELED);
      await runsRepo.updateSkipped(tx, run, { undecided });
      await this.#deps.events.record(tx, 'bulk-run.progressed', { bulkRunId: run.id });
    });
    for (let after: string | null = ''; after !== null; ) {
      signal.throwIfAborted();
      after = await this.#withdrawBatch(run, after);
    }
  }

  /** Returns the last interview that was checked; null after the last batch. */
  async #withdrawBatch(run: ClaimedBulkRun, after: string): Promise<string | null> {
    const { db, interviews, processing } = this.#deps;
    return db.transaction().execute(async (tx) => {
      const page = { after, limit: BATCH_SIZE };
      const ids = (await listStarted(tx, run.id, page)).map(({ interviewId }) => interviewId);
      if (ids.length === 0) return null;
      const locked = await interviews.lockAll(tx, ids);
      // Read again: steps may have ended before the lock.
      const open = (await listStarted(tx, run.id, page)).filter(({ interviewId }) => ids.includes(interviewId));
      const steps = open.flatMap(({ interviewId, steps: names }) =>
        names.flatMap((step) => (step === runsRepo.SEND ? [] : [{ interviewId, step }])),
      );
      const error = run.action === 'retry' ? RETRY_CANCELED : null;
      const withdrawn = await processing.withdrawAll(tx, steps, error);
      if (withdrawn.length > 0) {
        await runsRepo.updateSkipped(tx, run, { started: await updateWithdrawn(tx, run.id, withdrawn, CANCELED) });
        const funnelIds = [...new Set(locked.map(({ funnel_id }) => funnel_id))];
        await this.#deps.events.record(tx, 'bulk-run.withdrew', { bulkRunId: run.id, funnelIds });
      }
      return ids.at(-1) ?? null;
    });
  }

  async #finish(run: ClaimedBulkRun): Promise<void> {
    await this.#deps.db.transaction().execute(async (tx) => {
      await this.#options.endIfComplete(tx, await runsRepo.updateAllDecided(tx, run));
      await this.#deps.events.record(tx, 'bulk-run.progressed', { bulkRunId: run.id });
    });
  }
}

const doneItem = (interview: StoredInterview): DecidedItem => ({
  interviewId: interview.id,
  title: interview.title,
  funnelId: interview.funnel_id,
  outcome: 'done',
  reason: null,
  steps: [],
  former: null,
});

const formerOf = (interview: StoredInterview): DecidedItem['former'] => ({
  destinationId: interview.destination_id,
  notes: interview.destination_notes,
  at: interview.destination_at,
});
