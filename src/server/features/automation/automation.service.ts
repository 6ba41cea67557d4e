import type { Automation } from '#contracts/automation.ts';
import type { EventData } from '#contracts/events.ts';
import type { Funnel } from '#contracts/funnels.ts';
import { FUNNEL_SOURCES, SOURCES } from '#contracts/sources.ts';
import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { Bulk } from '#server/features/bulk/bulk.service.ts';
import type { Funnels } from '#server/features/funnels/funnels.service.ts';
import type { Segments } from '#server/features/interviews/segments/segments.service.ts';
import { MAX_SINGLE_READS, type Sync } from '#server/features/sync/sync.service.ts';
import { runAs, visibleFunnels } from '#server/request-context.ts';
import * as repo from './automation.repo.ts';

export interface AutomationDeps {
  db: Database;
  funnels: Pick<Funnels, 'find' | 'lockShared' | 'findAutomationActor'>;
  sync: Sync;
  segments: Pick<Segments, 'listUnready'>;
  bulk: Pick<Bulk, 'processAdded'>;
  events: Events;
}

const REFRESHED = FUNNEL_SOURCES.filter((source) => SOURCES[source].isRefreshed);
/**
 * Automatic refreshes of a funnel that may fail in a row. A rejected API key pauses immediately.
 */
const MAX_FAILURES = 5;

const RUNNING = { failures: 0, retry_at: null, paused_at: null, paused_reason: null } as const;
/** The pause after a failure before announced interviews are read again. It doubles each time. */
const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = FIRST_RETRY_MS * 2 ** (MAX_FAILURES - 1);
/** The interval in `listUnreadyDue`. */
const UNREADY_INTERVAL_MS = 5 * 60_000;
/** Recordings that a service processes for longer are left to the next refresh. */
const MAX_PROCESSING_MS = 6 * 60 * 60 * 1_000;

/** Keeps funnels up to date without a user (docs/decisions/0023). */
export class Automations {
  readonly #deps: AutomationDeps;

  constructor(deps: AutomationDeps) {
    this.#deps = deps;
  }

  /** Lists the automations of visible funnels. */
  async list(): Promise<Automation[]> {
    const rows = await repo.listAutomations(this.#deps.db, visibleFunnels());
    return rows.map((row) => ({
      funnelId: row.funnel_id,
      lastRefreshAt: row.last_refresh_at?.toISOString() ?? null,
      hasWebhook: row.hasWebhook,
      lastEventAt: row.last_event_at?.toISOString() ?? null,
      lastError: row.last_error,
      pausedReason: row.paused_reason,
      awaitingInterviews: row.awaiting,
    }));
  }

  /** @throws AppError not_found, conflict, not_configured */
  async resume(funnelId: number): Promise<{ message: string }> {
    const { events, sync } = this.#deps;
    return this.#onFunnel(funnelId, async (tx, funnel) => {
      if (!funnel) throw new AppError('not_found', 'This funnel no longer exists.');
      const before = await repo.lockAutomation(tx, funnelId);
      await repo.updateAutomation(tx, funnelId, { ...RUNNING, last_error: null, started_at: new Date() });
      const { name } = funnel;
      await events.record(tx, 'automation.resumed', { funnelId, name, wasPaused: before.paused_at !== null });
      await sync.startAutomaticRefresh(tx, funnel);
      return { message: `Refreshing ${name} in the background.` };
    });
  }

  /**
   * Ends the pause of a changed funnel. With a new key or list its next refresh is due immediately.
   */
  async onFunnelUpdated(
    tx: Executor,
    { funnelId, hasNewAccess, hasNewList }: EventData<'funnel.changed'>,
  ): Promise<void> {
    await repo.updateAutomation(tx, funnelId, {
      ...RUNNING,
      ...(hasNewAccess && { started_at: null }),
      ...(hasNewList && { last_error: null }),
    });
    if (hasNewAccess) await this.#deps.sync.requestStop(tx, funnelId);
    if (hasNewList) await this.#deps.sync.restartList(tx, funnelId);
  }

  /**
   * Starts the refreshes that are due, and processes interviews that waited for another day. Every
   * worker calls it often. The lock on a funnel's automation lets one worker start a refresh.
   */
  async startDue(): Promise<void> {
    const { db } = this.#deps;
    for (const funnelId of await repo.listDueFunnels(db, REFRESHED)) await this.#startScheduled(funnelId);
    for (const funnelId of await repo.listAwaitingFunnels(db)) await this.#processAwaited(funnelId);
    for (const funnelId of await repo.listUnreadyDue(db)) await this.#announceUnready(funnelId);
    for (const funnelId of await this.#deps.sync.listAnnouncedFunnels())
      await this.#actFor(funnelId, (tx, funnel) => this.startAnnounced(tx, funnel));
  }

  /** Reads the announced interviews, unless refreshes are paused or a failure is recent. */
  async startAnnounced(tx: Executor, funnel: Funnel): Promise<void> {
    // The event arrived while the source of the funnel was changed.
    if (!SOURCES[funnel.source].isRefreshed) return;
    const { paused_at: pausedAt, retry_at: retryAt } = await repo.lockAutomation(tx, funnel.id);
    if (pausedAt || (retryAt && isSoon(retryAt))) return;
    await this.#startOrPause(tx, funnel, () => this.#deps.sync.startAnnouncedRefresh(tx, funnel));
  }

  /** Serializes the ends of runs with their starts. Call it before locking the run. */
  async lock(tx: Executor, funnelId: number): Promise<void> {
    if (await this.#deps.funnels.lockShared(tx, funnelId)) await repo.lockAutomation(tx, funnelId);
  }

  /** Called after `lock`. */
  async onRunEnded(tx: Executor, run: EventData<'run.ended'>): Promise<void> {
    const funnel = await this.#deps.funnels.find(tx, run.funnelId);
    // A change of the funnel may have canceled the run, so its failure does not count either.
    if (!funnel || run.isCanceled) return;
    if (run.status === 'completed') {
      const refreshed = run.cause === 'event' ? {} : { last_refresh_at: new Date() };
      await repo.updateAutomation(tx, funnel.id, { ...RUNNING, ...refreshed, last_error: null });
      // Interviews may have been announced while it ran.
      return this.startAnnounced(tx, funnel);
    }
    await repo.updateAutomation(tx, funnel.id, { last_error: run.error });
    if (run.cause === 'user') return;
    const failures = (await repo.lockAutomation(tx, funnel.id)).failures + 1;
    const retryAt = new Date(Date.now() + FIRST_RETRY_MS * 2 ** (failures - 1));
    await repo.updateAutomation(tx, funnel.id, { failures, retry_at: retryAt });
    if (run.isRefused) await this.#pause(tx, funnel, run.error ?? '');
    else if (failures >= MAX_FAILURES)
      await this.#pause(tx, funnel, `${failures} refreshes in a row failed: ${run.error}`);
  }

  /** Processes interviews that a refresh adds, as set in the funnel, up to its daily limit. */
  async onInterviewsAdded(tx: Executor, { funnelId, interviewIds: ids }: EventData<'interview.added'>): Promise<void> {
    const funnel = await this.#deps.funnels.find(tx, funnelId);
    const action = funnel && actionOf(funnel);
    if (!action) return;
    const allowed = await this.#claimAllowance(tx, funnel, ids.length);
    if (allowed > 0) await this.#deps.bulk.processAdded(tx, ids.slice(0, allowed), action);
    if (allowed < ids.length) await repo.insertAwaited(tx, funnelId, ids.slice(allowed));
  }

  #startScheduled(funnelId: number): Promise<void> {
    return this.#actFor(funnelId, async (tx, funnel) => {
      await repo.lockAutomation(tx, funnelId);
      if (!(await repo.updateStarted(tx, funnelId))) return;
      await this.#startOrPause(tx, funnel, () => this.#deps.sync.startAutomaticRefresh(tx, funnel));
    });
  }

  /**
   * Reads interviews again that wait for a recording, because no event announces that it is ready.
   */
  #announceUnready(funnelId: number): Promise<void> {
    const { segments, sync } = this.#deps;
    return this.#actFor(funnelId, async (tx) => {
      if (!(await repo.updateUnreadyAnnounced(tx, funnelId))) return;
      const unready = await segments.listUnready(tx, funnelId, new Date(Date.now() - MAX_PROCESSING_MS));
      const ids = nextOf(unready.map(({ id }) => id));
      if (ids.length > 0) await sync.announceInterviews(tx, funnelId, ids);
    });
  }

  #processAwaited(funnelId: number): Promise<void> {
    return this.#actFor(funnelId, async (tx, funnel) => {
      await repo.lockAutomation(tx, funnelId);
      const waiting = await repo.countAwaited(tx, funnelId);
      const action = actionOf(funnel);
      const allowed = action ? await this.#claimAllowance(tx, funnel, waiting) : waiting;
      if (allowed === 0) return;
      const ids = await repo.deleteAwaited(tx, funnelId, allowed);
      if (action && ids.length > 0) await this.#deps.bulk.processAdded(tx, ids, action);
      await this.#deps.events.record(tx, 'awaited-interviews.started', { funnelId });
    });
  }

  /** Runs work on behalf of the funnel's automation. The funnel is not deleted until it ends. */
  async #actFor(funnelId: number, work: (tx: Executor, funnel: Funnel) => Promise<void>): Promise<void> {
    const actor = await this.#deps.funnels.findAutomationActor(this.#deps.db, funnelId);
    await runAs(actor, () =>
      this.#onFunnel(funnelId, async (tx, funnel) => {
        if (funnel) await work(tx, funnel);
      }),
    );
  }

  /** Pauses the funnel when its service is not configured. */
  async #startOrPause(tx: Executor, funnel: Funnel, start: () => Promise<boolean>): Promise<void> {
    try {
      await start();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await this.#pause(tx, funnel, error.message);
    }
  }

  async #claimAllowance(tx: Executor, { id, dailyLimit }: Funnel, wanted: number): Promise<number> {
    const today = new Date().toISOString().slice(0, 10);
    return repo.updateAllowance(tx, await repo.lockAutomation(tx, id), { wanted, limit: dailyLimit, today });
  }

  async #pause(tx: Executor, { id: funnelId, name }: Funnel, reason: string): Promise<void> {
    await repo.updateAutomation(tx, funnelId, { paused_at: new Date(), paused_reason: reason });
    await this.#deps.events.record(tx, 'automation.paused', { funnelId, name, reason });
  }

  /** The funnel is not deleted until the transaction ends. */
  #onFunnel<T>(id: number, work: (tx: Executor, funnel: Funnel | null) => Promise<T>): Promise<T> {
    const { db, funnels } = this.#deps;
    return db.transaction().execute(async (tx) => work(tx, await funnels.lockShared(tx, id)));
  }
}

/** Returns as many ids as are read one by one. Each interval returns others. */
function nextOf(ids: readonly string[]): readonly string[] {
  const start = Math.floor(Date.now() / UNREADY_INTERVAL_MS) * MAX_SINGLE_READS;
  const [before, after] = [ids.slice(0, start % ids.length), ids.slice(start % ids.length)];
  return [...after, ...before].slice(0, MAX_SINGLE_READS);
}

/** False for a time that is too far away, because the clock was wrong and has been corrected. */
function isSoon(retryAt: Date): boolean {
  const ms = retryAt.getTime() - Date.now();
  return ms > 0 && ms <= MAX_RETRY_MS;
}

/** Processing includes transcribing and summarizing, so `processAutomatically` comes first. */
const actionOf = ({ processAutomatically, newInterviews }: Funnel) =>
  processAutomatically ? 'process' : newInterviews === 'nothing' ? null : newInterviews;
