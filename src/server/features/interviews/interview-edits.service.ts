import type { HandlerInput, ResponseOf } from '#contracts/endpoint.ts';
import type { getDestinationDefaults, saveSummary } from '#contracts/interviews.ts';
import { DEFAULT_DESTINATION_URL, parseDestination } from '#contracts/rules/destination.ts';
import type { SummaryStructure } from '#contracts/summaries.ts';
import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { updateFailedToDismissed, updateStatusToEnded } from './interview-steps.repo.ts';
import { findTextVersion, updateTexts } from './interview-texts.repo.ts';
import {
  type FormerDestination,
  findLastDestination,
  type StoredDestination,
  updateArchived,
  updateArchivedAll,
  updateDestination,
  updateDestinationAll,
  updateDestinationsToFormer,
} from './interviews.repo.ts';
import { interviewNotFound } from './interviews.service.ts';

export interface InterviewEditsDeps {
  db: Database;
  events: Events;
  /** The link to a job application, with `{employerId}` and `{jobId}`. */
  destinationUrl: string | undefined;
}

type EditedText =
  | { id: string; kind: 'transcript'; text: string }
  | { id: string; kind: 'summary'; text: string; structure: SummaryStructure | null };

/** Changes by staff. Changes of a single interview are recorded here. */
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

  /** Failed steps count as never started. @throws AppError not_found */
  async dismissFailures(id: string): Promise<{ message: string }> {
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const row = await updateFailedToDismissed(tx, id);
      if (!row) throw interviewNotFound();
      if (row.errors.length > 0) await events.record(tx, 'failures.dismissed', { interviewId: id, ...row });
    });
    return { message: 'The failed steps were dismissed.' };
  }

  /**
   * Stores a text written by staff. `basedOn` is the version of the text they started from; without
   * it, any stored text is replaced.
   * @throws AppError not_found; text_changed when the stored text has another version
   */
  async saveTranscript(id: string, text: string, basedOn: string | undefined): Promise<{ message: string }> {
    await this.#saveText({ id, kind: 'transcript', text }, basedOn);
    return { message: 'Transcript updated' };
  }

  /**
   * Like `saveTranscript`. A text alone is stored without a structure.
   */
  async saveSummary(
    id: string,
    { summaryText, structure, basedOn }: HandlerInput<typeof saveSummary>['body'],
  ): Promise<{ message: string }> {
    await this.#saveText({ id, kind: 'summary', text: summaryText, structure: structure ?? null }, basedOn);
    return { message: 'Summary updated' };
  }

  async #saveText(edited: EditedText, basedOn: string | undefined): Promise<void> {
    const { id, kind } = edited;
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      // The update locks the interview, so that its texts have one writer until the commit.
      const row = await updateStatusToEnded(tx, id, { step: kind === 'transcript' ? 'transcribe' : 'summarize' });
      if (!row) throw interviewNotFound();
      if (basedOn !== undefined && (await findTextVersion(tx, id, kind)) !== basedOn)
        throw new AppError('text_changed', `Someone else changed the ${kind} since you opened it.`);
      await updateTexts(
        tx,
        id,
        edited.kind === 'transcript'
          ? { transcription_text: edited.text }
          : { summary_text: edited.text, summary_structure: edited.structure },
      );
      await events.record(tx, 'interview.edited', { interviewId: id, title: row.title, text: kind });
    });
  }

  /** The initial values of Set Destination for an interview of this funnel. */
  async findDestinationDefaults(funnelId: number): Promise<ResponseOf<typeof getDestinationDefaults>> {
    const last = await findLastDestination(this.#deps.db, funnelId);
    if (!last) throw new AppError('not_found', 'This funnel no longer exists.');
    const destination = last.destinationId === null ? null : parseDestination(last.destinationId);
    return {
      employerId: destination?.employerId ?? null,
      linkTemplate: this.#deps.destinationUrl ?? DEFAULT_DESTINATION_URL,
    };
  }

  async setDestination(id: string, destinationId: string, notes: string | null): Promise<{ message: string }> {
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const row = await updateDestination(tx, id, { destinationId, notes });
      if (!row) throw interviewNotFound();
      await events.record(tx, 'interview.linked', { interviewId: id, title: row.title, destinationId });
    });
    return { message: 'Destination updated' };
  }

  /** Interviews must be locked. The caller records the changes. */
  async setArchivedAll(tx: Executor, ids: readonly string[], archiving: { isArchived: boolean }): Promise<void> {
    await updateArchivedAll(tx, ids, archiving);
  }

  /**
   * Interviews must be locked. The caller records the changes. Without new notes, interviews keep
   * theirs.
   */
  async setDestinationAll(tx: Executor, ids: readonly string[], destination: StoredDestination): Promise<void> {
    await updateDestinationAll(tx, ids, destination);
  }

  /** Interviews must be locked. The caller records the changes. */
  async restoreDestinations(tx: Executor, former: readonly FormerDestination[]): Promise<void> {
    await updateDestinationsToFormer(tx, former);
  }

  async #setArchived(id: string, { isArchived }: { isArchived: boolean }): Promise<void> {
    const { db, events } = this.#deps;
    const event = isArchived ? 'interview.archived' : 'interview.unarchived';
    await db.transaction().execute(async (tx) => {
      const row = await updateArchived(tx, id, { isArchived });
      if (!row) throw interviewNotFound();
      if (row.hasChanged) await events.record(tx, event, { interviewId: id, title: row.title });
    });
  }
}
