import { z } from 'zod';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { defineJob } from '#server/jobs/job.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import type { UploadSession, VideoHost } from '#server/ports/video-host.ts';
import {
  deleteRemoval,
  insertRemovals,
  isRemovalPending,
  listRemovals,
  type PendingRemoval,
  type RemovalReason,
  type UnwantedVideo,
  updateRemovalFailure,
} from './video-removal.repo.ts';

export type { PendingRemoval, UnwantedVideo } from './video-removal.repo.ts';

/** An upload ends long before: after each part it checks that its interview still exists. */
const UPLOAD_END_MS = 3_600_000;

/**
 * With the delays between them, the retries take more than two days: a used-up quota is renewed at
 * midnight Pacific time.
 */
const REMOVAL = { retries: 3_000, concurrency: 1 };

interface VideoRemovalDeps {
  db: Database;
  queue: Pick<JobQueue, 'enqueue' | 'hasOpenJob'>;
  events: Events;
  /** Null when none is configured. */
  videoHost: VideoHost | null;
}

/**
 * Deletes videos from the video host after an erasure, the deletion of a funnel, or a failure of
 * the host, and retries for days.
 */
export class VideoRemoval {
  readonly #deps: VideoRemovalDeps;
  readonly #videoJob = defineJob({
    ...REMOVAL,
    name: 'candidates.remove-video',
    payload: z.object({ videoId: z.string() }),
    run: ({ videoId }, { signal }) => this.#removeVideo(videoId, signal),
  });
  readonly #uploadJob = defineJob({
    ...REMOVAL,
    name: 'candidates.remove-upload',
    payload: z.object({
      session: z.object({ address: z.string(), sizeBytes: z.int(), etag: z.string() }),
      isErased: z.boolean(),
    }),
    run: (upload, { signal }) => this.#removeUpload(upload, signal),
  });
  readonly jobs = [this.#videoJob, this.#uploadJob];

  constructor(deps: VideoRemovalDeps) {
    this.#deps = deps;
  }

  async enqueue(tx: Executor, videos: readonly UnwantedVideo[], reason: RemovalReason): Promise<void> {
    await insertRemovals(tx, videos, reason);
    for (const { id } of videos) await this.#deps.queue.enqueue(tx, this.#videoJob, { videoId: id });
  }

  /**
   * Removes the video of an upload, if the host has all of it. Checks again later: a worker that
   * still uploads may stop, or its process end, when the host has the last bytes and the worker
   * does not know the video yet.
   */
  async enqueueUploads(tx: Executor, sessions: readonly UploadSession[], reason: RemovalReason): Promise<void> {
    const later = new Date(Date.now() + UPLOAD_END_MS);
    for (const session of sessions)
      for (const startAt of [undefined, later])
        await this.#deps.queue.enqueue(tx, this.#uploadJob, { session, ...reason }, startAt);
  }

  async listPending(db: Executor): Promise<PendingRemoval[]> {
    return listRemovals(db);
  }

  /**
   * Retries refused removals: the permission may have changed. Called at the start of the server.
   */
  async retryRefused(): Promise<void> {
    const { db, queue, videoHost } = this.#deps;
    if (!videoHost) return;
    for (const { id } of await listRemovals(db))
      if (!(await queue.hasOpenJob(this.#videoJob, { videoId: id })))
        await queue.enqueue(db, this.#videoJob, { videoId: id });
  }

  async #removeVideo(videoId: string, signal: AbortSignal): Promise<void> {
    const { db, videoHost } = this.#deps;
    if (!(await isRemovalPending(db, videoId))) return;
    if (!videoHost) return this.#recordRefusal(videoId, 'No video host is connected.');
    try {
      await videoHost.remove(videoId, signal);
      await deleteRemoval(db, videoId);
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.isRetryable) throw error;
      await this.#recordRefusal(videoId, error.message);
    }
  }

  async #removeUpload(
    { session, isErased }: { session: UploadSession } & RemovalReason,
    signal: AbortSignal,
  ): Promise<void> {
    const video = await this.#deps.videoHost?.findUploaded(session, signal);
    if (video) await this.#deps.db.transaction().execute((tx) => this.enqueue(tx, [video], { isErased }));
  }

  /** The next start retries; until then an administrator may delete the video at the host. */
  async #recordRefusal(videoId: string, reason: string): Promise<void> {
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const refused = await updateRemovalFailure(tx, videoId, reason);
      if (refused) await events.record(tx, 'video-removal.refused', { ...refused, reason });
    });
  }
}
