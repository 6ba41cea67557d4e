import type { Database, Executor } from '#server/db/database.ts';
import { ERASED_TITLE, type Pseudonym, type Tombstones } from '#server/features/erasure/tombstones.service.ts';
import type { PendingRemoval, UnwantedVideo, VideoRemoval } from '#server/features/erasure/video-removal.service.ts';
import type { Interviews } from '#server/features/interviews/interviews.service.ts';
import { type Logs, logMentions, type StoredLogEntry } from '#server/features/logs/logs.service.ts';
import { type FileRemoval, REMOVE_FILES } from '#server/features/media/file-removal.service.ts';
import { redactProgress, redactRecords } from '#server/features/sync/sync.service.ts';
import { deleteJobsMentioning, hasOpenJobMentioning } from '#server/jobs/jobs.repo.ts';
import { announce } from '#server/live/bus.ts';
import { type CandidateInterview, listCandidateInterviews } from './candidates.repo.ts';
import { type CandidateExport, viewCandidate, viewMention } from './candidates.view.ts';
import { type CandidateCounts, erasureEntry } from './candidates-log.ts';
import { pickMentions } from './pick-mentions.ts';
import { ERASED_VALUE, redactEntry } from './redact-entry.ts';
import { formerValues, mentionQuery, type Traces } from './traces.ts';

export type { CandidateCounts };

export interface CandidateDeps {
  db: Database;
  logs: Logs;
  interviews: Pick<Interviews, 'filesOf' | 'lockForDeletion' | 'delete'>;
  tombstones: Tombstones;
  removal: FileRemoval;
  videoRemoval: VideoRemoval;
}

/** An erasure that is committed. Files and published videos are removed by jobs afterwards. */
export interface Erasure extends CandidateCounts {
  /**
   * True when all files and published videos are removed, or the host has refused to delete a
   * video.
   */
  isFinished(): Promise<boolean>;
  videosLeft(): Promise<PendingRemoval[]>;
  /** Deletes the finished jobs, which contain names of files. */
  forget(): Promise<void>;
}

/** Requests of candidates: an export of the data stored about them, and its erasure. */
export class Candidates {
  readonly #deps: CandidateDeps;

  constructor(deps: CandidateDeps) {
    this.#deps = deps;
  }

  async find(email: string): Promise<CandidateCounts> {
    const { db } = this.#deps;
    const interviews = await listCandidateInterviews(db, email);
    const traces = await this.#traces(db, interviews, email);
    let logEntries = 0;
    for await (const entry of mentions(db, traces)) if (pickMentions(entry, traces)) logEntries += 1;
    return { ...countHolding(interviews), logEntries };
  }

  async export(email: string): Promise<CandidateExport> {
    const { db } = this.#deps;
    const interviews = await listCandidateInterviews(db, email);
    const traces = await this.#traces(db, interviews, email);
    const logMentions: CandidateExport['logMentions'] = [];
    for await (const entry of mentions(db, traces)) {
      const picked = pickMentions(entry, traces);
      if (picked) logMentions.push(viewMention(entry, picked));
    }
    return viewCandidate(email, interviews, logMentions);
  }

  /**
   * Deletes all data about the candidate in one transaction and stores tombstones, so that a
   * refresh does not import it again. Files and published videos are removed by jobs after the
   * commit.
   */
  async erase(email: string): Promise<Erasure> {
    const { db, videoRemoval } = this.#deps;
    const { pseudonyms, ...holding } = await db.transaction().execute((tx) => this.#erase(tx, email));
    const videoIds = holding.videos.map(({ id }) => id);
    const videosLeft = async () => (await videoRemoval.listPending()).filter(({ id }) => videoIds.includes(id));
    return {
      ...holding,
      videosLeft,
      isFinished: async () =>
        !(await hasOpenJobMentioning(db, REMOVE_FILES.name, pseudonyms)) &&
        (await videosLeft()).every(({ failure }) => failure !== null),
      forget: () => deleteJobsMentioning(db, pseudonyms),
    };
  }

  async #erase(tx: Executor, email: string) {
    const { interviews, tombstones, removal, videoRemoval, logs } = this.#deps;
    await tombstones.lockErasure(tx);
    const ids = (await listCandidateInterviews(tx, email)).map(({ id }) => id);
    await interviews.lockForDeletion(tx, ids);
    // Read again under the lock: a download may have stored the name of a file in the meantime.
    const held = await listCandidateInterviews(tx, email);
    const pseudonym = await tombstones.markErased(tx, { ids, email });
    const traces = await this.#traces(tx, held, email);
    const holding = { ...countHolding(held), logEntries: await redactLog(tx, traces, pseudonym) };
    await deleteJobsMentioning(tx, ids, pseudonym);
    await interviews.delete(tx, ids);
    await redactRecords(tx, { ids, pseudonym, title: ERASED_TITLE, value: ERASED_VALUE });
    await redactProgress(tx, [...traces.texts, ...held.map(({ title }) => title), ...ids]);
    const files = held.flatMap((interview) =>
      interviews.filesOf(interview).map((file) => ({ ...file, interviewId: pseudonym(interview.id) })),
    );
    await removal.enqueue(tx, files);
    await videoRemoval.enqueue(tx, holding.videos);
    await logs.write(tx, erasureEntry(holding));
    await announce(tx, 'interviews', 'erased');
    return { ...holding, pseudonyms: ids.map(pseudonym) };
  }

  /** Includes former names and addresses that the log contains. */
  async #traces(db: Executor, interviews: readonly CandidateInterview[], email: string): Promise<Traces> {
    const ids = interviews.map(({ id }) => id);
    const names = interviews.flatMap((one) => this.#deps.interviews.filesOf(one).map(({ name }) => name));
    const texts = new Set([email.trim(), ...names, ...interviews.flatMap(identifyingTexts)]);
    for await (const entry of mentions(db, { ids, texts: [] }))
      for (const value of formerValues(entry, ids)) texts.add(value);
    return { ids, texts: [...texts] };
  }
}

const mentions = (db: Executor, traces: Traces): AsyncGenerator<StoredLogEntry> =>
  logMentions.listMentions(db, mentionQuery(traces));

/** Returns the number of changed entries. */
async function redactLog(tx: Executor, traces: Traces, pseudonym: Pseudonym): Promise<number> {
  let count = 0;
  for await (const { id, summary, details, metadata } of mentions(tx, traces)) {
    const before = { summary, details, metadata };
    const after = redactEntry(before, traces, pseudonym);
    if (JSON.stringify(after) === JSON.stringify(before)) continue;
    await logMentions.updateEntryTexts(tx, id, after);
    count += 1;
  }
  return count;
}

function countHolding(interviews: readonly CandidateInterview[]): Omit<CandidateCounts, 'logEntries'> {
  return {
    interviews: interviews.length,
    files: interviews.flatMap(({ video_file, thumbnail_file }) => [video_file, thumbnail_file]).filter(Boolean).length,
    transcripts: interviews.filter(({ text }) => text?.transcription_text).length,
    summaries: interviews.filter(({ text }) => text?.summary_text).length,
    videos: interviews.flatMap((interview) => publishedVideo(interview) ?? []),
  };
}

/** The host may have the video before it can be watched. */
function publishedVideo({ youtube_id, youtube_url, published }: CandidateInterview): UnwantedVideo | null {
  const id = youtube_id ?? published?.video_id;
  return id ? { id, url: youtube_url ?? published?.video_url ?? '' } : null;
}

function identifyingTexts(interview: CandidateInterview): string[] {
  const video = publishedVideo(interview);
  return [
    interview.candidate_name,
    interview.candidate_email,
    interview.candidate_phone,
    interview.original_url,
    interview.video_url,
    interview.thumbnail_url,
    video?.id,
    video?.url,
  ].filter((text) => text !== null && text !== undefined);
}
