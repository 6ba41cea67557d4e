import type { Answer } from '#contracts/endpoint.ts';
import type { Interview, ListQuery, listInterviews, VideoInfo } from '#contracts/interviews.ts';
import { AppError } from '../../app-error.ts';
import type { Database, Executor } from '../../db/database.ts';
import { announce } from '../../live/bus.ts';
import type { FileKind } from '../../ports/file-store.ts';
import type { SourceInterview } from '../../ports/interview-source.ts';
import { ERASED_REASON, ERASED_TITLE, type Tombstones } from '../candidates/tombstones.service.ts';
import type { Logs } from '../logs/logs.service.ts';
import { fileName } from './file-names.ts';
import { type FileColumns, filesOf } from './files-of.ts';
import { type ImportOutcome, importPage } from './import-page.ts';
import {
  attachFiles,
  completeTextStep,
  fileColumns,
  fillDuration,
  findInterview,
  renewUrl,
  setArchived,
  storeDestination,
  storeText,
  type TextKind,
  textVersion,
} from './interviews.repo.ts';
import { type InterviewRow, viewInterview, viewVideo } from './interviews.view.ts';
import { listingFilter } from './listing-filter.ts';
import { InterviewListing } from './listing-page.ts';

export type { ImportOutcome };

/** A file in the store, and whose it is. */
export interface NamedFile {
  interviewId: string;
  kind: FileKind;
  name: string;
}

export interface InterviewDependencies {
  db: Database;
  logs: Logs;
  tombstones: Tombstones;
  /** The link to a job application, with `{employerId}` and `{jobId}`. */
  destinationUrl: string | undefined;
}

/** A video or thumbnail as the source names it. */
export interface InterviewFile {
  interviewId: string;
  kind: FileKind;
  url: string;
}

export interface EditedText {
  id: string;
  kind: TextKind;
  text: string;
}

interface WrittenText {
  text: string;
  basedOn: string | undefined;
}
type AfterEdit = (tx: Executor, edited: EditedText) => Promise<void>;

export const interviewGone = () => new AppError('not_found', 'This interview no longer exists.');

/** What staff do with interviews that are here. */
export class Interviews {
  readonly #on: InterviewDependencies;
  readonly #listing: InterviewListing;
  /** What belongs to a text that somebody has written. Set by the processing feature: it knows interviews, not the reverse. */
  #afterEdit: AfterEdit = async () => {};

  constructor(dependencies: InterviewDependencies) {
    this.#on = dependencies;
    this.#listing = new InterviewListing(dependencies.db);
  }

  afterEdit(work: AfterEdit): void {
    this.#afterEdit = work;
  }

  async list(query: ListQuery): Promise<Answer<typeof listInterviews>> {
    const { page, limit } = query;
    const { rows, total } = await this.#listing.read({
      filter: listingFilter(query),
      page,
      limit,
      texts: query.texts === 'true',
    });
    return { interviews: rows.map((row) => viewInterview(row, this.#on.destinationUrl)), total };
  }

  async find(id: string): Promise<Interview> {
    return viewInterview(await this.#row(id), this.#on.destinationUrl);
  }

  async video(id: string): Promise<VideoInfo> {
    return viewVideo(await this.#row(id));
  }

  async updateDuration(id: string, seconds: number): Promise<{ duration: number }> {
    const duration = await fillDuration(this.#on.db, id, seconds);
    if (duration === undefined) throw interviewGone();
    return { duration };
  }

  async archive(id: string): Promise<{ message: string }> {
    return this.#setArchived(id, true);
  }

  async unarchive(id: string): Promise<{ message: string }> {
    return this.#setArchived(id, false);
  }

  /**
   * Stores what somebody has written. `basedOn` is the version of the text that they began with; without it, whatever is there is replaced.
   * @throws AppError `not_found`; `text_changed` when the text is of another version by now
   */
  async saveText(kind: TextKind, id: string, { text, basedOn }: WrittenText): Promise<{ message: string }> {
    await this.#edit(id, `update-${kind}`, `The ${kind} was edited`, async (tx) => {
      const row = await completeTextStep(tx, id, kind);
      if (!row) return undefined;
      if (basedOn !== undefined && (await textVersion(tx, id, kind)) !== basedOn) {
        throw new AppError('text_changed', `Somebody else has changed the ${kind} since you opened it.`);
      }
      await storeText(tx, id, { kind, text });
      await this.#afterEdit(tx, { id, kind, text });
      return row;
    });
    return { message: kind === 'transcript' ? 'Transcript updated' : 'Summary updated' };
  }

  async setDestination(id: string, destinationId: string, notes: string | null): Promise<{ message: string }> {
    await this.#edit(id, 'set-destination', `The destination was set to ${destinationId}`, (tx) =>
      storeDestination(tx, id, { destinationId, notes }),
    );
    return { message: 'Destination updated' };
  }

  /** Writes a page of the source, without those that were erased; for refreshes. @throws AppError when who was erased cannot be read */
  async importPage(
    tx: Executor,
    funnelId: number,
    interviews: readonly SourceInterview[],
  ): Promise<ImportOutcome & { erased: ReadonlySet<string> }> {
    const erased = await this.#on.tombstones.among(tx, interviews);
    const outcome = await importPage(
      tx,
      funnelId,
      interviews.filter(({ id }) => !erased.has(id)),
    );
    const skipped = [...erased.values()].map((id) => ({ interviewId: id, title: ERASED_TITLE, reason: ERASED_REASON }));
    return { ...outcome, skipped: [...outcome.skipped, ...skipped], erased: new Set(erased.keys()) };
  }

  /** The store's name for a file of an interview. */
  fileName(file: InterviewFile): string {
    return fileName(file.kind, file.interviewId, file.url);
  }

  /** The files of an interview: those that it names, and those that a download may just be writing. */
  filesOf(interview: FileColumns): Pick<NamedFile, 'kind' | 'name'>[] {
    return filesOf(interview);
  }

  /** The same of those of these interviews that are there. */
  async filesOfAll(tx: Executor, ids: readonly string[]): Promise<NamedFile[]> {
    const rows = await fileColumns(tx, ids);
    return rows.flatMap((row) => filesOf(row).map((file) => ({ ...file, interviewId: row.id })));
  }

  /**
   * Names fetched files on their interviews and fills in the lengths (seconds) of those of which none is known. Resolves, file by file,
   * with the name that it replaced, or undefined when the interview is gone or means another file by now.
   */
  attachFiles(
    tx: Executor,
    files: readonly (InterviewFile & { seconds: number | null })[],
  ): Promise<({ replaced: string | null } | undefined)[]> {
    return attachFiles(
      tx,
      files.map((file) => ({ ...file, name: this.fileName(file) })),
    );
  }

  /** Stores an address that was read anew because the old one had expired. */
  renewUrl(tx: Executor, file: InterviewFile): Promise<void> {
    return renewUrl(tx, file);
  }

  /** When the interview was created at the service; undefined when it is gone. */
  async createdAt(id: string): Promise<Date | undefined> {
    return (await findInterview(this.#on.db, id))?.created_at;
  }

  async #setArchived(id: string, archived: boolean): Promise<{ message: string }> {
    const what = archived ? 'archived' : 'taken back from the archive';
    await this.#on.db.transaction().execute(async (tx) => {
      const result = await setArchived(tx, id, archived);
      if (!result) throw interviewGone();
      if (!result.changed) return;
      await announce(tx, 'edit', id);
      await this.#on.logs.write(tx, {
        type: 'system',
        action: archived ? 'archive-interview' : 'unarchive-interview',
        status: 'success',
        summary: `Interview "${shortTitle(result.title)}" was ${what}.`,
        metadata: { interviewId: id },
      });
    });
    return { message: archived ? 'The interview has been archived.' : 'The interview is back in the list.' };
  }

  async #edit(
    id: string,
    action: string,
    what: string,
    change: (tx: Executor) => Promise<{ title: string } | undefined>,
  ): Promise<void> {
    await this.#on.db.transaction().execute(async (tx) => {
      const row = await change(tx);
      if (!row) throw interviewGone();
      await announce(tx, 'edit', id);
      await this.#on.logs.write(tx, {
        type: 'system',
        action,
        status: 'success',
        summary: `${what} of interview "${shortTitle(row.title)}".`,
        metadata: { interviewId: id },
      });
    });
  }

  async #row(id: string): Promise<InterviewRow> {
    const row = await findInterview(this.#on.db, id);
    if (!row) throw interviewGone();
    return row;
  }
}

/** A title as the log tells it. */
export const shortTitle = (title: string) => (title.length > 120 ? `${title.slice(0, 119)}…` : title);
