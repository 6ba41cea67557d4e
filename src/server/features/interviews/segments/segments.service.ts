import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { filesNamed, joinedName, type StoredInterviewFile } from '#server/features/interviews/interview-files.ts';
import { findFunnelOf, lockVideoFile, updateJoined } from '#server/features/interviews/interviews.repo.ts';
import type { JoinOutcome } from '#server/ports/recordings.ts';
import { listSegments, listUnready, type StoredSegment, updateCannotJoin, updateStarts } from './segments.repo.ts';

export type { StoredSegment } from './segments.repo.ts';

/** The recordings of an interview, all of which are stored. */
export interface StoredRecordings {
  interviewId: string;
  /** In the order of the answers, like `files`. */
  segmentIds: string[];
  files: string[];
  /** The name of the joined recording without its extension. */
  baseName: string;
  /** True when the interview has the joined recording. */
  isJoined: boolean;
}

/** The answers of interviews that have a recording for each answer. */
export class Segments {
  readonly #db: Database;
  readonly #events: Events;

  constructor(db: Database, events: Events) {
    this.#db = db;
    this.#events = events;
  }

  /** Lists the segments in order. Empty for a single recording. */
  list(interviewId: string): Promise<StoredSegment[]> {
    return listSegments(this.#db, [interviewId]);
  }

  /** Lists the recordings of these interviews, except of those that wait for a recording. */
  async listRecordings(tx: Executor, interviewIds: readonly string[]): Promise<StoredRecordings[]> {
    const segments = Map.groupBy(await listSegments(tx, interviewIds), (row) => row.interview_id);
    return [...segments].flatMap(([interviewId, rows]) => storedRecordings(interviewId, rows) ?? []);
  }

  /** Returns the given interviews that have a recording for at least one answer. */
  async listRecorded(tx: Executor, interviewIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await listSegments(tx, interviewIds);
    return new Set(rows.flatMap((row) => ((row.video_url ?? row.video_file) ? [row.interview_id] : [])));
  }

  /**
   * Lists interviews of a funnel with recordings that the service still processed at the last
   * refresh.
   */
  listUnready(db: Executor, funnelId: number, recordedAfter?: Date): Promise<{ id: string; createdAt: Date }[]> {
    return listUnready(db, funnelId, recordedAfter);
  }

  /** Stores that these recordings stay separate. */
  async keepSeparate({ interviewId, segmentIds }: Pick<StoredRecordings, 'interviewId' | 'segmentIds'>): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await updateCannotJoin(tx, interviewId, segmentIds);
      const funnelId = await findFunnelOf(tx, interviewId);
      if (funnelId !== undefined) await this.#events.record(tx, 'recordings.joined', { interviewId, funnelId });
    });
  }

  /** The complete and partial files that a join to `baseName` may have written. */
  joinedFiles(baseName: string): Pick<StoredInterviewFile, 'kind' | 'name'>[] {
    return filesNamed('video', baseName);
  }

  /**
   * Stores the recording that was joined from `files`. Returns the name it
   * replaced, or undefined where the interview was deleted or got other recordings in the meantime.
   */
  async attachJoined(
    tx: Executor,
    { interviewId, files }: Pick<StoredRecordings, 'interviewId' | 'files'>,
    { name, startSeconds, durationSeconds }: Extract<JoinOutcome, { status: 'joined' }>,
  ): Promise<{ replaced: string | null } | undefined> {
    const stored = await lockVideoFile(tx, interviewId);
    const [now] = await this.listRecordings(tx, [interviewId]);
    if (!stored || now?.files.join() !== files.join()) return undefined;
    const ends = [...startSeconds.slice(1), durationSeconds];
    await updateStarts(tx, interviewId, {
      segmentIds: now.segmentIds,
      startSeconds,
      seconds: startSeconds.map((start, index) => (ends[index] ?? start) - start),
    });
    await updateJoined(tx, interviewId, { name, seconds: Math.max(1, Math.round(durationSeconds)) });
    await this.#events.record(tx, 'recordings.joined', { interviewId, funnelId: stored.funnel_id });
    return { replaced: stored.video_file === name ? null : stored.video_file };
  }
}

/** Returns null without recordings, and while one is missing. */
function storedRecordings(interviewId: string, segments: readonly StoredSegment[]): StoredRecordings | null {
  if (segments.some(({ is_ready }) => !is_ready)) return null;
  const recorded = segments.filter(({ video_url, video_file }) => video_url !== null || video_file !== null);
  const files = recorded.flatMap(({ video_file }) => video_file ?? []);
  if (files.length === 0 || files.length < recorded.length) return null;
  return {
    interviewId,
    segmentIds: recorded.map(({ source_id }) => source_id),
    files,
    baseName: joinedName(interviewId, files),
    isJoined: recorded.every(({ start_seconds }) => start_seconds !== null),
  };
}
