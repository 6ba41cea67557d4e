import { z } from 'zod';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { defineJob } from '#server/jobs/job.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { Ats, WrittenNote } from '#server/ports/ats.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import {
  deleteRemoval,
  findRemoval,
  insertRemovals,
  listRemovals,
  listWrittenNotes,
  lockPushes,
  type PendingNote,
  type RemovalRow,
  updateRemovalFailure,
} from './note-removal.repo.ts';

export type { PendingNote } from './note-removal.repo.ts';

/** Interval of searches for a note that may have been stored. */
const SEARCH_INTERVAL_MS = 20_000;

interface NoteRemovalDeps {
  db: Database;
  queue: Pick<JobQueue, 'enqueue' | 'hasOpenJob'>;
  events: Events;
  /** Null if no ATS is configured. */
  ats: Ats | null;
}

/** Removes notes about erased candidates from the ATS, and retries for days. */
export class NoteRemoval {
  readonly #deps: NoteRemovalDeps;
  readonly job = defineJob({
    name: 'ats.remove-note',
    payload: z.object({ removalId: z.int() }),
    /** With the delays in between, more than two days. */
    retries: 3_000,
    concurrency: 1,
    run: ({ removalId }, { signal }) => this.#attempt(removalId, signal),
  });

  constructor(deps: NoteRemovalDeps) {
    this.#deps = deps;
  }

  /** Blocks workers that are about to write notes about these interviews. */
  async lockPushes(tx: Executor, interviewIds: readonly string[]): Promise<void> {
    await lockPushes(tx, interviewIds);
  }

  /** The notes about these interviews that are or may be in the ATS, by interview. */
  listWritten(db: Executor, interviewIds: readonly string[]): Promise<Map<string, WrittenNote[]>> {
    return listWrittenNotes(db, interviewIds);
  }

  /** Returns the ids of the removals. */
  async enqueue(tx: Executor, notes: readonly WrittenNote[]): Promise<number[]> {
    if (notes.length === 0) return [];
    const ids = await insertRemovals(tx, notes);
    for (const removalId of ids) await this.#deps.queue.enqueue(tx, this.job, { removalId });
    return ids;
  }

  /** Lists the removals that have not ended, out of these. */
  async listPending(db: Executor, ids: readonly number[]): Promise<PendingNote[]> {
    return (await listRemovals(db)).filter(({ id }) => ids.includes(id));
  }

  /** Retries rejected removals, in case the connection works again. Called on startup. */
  async retryRefused(): Promise<void> {
    const { db, queue, ats } = this.#deps;
    if (!ats) return;
    for (const { id: removalId } of await listRemovals(db))
      if (!(await queue.hasOpenJob(this.job, { removalId }))) await queue.enqueue(db, this.job, { removalId });
  }

  async #attempt(id: number, signal: AbortSignal): Promise<void> {
    const { db, ats } = this.#deps;
    const removal = await findRemoval(db, id);
    if (!removal) return;
    const { connectionId } = removal;
    if (ats?.name !== connectionId) return this.#recordRefusal(removal, `${connectionId} isn't connected.`);
    try {
      await this.#remove(ats, removal, signal);
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.isRetryable) throw error;
      await this.#recordRefusal(removal, error.message);
    }
  }

  async #remove(ats: Ats, removal: RemovalRow, signal: AbortSignal): Promise<void> {
    const { db, queue } = this.#deps;
    const { id, target, marker } = removal;
    const noteId = removal.noteId ?? (await ats.findNote(target, marker, signal))?.id;
    if (noteId !== undefined) await ats.removeNote(target, noteId, signal);
    else if (removal.maySearch) {
      await queue.enqueue(db, this.job, { removalId: id }, new Date(Date.now() + SEARCH_INTERVAL_MS));
      return;
    }
    await deleteRemoval(db, id);
  }

  /** Retried on the next startup; until then, a user may delete the note in the ATS. */
  async #recordRefusal({ id, connectionId }: RemovalRow, reason: string): Promise<void> {
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      if (await updateRemovalFailure(tx, id, reason))
        await events.record(tx, 'ats-removal.refused', { ats: connectionId, reason });
    });
  }
}
