import type { Database, Executor } from '../../db/database.ts';
import { forgetJobsMentioning, hasOpenJobMentioning } from '../../jobs/mentioning-jobs.ts';
import { announce } from '../../live/bus.ts';
import type { Interviews } from '../interviews/interviews.service.ts';
import type { Logs } from '../logs/logs.service.ts';
import { type FileRemoval, REMOVE_FILES } from '../media/file-removal.service.ts';
import {
  deleteInterviews,
  type HeldInterview,
  interviewsOf,
  lockInterviews,
  redactProgress,
  redactSyncRecords,
} from './candidates.repo.ts';
import { type CandidateExport, viewCandidate, viewMention } from './candidates.view.ts';
import { formerValues } from './former-values.ts';
import { entriesMentioning, rewriteEntry } from './mentions.repo.ts';
import { pickMentions } from './pick-mentions.ts';
import { publishedVideo } from './published-video.ts';
import { redactEntry } from './redact-entry.ts';
import type { Pseudonym, Tombstones } from './tombstones.service.ts';
import type { Traces } from './traces.ts';
import type { UnwantedVideo, VideoRemoval } from './video-removal.service.ts';

export interface CandidateDependencies {
  db: Database;
  logs: Logs;
  interviews: Pick<Interviews, 'filesOf'>;
  tombstones: Tombstones;
  removal: FileRemoval;
  videoRemoval: VideoRemoval;
}

/** What is held of a candidate, counted. */
export interface Holding {
  interviews: number;
  files: number;
  transcripts: number;
  summaries: number;
  logEntries: number;
  videos: UnwantedVideo[];
}

export interface Erasure extends Holding {
  /** Files and published videos go after the commit; resolves with whether all of them are gone. */
  isFinished(): Promise<boolean>;
  /** Published videos that are there still, with the reason where the host would not remove them. */
  videosLeft(): Promise<(UnwantedVideo & { failure: string | null })[]>;
  /** Once it is finished: the queue forgets what it was asked to do. */
  forget(): Promise<void>;
}

/** What a candidate may ask for: to be told what is held of them, and to be forgotten. */
export class Candidates {
  readonly #on: CandidateDependencies;

  constructor(dependencies: CandidateDependencies) {
    this.#on = dependencies;
  }

  async find(email: string): Promise<Holding> {
    const { db } = this.#on;
    const held = await interviewsOf(db, email);
    const traces = await this.#traces(db, held, email);
    let logEntries = 0;
    for await (const entry of entriesMentioning(db, traces)) if (pickMentions(entry, traces)) logEntries += 1;
    return { ...this.#count(held), logEntries };
  }

  async export(email: string): Promise<CandidateExport> {
    const { db } = this.#on;
    const held = await interviewsOf(db, email);
    const traces = await this.#traces(db, held, email);
    const mentions: CandidateExport['logMentions'] = [];
    for await (const entry of entriesMentioning(db, traces)) {
      const picked = pickMentions(entry, traces);
      if (picked) mentions.push(viewMention(entry, picked));
    }
    return viewCandidate(email, held, mentions);
  }

  /**
   * Removes all that is held of the candidate in one transaction, and leaves marks that keep the interviews from coming back. Files and
   * published videos are removed after the commit, by the product, for as long as it takes.
   */
  async erase(email: string): Promise<Erasure> {
    const erased = await this.#on.db.transaction().execute((tx) => this.#erase(tx, email));
    const { db, videoRemoval } = this.#on;
    const { pseudonyms, ...holding } = erased;
    const ids = holding.videos.map(({ id }) => id);
    const videosLeft = async () => (await videoRemoval.left()).filter(({ id }) => ids.includes(id));
    return {
      ...holding,
      videosLeft,
      isFinished: async () =>
        !(await hasOpenJobMentioning(db, REMOVE_FILES.name, pseudonyms)) &&
        (await videosLeft()).every(({ failure }) => failure !== null),
      forget: () => forgetJobsMentioning(db, pseudonyms),
    };
  }

  async #erase(tx: Executor, email: string) {
    const { tombstones, removal, videoRemoval, logs } = this.#on;
    await tombstones.begin(tx);
    const ids = (await interviewsOf(tx, email)).map(({ id }) => id);
    await lockInterviews(tx, ids);
    // Read anew: a file that was just fetched is named by now.
    const held = await interviewsOf(tx, email);
    const pseudonym = await tombstones.put(tx, { ids, email });
    const traces = await this.#traces(tx, held, email);
    const logEntries = await this.#redactLog(tx, traces, pseudonym);
    await forgetJobsMentioning(tx, ids, pseudonym);
    await deleteInterviews(tx, ids);
    await redactSyncRecords(tx, ids, pseudonym);
    await redactProgress(tx, [...traces.texts, ...held.map(({ title }) => title), ...ids]);

    const counts = this.#count(held);
    await removal.enqueue(
      tx,
      held.flatMap((interview) =>
        this.#on.interviews.filesOf(interview).map((file) => ({ ...file, interviewId: pseudonym(interview.id) })),
      ),
    );
    await videoRemoval.enqueue(tx, counts.videos);
    const { videos, ...details } = { ...counts, logEntries };
    await logs.write(tx, {
      type: 'system',
      action: 'erase-candidate',
      status: 'success',
      summary: 'A candidate was erased at their request.',
      details: { ...details, publishedVideos: videos.length },
    });
    await announce(tx, 'interviews', 'erased');
    return { ...counts, logEntries, pseudonyms: ids.map(pseudonym) };
  }

  async #redactLog(tx: Executor, traces: Traces, pseudonym: Pseudonym): Promise<number> {
    let redacted = 0;
    for await (const entry of entriesMentioning(tx, traces)) {
      const { summary, details, metadata } = entry;
      const before = { summary, details, metadata };
      const after = redactEntry(before, traces, pseudonym);
      if (JSON.stringify(after) === JSON.stringify(before)) continue;
      await rewriteEntry(tx, entry.id, after);
      redacted += 1;
    }
    return redacted;
  }

  /** With what the candidate was called earlier, as far as the log knows. */
  async #traces(db: Executor, held: readonly HeldInterview[], email: string): Promise<Traces> {
    const ids = held.map(({ id }) => id);
    const texts = new Set([email.trim(), ...held.flatMap((interview) => tracesOf(interview, this.#on.interviews))]);
    for await (const entry of entriesMentioning(db, { ids, texts: [] }))
      for (const value of formerValues(entry, ids)) texts.add(value);
    return { ids, texts: [...texts] };
  }

  #count(held: readonly HeldInterview[]): Omit<Holding, 'logEntries'> {
    return {
      interviews: held.length,
      files: held.reduce(
        (sum, { video_file, thumbnail_file }) => sum + Number(!!video_file) + Number(!!thumbnail_file),
        0,
      ),
      transcripts: held.filter(({ text }) => text?.transcription_text).length,
      summaries: held.filter(({ text }) => text?.summary_text).length,
      videos: held.flatMap((interview) => publishedVideo(interview) ?? []),
    };
  }
}

function tracesOf(interview: HeldInterview, interviews: Pick<Interviews, 'filesOf'>): string[] {
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
    ...interviews.filesOf(interview).map(({ name }) => name),
  ].filter((text) => text !== null && text !== undefined);
}
