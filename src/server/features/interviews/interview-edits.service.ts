import type { ResponseOf } from '#contracts/endpoint.ts';
import type { getDestinationDefaults, setDestination } from '#contracts/interviews.ts';
import { DEFAULT_DESTINATION_URL, parseDestination } from '#contracts/rules/destination.ts';
import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { ConnectedAts } from '#server/features/ats/connected-ats.service.ts';
import { visibleFunnels } from '#server/request-context.ts';
import type { FormerDestination, StoredDestination } from './interviews.repo.ts';
import * as repo from './interviews.repo.ts';
import { interviewNotFound } from './interviews.service.ts';

export interface InterviewEditsDeps {
  db: Database;
  events: Events;
  ats: Pick<ConnectedAts, 'findDestinationWarning'>;
  /** The link to a job application, with `{employerId}` and `{jobId}`. */
  destinationUrl: string | undefined;
}

/**
 * Changes by staff, except of what steps write. Changes of a single interview are recorded here.
 */
export class InterviewEdits {
  readonly #deps: InterviewEditsDeps;

  constructor(deps: InterviewEditsDeps) {
    this.#deps = deps;
  }

  async archive(id: string): Promise<{ message: string }> {
    await this.#setArchived(id, { isArchived: true });
    return { message: 'The interview has been archived.' };
  }

  async unarchive(id: string): Promise<{ message: string }> {
    await this.#setArchived(id, { isArchived: false });
    return { message: 'The interview is back in the list.' };
  }

  /** The initial values of Set Destination for an interview of this funnel. */
  async findDestinationDefaults(funnelId: number): Promise<ResponseOf<typeof getDestinationDefaults>> {
    const last = await repo.findLastDestination(this.#deps.db, funnelId, visibleFunnels());
    if (!last) throw new AppError('not_found', 'This funnel no longer exists.');
    const destination = last.destinationId === null ? null : parseDestination(last.destinationId);
    return {
      employerId: destination?.employerId ?? null,
      linkTemplate: this.#deps.destinationUrl ?? DEFAULT_DESTINATION_URL,
    };
  }

  /** Every destination is saved. The response has a warning if the ATS has no such open job. */
  async setDestination(
    id: string,
    destinationId: string,
    notes: string | null,
  ): Promise<ResponseOf<typeof setDestination>> {
    const { db, events, ats } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const row = await repo.updateDestination(tx, id, { destinationId, notes });
      if (!row) throw interviewNotFound();
      await events.record(tx, 'interview.linked', { interviewId: id, ...row, destinationId });
    });
    return { message: 'Destination updated', warning: await ats.findDestinationWarning(destinationId) };
  }

  /** Interviews must be locked. The caller records the changes. */
  async setArchivedAll(tx: Executor, ids: readonly string[], archiving: { isArchived: boolean }): Promise<void> {
    await repo.updateArchivedAll(tx, ids, archiving);
  }

  /**
   * Interviews must be locked. The caller records the changes. Without new notes, interviews keep
   * theirs.
   */
  async setDestinationAll(tx: Executor, ids: readonly string[], destination: StoredDestination): Promise<void> {
    await repo.updateDestinationAll(tx, ids, destination);
  }

  /** Interviews must be locked. The caller records the changes. */
  async restoreDestinations(tx: Executor, former: readonly FormerDestination[]): Promise<void> {
    await repo.updateDestinationsToFormer(tx, former);
  }

  async #setArchived(id: string, { isArchived }: { isArchived: boolean }): Promise<void> {
    const { db, events } = this.#deps;
    const event = isArchived ? 'interview.archived' : 'interview.unarchived';
    await db.transaction().execute(async (tx) => {
      const row = await repo.updateArchived(tx, id, { isArchived });
      if (!row) throw interviewNotFound();
      if (row.hasChanged) await events.record(tx, event, { interviewId: id, ...row });
    });
  }
}
