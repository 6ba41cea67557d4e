import { z } from 'zod';
import { lockFileRemoval } from '#server/db/advisory-locks.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Interviews } from '#server/features/interviews/interviews.service.ts';
import { defineJob } from '#server/jobs/job.ts';
import { deleteWaitingJob } from '#server/jobs/jobs.repo.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { FILE_KINDS, type FileStore } from '#server/ports/file-store.ts';

/** A file that its interview no longer uses, or whose interview was deleted. */
const UnusedFile = z.object({ interviewId: z.string(), kind: z.enum(FILE_KINDS), name: z.string() });
type UnusedFile = z.infer<typeof UnusedFile>;

const MAX_FILES_PER_JOB = 100;
const DAY_MS = 24 * 60 * 60_000;

interface FileRemovalDeps {
  db: Database;
  queue: Pick<JobQueue, 'enqueue' | 'hurry'>;
  files: FileStore;
  interviews: Pick<Interviews, 'filesOfAll'>;
}

/** Deletes files after the commit that made them unused, with retries. */
export class FileRemoval {
  readonly #deps: FileRemovalDeps;
  readonly job = defineJob({
    name: 'media.remove-files',
    payload: z.object({ files: z.array(UnusedFile) }),
    /**
     * Takes more than a day with the delays, which leaves time to mount a missing disk again.
     */
    retries: 1_500,
    concurrency: 1,
    isKept: false,
    run: ({ files }) => this.#removeFiles(files),
  });
  /** A separate job, because an erasure waits for open jobs of type `job`. */
  readonly delayedJob = defineJob({ ...this.job, name: 'media.remove-abandoned-files' });

  constructor(deps: FileRemovalDeps) {
    this.#deps = deps;
  }

  /** Without a commit of `tx` the files stay. */
  async enqueue(tx: Executor, files: readonly UnusedFile[]): Promise<void> {
    for (let start = 0; start < files.length; start += MAX_FILES_PER_JOB)
      await this.#deps.queue.enqueue(tx, this.job, { files: files.slice(start, start + MAX_FILES_PER_JOB) });
  }

  /**
   * Performs work that may store these files, and removes them unless it has called `keep` in the
   * transaction that uses them. If this process is killed, they are removed a day later.
   */
  async removeUnlessKept<Result>(
    files: readonly UnusedFile[],
    work: (keep: (tx: Executor) => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    const { db, queue } = this.#deps;
    const { delayedJob } = this;
    const jobId = await queue.enqueue(db, delayedJob, { files: [...files] }, new Date(Date.now() + DAY_MS));
    let isKept = false;
    const keep = async (tx: Executor) => {
      if (!(await deleteWaitingJob(tx, delayedJob.name, jobId))) throw new Error('The files were removed in between');
      isKept = true;
    };
    // If this fails, the job runs a day later.
    const removeNow = () => queue.hurry(db, delayedJob, jobId).catch(() => {});
    try {
      const result = await work(keep);
      if (!isKept) await removeNow();
      return result;
    } catch (error) {
      await removeNow();
      throw error;
    }
  }

  /**
   * Keeps files that an interview uses again: it may have been synced again, or its old URL is
   * back.
   */
  async #removeFiles(candidates: readonly UnusedFile[]): Promise<void> {
    const { db, files, interviews } = this.#deps;
    await db.transaction().execute(async (tx) => {
      await lockFileRemoval(tx);
      const ids = [...new Set(candidates.map(({ interviewId }) => interviewId))];
      const used = new Set((await interviews.filesOfAll(tx, ids)).map(keyOf));
      const unused = candidates.filter((file) => !used.has(keyOf(file)));
      for (const kind of FILE_KINDS)
        await files.remove(
          kind,
          unused.filter((file) => file.kind === kind).map(({ name }) => name),
        );
    });
  }
}

const keyOf = ({ kind, name }: Pick<UnusedFile, 'kind' | 'name'>) => `${kind} ${name}`;
