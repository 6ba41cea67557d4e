import { z } from 'zod';
import type { Database, Executor } from '../../db/database.ts';
import { defineJob } from '../../jobs/job.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import { UpstreamError } from '../../ports/upstream-error.ts';
import type { VideoHost } from '../../ports/video-host.ts';
import type { Logs } from '../logs/logs.service.ts';
import {
  allRemovals,
  forgetRemoval,
  insertRemovals,
  isWanted,
  noteFailure,
  type UnwantedVideo,
} from './video-removal.repo.ts';

export type { UnwantedVideo };

const REMOVE_VIDEO = { name: 'candidates.remove-video', payload: z.object({ videoId: z.string() }) };
/** With the waits between them more than two days: a used-up quota comes back at midnight in Los Angeles. */
const RETRIES = 3_000;

interface VideoRemovalDependencies {
  db: Database;
  queue: Pick<JobQueue, 'enqueue' | 'holds'>;
  logs: Logs;
  /** Null when the installation has none. */
  videoHost: VideoHost | null;
}

/** Removes published videos of erased candidates from the video host, however often it or the process fails before it is done. */
export class VideoRemoval {
  readonly #on: VideoRemovalDependencies;
  readonly job;

  constructor(dependencies: VideoRemovalDependencies) {
    this.#on = dependencies;
    this.job = defineJob({
      ...REMOVE_VIDEO,
      retries: RETRIES,
      concurrency: 1,
      run: ({ videoId }, { signal }) => this.#remove(videoId, signal),
    });
  }

  /** With the surrounding transaction. */
  async enqueue(tx: Executor, videos: readonly UnwantedVideo[]): Promise<void> {
    await insertRemovals(tx, videos);
    for (const { id } of videos) await this.#on.queue.enqueue(tx, REMOVE_VIDEO, { videoId: id });
  }

  /** What the host still has, with the reason where it would not remove it. */
  async left(): Promise<(UnwantedVideo & { failure: string | null })[]> {
    return allRemovals(this.#on.db);
  }

  /** Tries again what the host refused: the permission may be another one since. For the start of the product. */
  async retryRefused(): Promise<void> {
    const { db, queue, videoHost } = this.#on;
    if (!videoHost) return;
    for (const { id } of await allRemovals(db))
      if (!(await queue.holds(REMOVE_VIDEO, { videoId: id }))) await queue.enqueue(db, REMOVE_VIDEO, { videoId: id });
  }

  async #remove(videoId: string, signal: AbortSignal): Promise<void> {
    const { db, videoHost } = this.#on;
    if (!(await isWanted(db, videoId))) return;
    if (!videoHost) return this.#refused(videoId, 'YouTube is not connected to this installation.');
    try {
      await videoHost.remove(videoId, signal);
      await forgetRemoval(db, videoId);
    } catch (error) {
      // What may pass stays in the queue.
      if (!(error instanceof UpstreamError) || error.passing) throw error;
      await this.#refused(videoId, error.message);
    }
  }

  /** Asked for again at the next start; until then somebody may delete it by hand. */
  async #refused(videoId: string, reason: string): Promise<void> {
    const { db, logs } = this.#on;
    await db.transaction().execute(async (tx) => {
      if (!(await noteFailure(tx, videoId, reason))) return;
      await logs.write(tx, {
        type: 'error',
        action: 'remove-published-video',
        status: 'error',
        summary: 'The published video of an erased candidate could not be deleted. It has to be deleted by hand.',
        details: { error: reason },
      });
    });
  }
}
