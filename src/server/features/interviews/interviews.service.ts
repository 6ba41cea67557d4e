import type { AtsPush } from '#contracts/ats-pushes.ts';
import type { BulkFilter } from '#contracts/bulk.ts';
import type { HandlerInput, ResponseOf } from '#contracts/endpoint.ts';
import type { Interview, InterviewDetails, ListQuery, listInterviews, VideoInfo } from '#contracts/interviews.ts';
import type { AnswerStart, getReview } from '#contracts/review.ts';
import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { DeletedInterview } from '#server/features/erasure/deleted-interviews.service.ts';
import { ERASED_REASON, ERASED_TITLE, type Tombstones } from '#server/features/erasure/tombstones.service.ts';
import type { WrittenNote } from '#server/ports/ats.ts';
import type { FileKind } from '#server/ports/file-store.ts';
import type { SourceInterview } from '#server/ports/interview-source.ts';
import type { UploadSession } from '#server/ports/video-host.ts';
import { currentActor, isFunnelVisible, visibleFunnels } from '#server/request-context.ts';
import {
  type DownloadedFile,
  listFileColumns,
  updateFileNames,
  updateFileUrl,
  updateUploadedFiles,
} from './interview-files.repo.ts';
import {
  baseName,
  type FileColumns,
  filesIn,
  filesOf,
  type InterviewFile,
  namedFiles,
  type StoredInterviewFile,
} from './interview-files.ts';
import type { InterviewRow, StoredInterview } from './interviews.repo.ts';
import * as repo from './interviews.repo.ts';
import {
  type ViewOptions,
  viewDeletedInterview,
  viewInterview,
  viewPush,
  viewSegment,
  viewVideo,
} from './interviews.view.ts';
import { findMarks, NO_MARKS } from './listing/find-marks.ts';
import { InterviewListing } from './listing/interview-listing.ts';
import { type ListingFilter, listingFilter } from './listing/listing-filter.ts';
import { type ListedRow, streamListedRows } from './listing/listing-rows.repo.ts';
import { lockInterviews } from './merge-page.repo.ts';
import { type MergeOutcome, mergePage } from './merge-page.ts';
import { findPush } from './push.repo.ts';
import { listAnswers } from './review/answers.repo.ts';
import { findMatches } from './search/find-matches.ts';
import { listSegments } from './segments/segments.repo.ts';
import { sourceOfUploaded, type UploadedInterview } from './uploaded-interview.ts';
import type { Viewings } from './viewings.ts';

export type { DownloadedFile } from './interview-files.repo.ts';
export type { InterviewFile } from './interview-files.ts';
export type { FormerDestination, RecordedInterview, StoredInterview } from './interviews.repo.ts';
export type { MergeOutcome } from './merge-page.ts';
export type { Viewings } from './viewings.ts';

export interface InterviewDeps extends ViewOptions {
  db: Database;
  viewings: Pick<Viewings, 'recordPlaying' | 'recordReading' | 'recordRemoteLoading'>;
  tombstones: Tombstones;
  /** Implemented by `ats-pushes`, which depends on this feature. */
  noteRemoval: {
    /** Blocks workers that are about to write notes about these interviews. */
    lockPushes(tx: Executor, interviewIds: readonly string[]): Promise<void>;
    /** The notes that are or may be in the ATS, by interview. */
    listWritten(tx: Executor, interviewIds: readonly string[]): Promise<Map<string, WrittenNote[]>>;
  };
}

/** The parts of a list's query that decide what it contains. */
type StreamInput = BulkFilter & Pick<ListQuery, 'sort'> & { ids: readonly string[] | null; batchSize: number };

/** An interview of a list without its texts. */
export type ExportedInterview = Interview & { funnelName: string };

/** Interviews that one statement deletes. */
const DELETION_BATCH_SIZE = 1_000;

/** Deleted interviews, and the files that are stored for them. */
interface DeletedBatch {
  interviews: DeletedInterview[];
  files: StoredInterviewFile[];
  uploads: UploadSession[];
}

export const interviewNotFound = () => new AppError('not_found', 'This interview no longer exists.');

/**
 * The interviews as staff read them, and what other features read and write in their transactions.
 * `InterviewEdits` has the changes that staff make.
 */
export class Interviews {
  readonly #deps: InterviewDeps;
  readonly #listing: InterviewListing;

  constructor(deps: InterviewDeps) {
    this.#deps = deps;
    this.#listing = new InterviewListing(deps.db);
  }

  async list(query: ListQuery): Promise<ResponseOf<typeof listInterviews>> {
    const { page, limit } = query;
    const filter = await this.#filterOf(query);
    const { accountId } = currentActor();
    const texts = query.texts === 'true';
    const { rows, total, failures } = await this.#listing.read({
      ...{ filter, page, limit, order: query.sort ?? 'newest', texts, accountId },
    });
    this.#recordReading(rows);
    const matches = await findMatches(this.#deps.db, rows, filter.words);
    const interviews = rows.map((row) => ({
      ...viewInterview(row, this.#deps),
      match: matches.get(row.id) ?? null,
    }));
    return { interviews, total, failures };
  }

  /** The ids of all interviews that a list with this filter contains, `limit` at most. */
  async listIds(tx: Executor, filter: BulkFilter, limit: number): Promise<string[]> {
    return this.#listing.listIds(tx, await this.#filterOf(filter), limit);
  }

  /**
   * All interviews of a list, in its order and of one moment, `batchSize` at a time and without
   * texts; only those with `ids` unless it is null. The second value are the funnels that the list
   * is limited to; null for all.
   */
  async stream({ ids, batchSize, ...query }: StreamInput): Promise<{
    batches: AsyncGenerator<ExportedInterview[]>;
    funnelIds: readonly number[] | null;
  }> {
    const filter = await this.#filterOf(query);
    const { accountId } = currentActor();
    const rows = streamListedRows(this.#deps.db, { filter, ids, order: query.sort ?? 'newest', accountId }, batchSize);
    const view = (row: ListedRow) => ({ ...viewInterview(row, this.#deps), funnelName: row.funnel_name });
    const batches = (async function* () {
      for await (const batch of rows) yield batch.map(view);
    })();
    return { batches, funnelIds: filter.funnelIds };
  }

  /** Counts those that the caller sees. */
  countWithDestination(db: Executor, ids: readonly string[]): Promise<number> {
    return repo.countWithDestination(db, ids, visibleFunnels());
  }

  /** Removes interviews of other funnels than these. Default: those that the caller sees. */
  async keepVisible(db: Executor, ids: string[], funnelIds = visibleFunnels()): Promise<string[]> {
    if (funnelIds === null) return ids;
    const visible = new Set(await repo.listIdsInFunnels(db, ids, funnelIds));
    return ids.filter((id) => visible.has(id));
  }

  /** Locks the given interviews that exist, in id order, before a bulk edit or start. */
  lockAll(tx: Executor, ids: readonly string[]): Promise<StoredInterview[]> {
    return lockInterviews(tx, ids);
  }

  /** Counts and durations of the interviews of a filter that the account has not watched. */
  async review({ skip, ...query }: HandlerInput<typeof getReview>['query']): Promise<ResponseOf<typeof getReview>> {
    const filter = await this.#filterOf(query);
    const unwatched = await this.#filterOf({ ...query, unwatched: '1' });
    const withoutTranscript = listingFilter(
      { ...query, search: undefined, withoutTranscript: '1' },
      { ...NO_MARKS, visibleFunnelIds: visibleFunnels() },
    );
    return {
      unwatched: await this.#listing.count(unwatched),
      withoutTranscript: filter.words.length > 0 ? await this.#listing.count(withoutTranscript) : null,
      seconds:
        skip === undefined ? null : await this.#listing.durationAfter(filter, { skip, order: query.sort ?? 'newest' }),
    };
  }

  async find(id: string): Promise<InterviewDetails> {
    return this.#viewDetails(await this.#findRow(id));
  }

  /** Omits transcript and summary. */
  async findWithoutTexts(id: string): Promise<InterviewDetails> {
    return this.#viewDetails({ ...(await this.#findRow(id)), transcription_text: null, summary_text: null });
  }

  async #viewDetails(row: InterviewRow): Promise<InterviewDetails> {
    this.#recordReading([row]);
    const segments = await listSegments(this.#deps.db, [row.id]);
    return { ...viewInterview(row, this.#deps), segments: segments.map(viewSegment) };
  }

  /** The note in the connected ATS. */
  async findPush(db: Executor, id: string): Promise<AtsPush | null> {
    return viewPush(await findPush(db, id), this.#deps.atsName);
  }

  async findVideo(id: string): Promise<VideoInfo> {
    const row = await this.#findRow(id);
    const video = viewVideo(row, await listSegments(this.#deps.db, [id]), this.#deps);
    if (!video.hasLocalCopy && video.videoUrl !== null) this.#deps.viewings.recordRemoteLoading(row);
    return video;
  }

  async recordPlaying(id: string): Promise<{ message: string }> {
    const row = await this.#findRow(id);
    const { hasLocalCopy, videoUrl, segments } = viewVideo(row, await listSegments(this.#deps.db, [id]), this.#deps);
    if (!hasLocalCopy && videoUrl === null && segments.every(({ videoFile }) => videoFile === null))
      throw new AppError('not_found', 'This interview has no recording.');
    this.#deps.viewings.recordPlaying(row);
    return { message: 'Recorded as played' };
  }

  /** Where the answers of each of these interviews start. */
  listAnswers(ids: readonly string[]): Promise<Map<string, AnswerStart[]>> {
    return listAnswers(this.#deps.db, ids);
  }

  /** @throws AppError `not_found` when the caller does not see the interview */
  async expectVisible(id: string): Promise<void> {
    const funnelId = await this.findFunnelId(id);
    if (funnelId === undefined || !isFunnelVisible(funnelId)) throw interviewNotFound();
  }

  /** Undefined when the interview does not exist. */
  findFunnelId(id: string): Promise<number | undefined> {
    return repo.findFunnelOf(this.#deps.db, id);
  }

  /** Where the file of an interview is stored, and where it comes from. */
  async findFile(id: string, kind: FileKind): Promise<{ name: string | null; url: string | null }> {
    const files = filesIn(await this.#findRow(id));
    return files.find((file) => file.kind === kind) ?? { name: null, url: null };
  }

  async updateDuration(id: string, duration: number): Promise<{ duration: number }> {
    if (!(await repo.updateDuration(this.#deps.db, id, duration))) throw interviewNotFound();
    return { duration };
  }

  /**
   * Merges a page of the interview service into a funnel, without the interviews of erased
   * candidates, and returns the ids of those as well.
   * @throws AppError conflict when the erased interviews cannot be determined
   */
  async mergePage(
    tx: Executor,
    funnelId: number,
    interviews: readonly SourceInterview[],
  ): Promise<MergeOutcome & { erased: ReadonlySet<string> }> {
    const erased = await this.#deps.tombstones.findErased(tx, interviews);
    const allowed = interviews.filter(({ id }) => !erased.has(id));
    const outcome = await mergePage(tx, funnelId, allowed);
    const skipped = [...erased.values()].map((pseudonym) => ({
      interviewId: pseudonym,
      title: ERASED_TITLE,
      reason: ERASED_REASON,
    }));
    return { ...outcome, skipped: [...outcome.skipped, ...skipped], erased: new Set(erased.keys()) };
  }

  /**
   * Adds an interview whose files staff have uploaded. Returns false when its candidate was erased
   * after the recording.
   * @throws AppError conflict when the erased interviews cannot be determined
   */
  async insertUploaded(tx: Executor, funnelId: number, uploaded: UploadedInterview): Promise<boolean> {
    const { newIds } = await this.mergePage(tx, funnelId, [sourceOfUploaded(uploaded)]);
    await updateUploadedFiles(tx, uploaded.id, uploaded);
    return newIds.length > 0;
  }

  /** The name of an interview's file in the store, without the extension. */
  baseName({ interviewId, url }: InterviewFile): string {
    return baseName(interviewId, url);
  }

  /** The files that an interview names, and those that a download or a join may be writing. */
  filesOf(interview: FileColumns): StoredInterviewFile[] {
    return filesOf(interview);
  }

  /** `filesOf` for each of these interviews that exists. */
  async filesOfAll(tx: Executor, ids: readonly string[]): Promise<StoredInterviewFile[]> {
    return (await listFileColumns(tx, ids)).flatMap(filesOf);
  }

  /**
   * Stores downloaded files. Returns for each the name it replaced, or undefined where the
   * interview was deleted or got another URL in the meantime.
   */
  attachFiles(tx: Executor, files: readonly DownloadedFile[]): Promise<({ replaced: string | null } | undefined)[]> {
    return updateFileNames(tx, files);
  }

  /** Stores a new URL that replaces an expired one. */
  renewUrl(tx: Executor, file: InterviewFile): Promise<void> {
    return updateFileUrl(tx, file);
  }

  /**
   * Returns when the interview was created at the interview service; undefined when it does not
   * exist.
   */
  async findCreatedAt(id: string): Promise<Date | undefined> {
    return (await repo.findInterview(this.#deps.db, id, null))?.created_at;
  }

  /** Locks interviews before `delete`. */
  async lockForDeletion(tx: Executor, ids: readonly string[]): Promise<void> {
    await repo.lockForDeletion(tx, ids);
    await this.#deps.noteRemoval.lockPushes(tx, ids);
  }

  async delete(tx: Executor, ids: readonly string[]): Promise<void> {
    await repo.deleteInterviews(tx, ids);
  }

  /** Archived interviews count too. */
  countOfFunnel(funnelId: number): Promise<{ interviews: number; recordings: number }> {
    return repo.countInterviewsOfFunnel(this.#deps.db, funnelId);
  }

  /**
   * Deletes all interviews of a funnel in batches. Their files and videos are left to the caller.
   */
  async *deleteOfFunnel(tx: Executor, funnelId: number): AsyncGenerator<DeletedBatch> {
    const { noteRemoval } = this.#deps;
    await repo.lockFunnelForDeletion(tx, funnelId);
    for (;;) {
      const ids = await repo.listIdsOfFunnel(tx, funnelId, DELETION_BATCH_SIZE);
      if (ids.length === 0) return;
      await noteRemoval.lockPushes(tx, ids);
      const notes = await noteRemoval.listWritten(tx, ids);
      const rows = await repo.deleteListedInterviews(tx, ids);
      yield {
        interviews: rows.map((row) => viewDeletedInterview(row, notes.get(row.id) ?? [])),
        files: rows.flatMap(namedFiles),
        uploads: rows.flatMap(({ session }) => session ?? []),
      };
    }
  }

  /** Limited to the funnels that the caller sees. */
  async #filterOf(query: BulkFilter): Promise<ListingFilter> {
    const { accountId } = currentActor();
    const marks = accountId === null ? NO_MARKS : await findMarks(this.#deps.db, accountId, query);
    return listingFilter(query, { ...marks, visibleFunnelIds: visibleFunnels() });
  }

  #recordReading(rows: readonly Pick<InterviewRow, 'id' | 'title' | 'funnel_id' | 'transcription_text'>[]): void {
    this.#deps.viewings.recordReading(rows.filter((row) => row.transcription_text !== null));
  }

  async #findRow(id: string): Promise<InterviewRow> {
    const row = await repo.findInterview(this.#deps.db, id, currentActor().accountId);
    if (!row) throw interviewNotFound();
    return row;
  }
}
