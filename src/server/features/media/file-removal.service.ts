import { lockFileRemoval } from '#server/db/advisory-locks.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Interviews } from '#server/features/interviews/interviews.service.ts';
import { defineJob } from '#server/jobs/job.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { FILE_KINDS, type FileStore } from '#server/ports/file-store.ts';
import { MAX_FILES_PER_JOB, REMOVE_FILES, type UnusedFile } from './media.jobs.ts';

interface FileRemovalDeps {
  db: Database;
  queue: Pick<JobQueue, 'enqueue'>;
  files: FileStore;
  interviews: Pick<Interviews, 'filesOfAll'>;
}

/** Deletes files after the commit that made them unused, with retries. */
export class FileRemoval {
  readonly #deps: FileRemovalDeps;
  readonly job = defineJob({ ...REMOVE_FILES, run: ({ files }) => this.#removeFiles(files) });

  constructor(deps: FileRemovalDeps) {
    this.#deps = deps;
  }

  /** Without a commit of `tx` the files stay. */
  async enqueue(tx: Executor, files: readonly UnusedFile[]): Promise<void> {
    for (let start = 0; start < files.length; start += MAX_FILES_PER_JOB)
      await this.#deps.queue.enqueue(tx, REMOVE_FILES, { files: files.slice(start, start + MAX_FILES_PER_JOB) });
  }

  /**
   * Keeps files that an interview uses again: it may have been synced again, or its old address is
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
