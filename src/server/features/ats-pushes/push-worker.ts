import { z } from 'zod';
import type { Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { Ats, AtsNote, StoredNote } from '#server/ports/ats.ts';
import type { Log } from '#server/ports/log.ts';
import { reportedKind, UpstreamError } from '#server/ports/upstream-error.ts';
import type { Runs } from '#server/runs/runs.ts';
import { markerOf } from './note-text.ts';
import { type PushRetry, repeatAfterMs } from './push-retry.ts';
import { findCandidateRefusal, findJobRefusal } from './push-target.ts';
import type { ClaimedPush, PushPause } from './pushes.repo.ts';
import * as repo from './pushes.repo.ts';

export interface PushWorkerDeps {
  db: Database;
  events: Events;
  queue: Pick<JobQueue, 'enqueue'>;
  runs: Runs;
  log: Log;
  /** Null if no ATS is configured. */
  ats: Ats | null;
  retry: PushRetry;
}

/** A push hardly crashes a process, but other work on the same process may do so repeatedly. */
const MAX_LOST_ATTEMPTS = 30;
/** True if the response proves that the ATS has stored nothing. */
const isDefinite = (error: unknown): boolean =>
  error instanceof UpstreamError && !['unavailable', 'bad_response'].includes(error.kind);

class PushRefused extends Error {
  override name = 'PushRefused';
}

/**
 * Writes each note into the ATS exactly once (docs/decisions/0043): it records the start of a
 * creation, and searches for the note before it creates one.
 */
export class PushWorker {
  readonly #deps: PushWorkerDeps;
  readonly job;

  constructor(deps: PushWorkerDeps) {
    this.#deps = deps;
    this.job = deps.runs.define({
      name: 'ats.push',
      payload: z.object({ pushId: z.int() }),
      /** For database outages and killed workers. ATS failures follow their own schedule. */
      retries: 20,
      concurrency: 4,
      open: repo.OPEN_PUSHES,
      maxLostAttempts: MAX_LOST_ATTEMPTS,
      errors: {
        unexpected: 'An unexpected error occurred. Send it again.',
        interrupted: 'Interrupted. Send it again.',
      },
      claim: ({ pushId }, attempt) => repo.claimPush(deps.db, pushId, attempt),
      perform: (run, signal) => this.#perform(run, signal),
      settle: (run, error) => this.#settle(run, error),
      fail: (run, error) => this.#stop(run, error),
      release: (run, columns) => repo.releasePush(deps.db, run, columns),
    });
  }

  async #perform(run: ClaimedPush, signal: AbortSignal): Promise<void> {
    const { ats } = this.#deps;
    if (ats?.name !== run.connectionId) throw new PushRefused(`${run.connectionId} isn't connected any more.`);
    // The process that created the note ended before the response.
    if (run.state === 'pending' && run.writeBeganAt !== null) {
      await this.#pause(run, { state: 'unclear', error: LOST_REPLY(ats.name), ms: 0 });
      run.state = 'unclear';
      return;
    }
    const note = { text: '', links: [], ...run.note, marker: markerOf(run.interviewId) };
    const stored = run.parts ? await this.#replace(run, note, signal) : null;
    const written = stored ?? (await this.#create(run, note, signal));
    if (written) await this.#finish(run, written);
  }

  /** Returns null if someone has deleted the note in the ATS. */
  async #replace(run: ClaimedPush, note: AtsNote, signal: AbortSignal): Promise<StoredNote | null> {
    const noteId = run.parts?.noteId ?? '';
    try {
      return await this.#ats.replaceNote(run.target, noteId, note, signal);
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.kind !== 'not_found') throw error;
      await repo.updateParts(this.#deps.db, run, null);
      run.parts = null;
      return null;
    }
  }

  /** Returns null if the push has to wait because a search may still find the note. */
  async #create(run: ClaimedPush, note: AtsNote, signal: AbortSignal): Promise<StoredNote | null> {
    const { db, retry } = this.#deps;
    // False while only a creation before the request, for another target, may have stored the note.
    const hasBegun = run.writeBeganAt !== null && run.writeBeganAt >= run.requestedAt;
    if (!run.isChecked && !hasBegun) await this.#check(run, signal);
    const found = await this.#ats.findNote(run.target, note.marker, signal);
    // Our own call stored it, with this content.
    if (found && hasBegun) return found;
    if (found) {
      // It belongs to an earlier row, for example of a deleted funnel.
      await repo.updateParts(db, run, found);
      Object.assign(run, { parts: { noteId: found.id, url: found.url }, writeBeganAt: null });
      return await this.#ats.replaceNote(run.target, found.id, note, signal);
    }
    const waitMs = run.writeBeganAt === null ? 0 : repeatAfterMs(retry, run.attempts) - run.ageMs;
    if (waitMs > 0) {
      await this.#pause(run, { state: 'unclear', error: LOST_REPLY(this.#ats.name), ms: this.#delayOf(run, waitMs) });
      return null;
    }
    run.writeBeganAt = await repo.updateWriteBegan(db, run);
    Object.assign(run, { attempts: run.attempts + 1, checks: 0 });
    try {
      return await this.#ats.createNote(run.target, note, signal);
    } catch (error) {
      if (isDefinite(error)) run.writeBeganAt = null;
      throw error;
    }
  }

  /** Used when the ATS was unavailable at the time of the request. */
  async #check(run: ClaimedPush, signal: AbortSignal): Promise<void> {
    const { db } = this.#deps;
    const { candidateId, ...job } = run.target;
    const email = (await repo.findContent(db, run.interviewId, null))?.email ?? '';
    const { name } = this.#ats;
    const candidates = await this.#ats.findCandidates({ email, jobId: job.jobId }, signal);
    const refusal =
      findCandidateRefusal(candidates, candidateId, name) ??
      findJobRefusal(await this.#ats.findJob(job, signal), job, name);
    if (refusal) throw new PushRefused(refusal.reason);
  }

  async #finish(run: ClaimedPush, note: StoredNote): Promise<void> {
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      await repo.updateSent(tx, run, note);
      await events.record(tx, 'ats.sent', { ...eventOf(run), isUpdate: run.sentAt !== null });
    });
  }

  async #settle(run: ClaimedPush, error: unknown): Promise<boolean> {
    if (error instanceof PushRefused) {
      await this.#stop(run, error.message);
      return true;
    }
    if (!(error instanceof UpstreamError)) return false;
    const { log, retry } = this.#deps;
    log.warn({ err: error, pushId: run.id, kind: reportedKind(error.kind) }, 'a note was not written into the ATS');
    if (error.kind === 'rate_limited') {
      const ms = Math.max(error.retryAfterMs ?? 0, retry.parkMs);
      await this.#pause(run, { state: run.writeBeganAt ? 'unclear' : 'pending', error: error.message, ms });
    } else if (isDefinite(error)) await this.#stop(run, error.message);
    else await this.#pause(run, { state: 'unclear', error: error.message, ms: this.#delayOf(run) });
    return true;
  }

  /** `maxMs` is the time until the creation may be repeated. */
  #delayOf({ checks }: ClaimedPush, maxMs = Number.POSITIVE_INFINITY): number {
    const { delaysMs, parkMs } = this.#deps.retry;
    return Math.min(delaysMs[checks] ?? parkMs, maxMs);
  }

  async #pause(run: ClaimedPush, { state, error, ms }: { state: PushPause['state']; error: string; ms: number }) {
    const { retry, events, queue, db } = this.#deps;
    const dueAt = new Date(Date.now() + ms);
    if (dueAt.getTime() > run.requestedAt.getTime() + retry.giveUpMs) return await this.#stop(run, error);
    const mayBeStored = run.writeBeganAt !== null;
    await db.transaction().execute(async (tx) => {
      await repo.updatePaused(tx, run, { state, error, dueAt, mayBeStored });
      await queue.enqueue(tx, this.job, { pushId: run.id }, dueAt);
      await events.record(tx, 'ats.progressed', eventOf(run));
    });
  }

  /** Ends the push until a user sends it again. */
  async #stop(run: ClaimedPush, error: string): Promise<void> {
    const { events, db } = this.#deps;
    const mayBeStored = run.writeBeganAt !== null;
    const state = mayBeStored ? 'unclear' : 'failed';
    await db.transaction().execute(async (tx) => {
      await repo.updatePaused(tx, run, { state, error, dueAt: null, mayBeStored });
      await events.record(tx, 'ats.failed', { ...eventOf(run), reason: error, isUnclear: mayBeStored });
    });
  }

  get #ats(): Ats {
    const { ats } = this.#deps;
    if (!ats) throw new PushRefused('No ATS is connected.');
    return ats;
  }
}

const LOST_REPLY = (name: string) =>
  `${name} didn't confirm the note. We're checking whether it was stored before we write it again.`;

const eventOf = ({ interviewId, title, funnelId, connectionId }: ClaimedPush) => ({
  interviewId,
  title,
  funnelId,
  ats: connectionId,
});
