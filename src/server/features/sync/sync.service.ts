import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { Funnel } from '#contracts/funnels.ts';
import { type FunnelSource, SOURCES } from '#contracts/sources.ts';
import type { RefreshStatus, startSync, startSyncOfAll, Timeframe } from '#contracts/sync.ts';
import { AppError } from '#server/app-error.ts';
import { lockRefreshQueue } from '#server/db/advisory-locks.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { Funnels } from '#server/features/funnels/funnels.service.ts';
import type { LiveWorkers } from '#server/jobs/live-workers.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { visibleFunnels } from '#server/request-context.ts';
import { countAnnounced, deleteAnnounced, listAnnouncedFunnels, upsertAnnounced } from './announced.repo.ts';
import * as queueRepo from './refresh-queue.repo.ts';
import { viewStatus } from './sync.view.ts';
import { queueEnd } from './sync-log.ts';
import { type RedactRecordsInput, redactRecords } from './sync-records.repo.ts';
import type { AutomaticRun, CancelFilter, QueuePlace, RunRow } from './sync-runs.repo.ts';
import * as runsRepo from './sync-runs.repo.ts';
import { AUTOMATIC_RUN, SYNC_RUN, type SyncWorker } from './sync-worker.ts';

export interface SyncDeps {
  db: Database;
  funnels: Funnels;
  events: Events;
  queue: JobQueue;
  workers: Pick<LiveWorkers, 'isMissing'>;
  worker: Pick<SyncWorker, 'jobs'>;
  /** The sources that are configured. */
  sources: readonly FunnelSource[];
}

/** Longer than a page takes. A worker that still runs afterwards finds its run deleted. */
const STOP_TIMEOUT_MS = 5_000;
const STOP_POLL_MS = 50;
const RUNNING = 'A refresh operation is already in progress';
const ADDED_BY_UPLOAD = 'You upload recordings to this funnel. There is nothing to refresh.';
// In en-GB, the last comma is missing.
const listOf = (names: readonly string[]) => new Intl.ListFormat('en-GB').format(names);
const notConfigured = (source: FunnelSource) =>
  `Syncing isn't set up yet. Ask an admin to set ${listOf(SOURCES[source].variables)} and restart the server.`;

/** More announced interviews than this are read as a list instead of one by one. */
export const MAX_SINGLE_READS = 10;
/** Lists of a funnel that its events read in an hour. Further interviews are read one by one. */
const MAX_LISTS_OF_EVENTS = 6;
const HOUR_MS = 60 * 60 * 1_000;
/** Automatic refreshes read new interviews, and once per interval all of them. */
const READ_ALL_INTERVAL_MS = 24 * 60 * 60 * 1_000;
/** Automatic runs are deleted sooner than logs, which contain their outcome. */
const AUTOMATIC_RUN_RETENTION_MS = 30 * 24 * 60 * 60 * 1_000;

/** Replaces erased interviews, and the names that running refreshes show. */
export async function redactRefreshes(
  tx: Executor,
  { names, ...records }: RedactRecordsInput & { names: readonly string[] },
): Promise<void> {
  await redactRecords(tx, records);
  await runsRepo.redactProgress(tx, names);
}

/**
 * Refreshes of the active funnel by users, one at a time in the whole installation, and automatic
 * ones, one at a time per funnel (docs/decisions/0023).
 */
export class Sync {
  readonly #deps: SyncDeps;
  readonly jobs;

  constructor(deps: SyncDeps) {
    this.#deps = deps;
    this.jobs = deps.worker.jobs;
  }

  /** @throws AppError no_active_funnel, not_configured, sync_running */
  async startRefresh(timeframe: Timeframe): Promise<ResponseOf<typeof startSync>> {
    const { db, events, funnels, sources } = this.#deps;
    return db.transaction().execute(async (tx) => {
      const funnel = await funnels.lockActive(tx);
      if (!funnel) throw new AppError('no_active_funnel', 'Configure an active funnel first');
      if (!SOURCES[funnel.source].isRefreshed) throw new AppError('conflict', ADDED_BY_UPLOAD);
      if (!sources.includes(funnel.source)) throw new AppError('not_configured', notConfigured(funnel.source));
      // Otherwise an older error would reappear when the newer runs are deleted with their funnel.
      await runsRepo.updateErrorsDismissed(tx, visibleFunnels());
      const run = await this.#startUserRun(tx, funnel, { timeframe, queue: null });
      if (!run) throw new AppError('sync_running', RUNNING);
      // The rest of a queue whose end was lost.
      await queueRepo.deleteQueue(tx);
      await events.record(tx, 'refresh.started', {});
      return { message: `Syncing ${funnel.name}. New interviews appear as they arrive.`, status: viewStatus(run) };
    });
  }

  /**
   * Refreshes all funnels that have a configured service, one after another, the active one first.
   * @throws AppError conflict, sync_running
   */
  async refreshAll(): Promise<ResponseOf<typeof startSyncOfAll>> {
    const { db, events, funnels, sources } = this.#deps;
    const all = (await funnels.list()).filter(({ source }) => SOURCES[source].isRefreshed && sources.includes(source));
    const ids = all.sort((a, b) => Number(b.isActive) - Number(a.isActive)).map(({ id }) => id);
    if (ids.length === 0) throw new AppError('conflict', 'You have no jobs to refresh. Add a funnel first.');
    await db.transaction().execute(async (tx) => {
      await lockRefreshQueue(tx);
      if ((await runsRepo.listRunningRuns(tx)).some(({ cause }) => cause === 'user'))
        throw new AppError('sync_running', RUNNING);
      await runsRepo.updateErrorsDismissed(tx, visibleFunnels());
      await queueRepo.insertQueue(tx, randomUUID(), ids);
      if (!(await this.startQueued(tx))) throw new AppError('sync_running', RUNNING);
      await events.record(tx, 'refresh.started', {});
    });
    return {
      message: `Refreshing ${ids.length === 1 ? '1 job' : `${ids.length} jobs`}. New interviews appear as they arrive.`,
      status: await this.status(),
    };
  }

  /**
   * Starts the next refresh of the queue. Skips funnels that no longer have a configured service.
   * Returns false when none is left, or when the refresh of a user is in progress.
   */
  async startQueued(tx: Executor): Promise<boolean> {
    const { funnels, sources } = this.#deps;
    for (let next = await queueRepo.findNextQueued(tx); next; next = await queueRepo.findNextQueued(tx)) {
      // Deleting a funnel locks it before its place in the queue.
      const funnel = await funnels.lockShared(tx, next.funnel_id);
      const canRefresh = funnel && SOURCES[funnel.source].isRefreshed && sources.includes(funnel.source);
      const place = { id: next.queue_id, position: next.position, total: next.total };
      if (canRefresh && !(await this.#startUserRun(tx, funnel, { timeframe: 'all', queue: place }))) return false;
      await queueRepo.deleteQueued(tx, next);
      if (canRefresh) return true;
    }
    return false;
  }

  /** Returns undefined when the refresh of a user is in progress. */
  async #startUserRun(
    tx: Executor,
    funnel: Funnel,
    input: { timeframe: Timeframe; queue: QueuePlace | null },
  ): Promise<RunRow | undefined> {
    const { events, queue } = this.#deps;
    const run = await runsRepo.insertSyncRun(tx, funnel.id, input);
    if (!run) return undefined;
    // Two runs of one funnel would read and write the same interviews.
    await this.#requestCancel(tx, { funnelIds: [funnel.id], cause: 'automatic' });
    await queue.enqueue(tx, SYNC_RUN, { runId: run.id });
    const { id: funnelId, name } = funnel;
    const { timeframe } = input;
    await events.record(tx, 'run.started', { runId: run.id, funnelId, name, timeframe, announced: null });
    return run;
  }

  /**
   * Starts a refresh that the dashboard does not show. Returns false when a run of the funnel
   * is in progress. The caller serializes the calls for a funnel.
   * @throws AppError conflict, not_configured
   */
  async startAutomaticRefresh(tx: Executor, funnel: Funnel): Promise<boolean> {
    const isRecent = await runsRepo.hasReadAllSince(tx, funnel.id, new Date(Date.now() - READ_ALL_INTERVAL_MS));
    const timeframe = isRecent ? 'future' : 'all';
    return this.#startAutomatic(tx, funnel, { timeframe, cause: 'schedule', announced: null });
  }

  /** Stores interviews that the next `startAnnouncedRefresh` reads. */
  announceInterviews(tx: Executor, funnelId: number, interviewIds: readonly string[]): Promise<void> {
    return upsertAnnounced(tx, funnelId, interviewIds);
  }

  /**
   * Starts a refresh of the announced interviews. Returns false when there are none, or when a run
   * of the funnel is in progress. Many of them are read as a list, which takes fewer calls.
   * @throws AppError conflict, not_configured
   */
  async startAnnouncedRefresh(tx: Executor, funnel: Funnel): Promise<boolean> {
    const { count, upTo } = await countAnnounced(tx, funnel.id);
    if (count === 0) return false;
    const readsList =
      count > MAX_SINGLE_READS &&
      (await runsRepo.countListsOfEvents(tx, funnel.id, new Date(Date.now() - HOUR_MS))) < MAX_LISTS_OF_EVENTS;
    const timeframe = readsList ? 'all' : 'future';
    return this.#startAutomatic(tx, funnel, { timeframe, cause: 'event', announcedUpTo: upTo, announced: count });
  }

  listAnnouncedFunnels(): Promise<number[]> {
    return listAnnouncedFunnels(this.#deps.db);
  }

  async #startAutomatic(
    tx: Executor,
    funnel: Funnel,
    input: AutomaticRun & { announced: number | null },
  ): Promise<boolean> {
    const { events, queue, sources } = this.#deps;
    if (!SOURCES[funnel.source].isRefreshed) throw new AppError('conflict', ADDED_BY_UPLOAD);
    if (!sources.includes(funnel.source)) throw new AppError('not_configured', notConfigured(funnel.source));
    if ((await runsRepo.listRunningRuns(tx, funnel.id)).length > 0) return false;
    const run = await runsRepo.insertAutomaticRun(tx, funnel.id, input);
    await queue.enqueue(tx, AUTOMATIC_RUN, { runId: run.id });
    const { id: funnelId, name } = funnel;
    const { timeframe, announced } = input;
    await events.record(tx, 'run.started', { runId: run.id, funnelId, name, timeframe, announced });
    return true;
  }

  /** The status of the last refresh by a user in the funnels that the caller sees. */
  async status(visible = visibleFunnels()): Promise<RefreshStatus> {
    const { db, funnels, workers } = this.#deps;
    const run = await runsRepo.findLatestRun(db, visible);
    const status = viewStatus(run, workers.isMissing(SYNC_RUN.name));
    if (!run?.queue_id) return status;
    if (visible !== null) status.queue = await this.#findVisiblePlace(run.queue_id, run.funnel_id, visible);
    if (status.inProgress || status.cancelRequested) return status;
    const [runs, all] = [await queueRepo.listQueueRuns(db, run.queue_id, visible), await funnels.list()];
    const named = runs.map((one) => ({ ...one, name: all.find(({ id }) => id === one.funnel_id)?.name ?? '' }));
    return { ...status, ...queueEnd(named) };
  }

  /** The place of a funnel among the visible ones of its queue. */
  async #findVisiblePlace(queueId: string, funnelId: number, visible: readonly number[]) {
    const ids = (await queueRepo.listQueueFunnels(this.#deps.db, queueId)).filter((id) => visible.includes(id));
    return { position: ids.indexOf(funnelId) + 1, total: ids.length };
  }

  /** True once a refresh of an existing funnel that the caller sees has completed. */
  hasRefreshed(): Promise<boolean> {
    return runsRepo.hasCompletedRun(this.#deps.db, visibleFunnels());
  }

  /** @throws AppError conflict when no refresh is in progress */
  async cancelRefresh(): Promise<{ message: string }> {
    const { db, funnels, events } = this.#deps;
    return db.transaction().execute(async (tx) => {
      const funnelIds = visibleFunnels();
      const [before] = await this.#requestCancel(tx, { funnelIds, cause: 'user' });
      await queueRepo.deleteQueue(tx, funnelIds);
      // The next refresh of the queue may have started while this one ended.
      const [run = before] = await this.#requestCancel(tx, { funnelIds, cause: 'user' });
      if (!run) throw new AppError('conflict', 'No refresh is in progress.');
      const funnel = await funnels.find(tx, run.funnel_id);
      await events.record(tx, 'refresh.canceled', { funnelId: run.funnel_id, funnelName: funnel?.name ?? null });
      return { message: 'The refresh operation will stop after the current batch completes.' };
    });
  }

  async dismissError(): Promise<RefreshStatus> {
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const funnelIds = visibleFunnels();
      await runsRepo.updateErrorsDismissed(tx, funnelIds);
      await events.record(tx, 'refresh-errors.dismissed', { funnelIds });
    });
    return this.status();
  }

  /** Continues a queue whose running refresh was deleted with its funnel. */
  async continueQueue(): Promise<void> {
    await this.#deps.db.transaction().execute(async (tx) => {
      if (await this.startQueued(tx)) await this.#deps.events.record(tx, 'refresh.started', {});
    });
  }

  async deleteExpired(): Promise<void> {
    await runsRepo.deleteOldAutomaticRuns(this.#deps.db, new Date(Date.now() - AUTOMATIC_RUN_RETENTION_MS));
  }

  /** Makes the next refresh read everything, because the funnel now reads another list. */
  async restartList(tx: Executor, funnelId: number): Promise<void> {
    await deleteAnnounced(tx, funnelId);
    await runsRepo.updateRunsIncomplete(tx, funnelId);
  }

  /**
   * Cancels refreshes of this funnel and waits until they have stopped, at most `STOP_TIMEOUT_MS`.
   */
  async stopForFunnel(funnelId: number): Promise<void> {
    const { db } = this.#deps;
    if ((await db.transaction().execute((tx) => this.requestStop(tx, funnelId))) === 0) return;
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    while (Date.now() < deadline && (await runsRepo.listRunningRuns(db, funnelId)).length > 0)
      await sleep(STOP_POLL_MS);
  }

  /** Cancels refreshes of this funnel, and returns how many. */
  async requestStop(tx: Executor, funnelId: number): Promise<number> {
    return (await this.#requestCancel(tx, { funnelIds: [funnelId] })).length;
  }

  async #requestCancel(tx: Executor, filter: CancelFilter): Promise<RunRow[]> {
    const runs = await runsRepo.updateCancelRequested(tx, filter);
    for (const { id } of runs) await this.#deps.events.record(tx, 'run.cancel-requested', { runId: id });
    return runs;
  }
}
