import { comparableEmail } from '#server/comparable-email.ts';
import { lockErasure, lockKeyRotation } from '#server/db/advisory-locks.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { NoteRemoval, PendingNote } from '#server/features/ats-pushes/note-removal.service.ts';
import type { DeletedInterviews, StoredDeletedInterview } from '#server/features/erasure/deleted-interviews.service.ts';
import type { ErasureList } from '#server/features/erasure/erasure-list.service.ts';
import { ERASED_TITLE, type Pseudonym, type Tombstones } from '#server/features/erasure/tombstones.service.ts';
import type { PendingRemoval, UnwantedVideo, VideoRemoval } from '#server/features/erasure/video-removal.service.ts';
import type { Interviews } from '#server/features/interviews/interviews.service.ts';
import { findMentions, redactMentions, type StoredLogEntry } from '#server/features/logs/mentions.service.ts';
import type { FileRemoval } from '#server/features/media/file-removal.service.ts';
import { findNoticesAbout } from '#server/features/notices/notices.service.ts';
import { deleteSavedViewsWith } from '#server/features/saved-views/saved-views.service.ts';
import { eraseFromShares, findSharedWith, type Viewer } from '#server/features/shares/candidate-shares.service.ts';
import { redactRefreshes } from '#server/features/sync/sync.service.ts';
import {
  deleteErasedUploads,
  findIncomingUploads,
  findUploadsAbout,
} from '#server/features/uploads/candidate-uploads.service.ts';
import { deleteJobsMentioning, hasOpenJobMentioning } from '#server/jobs/jobs.repo.ts';
import type { WrittenNote } from '#server/ports/ats.ts';
import {
  type CandidateInterview,
  listCandidateInterviews,
  listErasableInterviews,
  type Subject,
  searchInterviews,
} from './candidates.repo.ts';
import {
  type CandidateData,
  type CandidateExport,
  type FoundCandidate,
  viewCandidate,
  viewDeleted,
  viewFound,
  viewIncoming,
  viewMention,
} from './candidates.view.ts';
import { pickMentions } from './pick-mentions.ts';
import { ERASED_VALUE, redactEntry } from './redact-entry.ts';
import { formerValues, mentionQuery, patternsOf, searchedTexts, type Traces, wholeWords } from './traces.ts';

export type { Subject } from './candidates.repo.ts';
export type { FoundCandidate } from './candidates.view.ts';

/** The amount of data about a candidate, and the published videos. */
export interface CandidateCounts {
  interviews: number;
  files: number;
  transcripts: number;
  summaries: number;
  logEntries: number;
  /** Interviews that were deleted with their funnel, of which log entries may be left. */
  deletedInterviews: number;
  videos: UnwantedVideo[];
  /** Notes that are or may be in the ATS. */
  atsNotes: number;
}

export interface CandidateDeps {
  db: Database;
  events: Events;
  interviews: Pick<Interviews, 'filesOf' | 'lockForDeletion' | 'delete'>;
  tombstones: Tombstones;
  deletedInterviews: DeletedInterviews;
  erasureList: ErasureList;
  removal: FileRemoval;
  videoRemoval: VideoRemoval;
  noteRemoval: Pick<NoteRemoval, 'enqueue' | 'listPending' | 'listWritten'>;
}

/** An erasure that is committed. Files and published videos are removed by jobs afterwards. */
export interface Erasure extends CandidateCounts {
  /** Uploads to the video host that had not ended. */
  uploads: number;
  /** Recipients of links who have watched the candidate. */
  viewers: Viewer[];
  /**
   * True when all files, published videos and notes are removed, or the service has refused to
   * delete one.
   */
  isFinished(): Promise<boolean>;
  videosLeft(): Promise<PendingRemoval[]>;
  notesLeft(): Promise<PendingNote[]>;
  /** Deletes finished jobs about the erased interviews. */
  deleteFinishedJobs(): Promise<void>;
  /** Removes erased values from dead rows and from the planner's statistics. Call it last. */
  vacuum(): Promise<void>;
}

/** Interviews in memory at a time. */
const BATCH_SIZE = 1_000;

interface Holding extends Pick<CandidateData, 'interviews' | 'deleted' | 'uploads'> {
  /** Includes notes about interviews that were deleted with their funnel. */
  notes: readonly WrittenNote[];
}

/** Requests of candidates: an export of the data stored about them, and its erasure. */
export class Candidates {
  readonly #deps: CandidateDeps;

  constructor(deps: CandidateDeps) {
    this.#deps = deps;
  }

  /** Searches ids, names, emails, phone numbers and titles, to find out whom to export or erase. */
  async search(text: string): Promise<FoundCandidate[]> {
    const { db, deletedInterviews } = this.#deps;
    const found = (await searchInterviews(db, text)).map(viewFound);
    found.push(...(await findIncomingUploads(db, text)).map(viewIncoming));
    for await (const batch of deletedInterviews.listAll(db))
      found.push(...batch.filter((one) => containsText(one, text)).map(viewDeleted));
    return found;
  }

  /** True when an earlier command has erased the subject, perhaps without its last steps. */
  hasErased(subject: Subject): Promise<boolean> {
    return this.#deps.tombstones.hasErased(this.#deps.db, subject);
  }

  async count(subject: Subject): Promise<CandidateCounts> {
    const { db } = this.#deps;
    const holding = await this.#find(db, subject);
    const traces = await this.#traces(db, holding, subject);
    let logEntries = 0;
    for await (const entry of mentions(db, traces)) if (pickMentions(entry, traces)) logEntries += 1;
    return { ...(await this.#count(db, holding)), logEntries };
  }

  async export(subject: Subject): Promise<CandidateExport> {
    const { db, events } = this.#deps;
    const holding = await this.#find(db, subject);
    const traces = await this.#traces(db, holding, subject);
    const logMentions: ReturnType<typeof viewMention>[] = [];
    for await (const entry of mentions(db, traces)) {
      const picked = pickMentions(entry, traces);
      if (picked) logMentions.push(viewMention(entry, picked));
    }
    const interviewIds = holding.interviews.map(({ id }) => id);
    await events.record(db, 'candidate.exported', { interviewIds });
    const sharedWith = await findSharedWith(db, interviewIds);
    const notices = await findNoticesAbout(db, interviewIds);
    return viewCandidate(subject, { ...holding, sharedWith, notices, logMentions });
  }

  /**
   * Deletes all data about the candidate in one transaction and stores tombstones, so that a
   * refresh does not sync it again. Files and published videos are removed by jobs after the
   * commit.
   */
  async erase(subject: Subject): Promise<Erasure> {
    const { db, videoRemoval, noteRemoval, removal, tombstones } = this.#deps;
    await this.repeatErasures();
    const { pseudonyms, noteRemovalIds, ...counts } = await db
      .transaction()
      .execute((tx) => this.#erase(tx, subject, { isRepeated: false }));
    await this.repeatErasures();
    const videoIds = counts.videos.map(({ id }) => id);
    const videosLeft = async () => (await videoRemoval.listPending(db)).filter(({ id }) => videoIds.includes(id));
    const notesLeft = () => noteRemoval.listPending(db, noteRemovalIds);
    return {
      ...counts,
      ...{ videosLeft, notesLeft },
      isFinished: async () =>
        !(await hasOpenJobMentioning(db, removal.job.name, pseudonyms)) &&
        [...(await videosLeft()), ...(await notesLeft())].every(({ failure }) => failure !== null),
      deleteFinishedJobs: () => deleteJobsMentioning(db, pseudonyms, { kept: this.#keptJobs }),
      vacuum: () => tombstones.removeTraces(db),
    };
  }

  /**
   * Repeats erasures that are in the list in DATA_DIR and not in the database, because it was
   * restored from an older backup. Then stores all erasures in the list.
   * @throws AppError conflict when the list cannot be read or is of another installation
   */
  async repeatErasures(): Promise<void> {
    const { db, tombstones, erasureList } = this.#deps;
    const hasRepeated = await db.transaction().execute(async (tx) => {
      await lockErasure(tx);
      await lockKeyRotation(tx);
      const listed = await erasureList.read();
      const lacksSome = listed !== null && (await tombstones.addErasures(tx, listed));
      if (lacksSome) await this.#repeatErasures(tx);
      // Under the lock: another process would replace the file with older content.
      const all = await tombstones.listErasures(tx);
      if (all) await erasureList.write(all);
      return lacksSome;
    });
    if (hasRepeated) await tombstones.removeTraces(db);
  }

  /** These jobs also contain files of other candidates. */
  get #keptJobs(): string[] {
    return [this.#deps.removal.job.name];
  }

  /** Erases the interviews that have marks already. */
  async #repeatErasures(tx: Executor): Promise<void> {
    const { tombstones, deletedInterviews } = this.#deps;
    const interviewIds: string[] = [];
    for (let last = ''; ; ) {
      const rows = await listErasableInterviews(tx, last, BATCH_SIZE);
      interviewIds.push(...(await tombstones.findErased(tx, rows)).keys());
      if (rows.length < BATCH_SIZE) break;
      last = rows.at(-1)?.id ?? '';
    }
    for await (const batch of deletedInterviews.listAll(tx)) {
      const rows = batch.map(({ id, email, deletedAt }) => ({
        id,
        candidateEmail: email,
        createdAt: deletedAt,
        recordedAt: deletedAt,
      }));
      interviewIds.push(...(await tombstones.findErased(tx, rows)).keys());
    }
    if (interviewIds.length > 0) await this.#erase(tx, { emails: [], interviewIds }, { isRepeated: true });
  }

  async #erase(tx: Executor, subject: Subject, { isRepeated }: { isRepeated: boolean }) {
    const { interviews, tombstones, deletedInterviews, removal, videoRemoval, noteRemoval, events } = this.#deps;
    await lockErasure(tx);
    const ids = (await listCandidateInterviews(tx, subject)).map(({ id }) => id);
    await interviews.lockForDeletion(tx, ids);
    // Read again under the lock: a download may have stored the name of a file in the meantime.
    const held = await this.#find(tx, subject);
    const traces = await this.#traces(tx, held, subject);
    const pseudonym = await tombstones.markErased(tx, { ids: traces.ids, emails: subject.emails });
    const counts = { ...(await this.#count(tx, held)), logEntries: await redactLog(tx, traces, pseudonym) };
    await deleteJobsMentioning(tx, traces.ids, { replacement: pseudonym, kept: this.#keptJobs });
    const patterns = patternsOf(traces);
    const redact = (text: string) => patterns.reduce((left, pattern) => left.replace(pattern, ERASED_VALUE), text);
    const viewers = await eraseFromShares(tx, ids, redact);
    await interviews.delete(tx, ids);
    await deletedInterviews.delete(tx, held.deleted);
    await deleteSavedViewsWith(tx, searchedTexts(traces).map(wholeWords));
    const names = [...traces.texts, ...held.interviews.map(({ title }) => title), ...traces.ids];
    await redactRefreshes(tx, { ids: traces.ids, pseudonym, title: ERASED_TITLE, value: ERASED_VALUE, names });
    const uploadIds = held.uploads.map(({ id }) => id);
    const files = [
      ...held.interviews.flatMap((one) => interviews.filesOf(one).map((file) => ({ ...file, interviewId: one.id }))),
      ...(await deleteErasedUploads(tx, uploadIds)),
    ];
    await removal.enqueue(
      tx,
      files.map((file) => ({ ...file, interviewId: pseudonym(file.interviewId) })),
    );
    await videoRemoval.enqueue(tx, counts.videos, { isErased: true });
    const unfinished = held.interviews.flatMap(({ published }) => published?.session ?? []);
    await videoRemoval.enqueueUploads(tx, unfinished, { isErased: true });
    const { videos, ...amounts } = counts;
    const noteRemovalIds = await noteRemoval.enqueue(tx, held.notes);
    await events.record(tx, 'candidate.erased', {
      isRepeated,
      funnelIds: [...new Set(held.interviews.map(({ funnel_id }) => funnel_id))],
      counts: { ...amounts, publishedVideos: videos.length },
    });
    return { ...counts, viewers, noteRemovalIds, uploads: unfinished.length, pseudonyms: traces.ids.map(pseudonym) };
  }

  async #find(db: Executor, subject: Subject): Promise<Holding> {
    const interviews = await listCandidateInterviews(db, subject);
    const interviewIds = interviews.map(({ id }) => id);
    const ids = [...subject.interviewIds, ...interviewIds];
    const deleted = await this.#deps.deletedInterviews.list(db, { emails: subject.emails, ids });
    const written = await this.#deps.noteRemoval.listWritten(db, interviewIds);
    return {
      interviews,
      deleted,
      notes: [...written.values(), ...deleted.map(({ notes }) => notes ?? [])].flat(),
      uploads: await findUploadsAbout(db, { emails: subject.emails.map(comparableEmail), ids }),
    };
  }

  /** Includes former names and addresses that the log contains. */
  async #traces(
    db: Executor,
    { interviews, deleted, uploads }: Holding,
    { emails, interviewIds }: Subject,
  ): Promise<Traces> {
    const ids = [...new Set([...interviewIds, ...[...interviews, ...deleted, ...uploads].map(({ id }) => id)])];
    const names = interviews.flatMap((one) => this.#deps.interviews.filesOf(one).map(({ name }) => name));
    const found = [
      ...emails.map((email) => email.trim()),
      ...names,
      ...interviews.flatMap(identifyingTexts),
      ...deleted.flatMap(({ name, email, phone, texts, video }) => [
        name,
        email,
        phone,
        ...texts,
        video?.id,
        video?.url,
      ]),
      ...uploads.flatMap(({ candidate_name, candidate_email }) => [candidate_name, candidate_email]),
    ];
    const texts = new Set(found.filter((text) => text !== null && text !== undefined));
    for await (const entry of mentions(db, { ids, texts: [] }))
      for (const value of formerValues(entry, ids)) texts.add(value);
    return { ids, texts: [...texts] };
  }

  /** Counts the videos of deleted interviews that are not removed yet. */
  async #count(
    db: Executor,
    { interviews, deleted, uploads, notes }: Holding,
  ): Promise<Omit<CandidateCounts, 'logEntries'>> {
    const deletedIds = new Set(deleted.map(({ video }) => video?.id));
    const pending = (await this.#deps.videoRemoval.listPending(db)).filter(({ id }) => deletedIds.has(id));
    const videos = [...interviews.flatMap((one) => publishedVideo(one) ?? []), ...pending];
    return {
      interviews: interviews.length,
      files:
        interviews
          .flatMap((interview) => [interview, ...interview.segments])
          .flatMap(({ video_file, thumbnail_file }) => [video_file, thumbnail_file])
          .filter(Boolean).length +
        uploads.filter(({ id }) => !interviews.some((interview) => interview.id === id)).length,
      transcripts: interviews.filter(({ text }) => text?.transcription_text).length,
      summaries: interviews.filter(({ text }) => text?.summary_text).length,
      deletedInterviews: new Set(deleted.map(({ id }) => id)).size,
      videos: videos.map(({ id, url }) => ({ id, url })),
      atsNotes: notes.length,
    };
  }
}

const mentions = (db: Executor, traces: Traces): AsyncGenerator<StoredLogEntry> =>
  findMentions(db, mentionQuery(traces));

/** Returns the number of changed entries. */
const redactLog = (tx: Executor, traces: Traces, pseudonym: Pseudonym): Promise<number> =>
  redactMentions(tx, mentionQuery(traces), (content) => redactEntry(content, traces, pseudonym));

/** The host may have the video before it can be watched. */
function publishedVideo({ youtube_id, youtube_url, published }: CandidateInterview): UnwantedVideo | null {
  const id = youtube_id ?? published?.video_id;
  return id ? { id, url: youtube_url ?? published?.video_url ?? '' } : null;
}

function identifyingTexts(interview: CandidateInterview) {
  const video = publishedVideo(interview);
  return [
    interview.candidate_name,
    interview.candidate_email,
    interview.candidate_phone,
    interview.original_url,
    interview.video_url,
    interview.thumbnail_url,
    ...interview.segments.flatMap(({ video_url, thumbnail_url }) => [video_url, thumbnail_url]),
    video?.id,
    video?.url,
  ];
}

const containsText = ({ id, name, email, phone }: StoredDeletedInterview, text: string): boolean =>
  comparable([id, name, email, phone].filter((part) => part !== null).join('\n')).includes(comparable(text));

const comparable = (text: string) => text.normalize('NFC').toLowerCase();
