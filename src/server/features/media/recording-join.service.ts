import { z } from 'zod';
import type { Claims } from '#server/db/claims.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Segments, StoredRecordings } from '#server/features/interviews/segments/segments.service.ts';
import { defineJob } from '#server/jobs/job.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { Log } from '#server/ports/log.ts';
import { type JoinOutcome, type Recordings, UnreadableRecording } from '#server/ports/recordings.ts';
import type { FileRemoval } from './file-removal.service.ts';

interface RecordingJoinDeps {
  db: Database;
  segments: Segments;
  recordings: Recordings;
  claims: Claims;
  queue: Pick<JobQueue, 'enqueueAll'>;
  removal: Pick<FileRemoval, 'enqueue'>;
  log: Log;
}

/** Joins the recordings of an interview into one file, which becomes its video. */
export class RecordingJoin {
  readonly #deps: RecordingJoinDeps;
  readonly job = defineJob({
    name: 'media.join-recordings',
    /** An interview whose recordings have arrived. `baseName` is the name of the joined file. */
    payload: z.object({ interviewId: z.string(), baseName: z.string() }),
    /** Takes about an hour with the delays: an unavailable store usually returns by then. */
    retries: 60,
    concurrency: 1,
    isKept: false,
    run: ({ interviewId, baseName }, { signal }) => this.#joinInBackground(interviewId, baseName, signal),
  });

  constructor(deps: RecordingJoinDeps) {
    this.#deps = deps;
  }

  /** Enqueues a join for each of these interviews whose recordings have all arrived. */
  async enqueueComplete(tx: Executor, interviewIds: readonly string[]): Promise<void> {
    if (interviewIds.length === 0) return;
    const { segments, queue } = this.#deps;
    const complete = await segments.listRecordings(tx, interviewIds);
    const joins = complete.flatMap(({ interviewId, baseName, isJoined }) =>
      isJoined ? [] : [{ interviewId, baseName }],
    );
    await queue.enqueueAll(tx, this.job, joins);
  }

  /**
   * Joins the recordings and stores the result. Resolves with null when the interview was deleted
   * or has other recordings in the meantime. An interrupted join may be repeated.
   * @throws UnreadableRecording, FileStoreError
   */
  async join(stored: StoredRecordings, signal: AbortSignal): Promise<JoinOutcome | null> {
    const { db, segments, recordings, claims, removal } = this.#deps;
    const { interviewId, baseName, files } = stored;
    const outcome = await claims.runExclusively(`join ${baseName}`, signal, () =>
      recordings.join(files, baseName, signal),
    );
    if (outcome.status === 'different') return outcome;
    return db.transaction().execute(async (tx) => {
      const attached = await segments.attachJoined(tx, stored, outcome);
      const unused = attached ? attached.replaced : outcome.name;
      if (unused !== null) await removal.enqueue(tx, [{ interviewId, kind: 'video', name: unused }]);
      return attached ? outcome : null;
    });
  }

  async #joinInBackground(interviewId: string, baseName: string, signal: AbortSignal): Promise<void> {
    const { db, segments, removal, log } = this.#deps;
    const [stored] = await segments.listRecordings(db, [interviewId]);
    if (stored?.baseName !== baseName) {
      // An earlier attempt may have been killed after it wrote the file. A file in use is kept.
      const files = segments.joinedFiles(baseName);
      await removal.enqueue(
        db,
        files.map((file) => ({ interviewId, ...file })),
      );
      return;
    }
    if (stored.isJoined) return;
    try {
      const outcome = await this.join(stored, signal);
      if (outcome?.status !== 'different') return;
      log.info({ interviewId, reason: outcome.reason }, 'recordings differ and are not joined');
    } catch (error) {
      if (!(error instanceof UnreadableRecording)) throw error;
      log.warn({ err: error, interviewId }, 'recordings cannot be joined');
    }
    await segments.keepSeparate(stored);
  }
}
