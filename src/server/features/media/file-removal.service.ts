import { z } from 'zod';
import type { Database, Executor } from '../../db/database.ts';
import { defineJob } from '../../jobs/job.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { FileStore } from '../../ports/file-store.ts';
import { interviewsThere } from './file-removal.repo.ts';

/** A file of an interview that is there no longer. */
const Unwanted = z.object({ interviewId: z.string(), kind: z.enum(['video', 'thumbnail']), name: z.string() });
export type UnwantedFile = z.infer<typeof Unwanted>;

export const REMOVE_FILES = { name: 'media.remove-files', payload: z.object({ files: z.array(Unwanted) }) };
/** Files that one job removes. */
const AT_ONCE = 100;
/** With the waits between them more than a day: somebody has to mount the disk again. */
const RETRIES = 1_500;

interface RemovalDependencies {
  db: Database;
  queue: Pick<JobQueue, 'enqueue'>;
  files: FileStore;
}

/** Removes files after the commit that made them unwanted, however often the store or the process fails before it is done. */
export class FileRemoval {
  readonly #on: RemovalDependencies;
  readonly job;

  constructor(dependencies: RemovalDependencies) {
    this.#on = dependencies;
    this.job = defineJob({
      ...REMOVE_FILES,
      retries: RETRIES,
      concurrency: 1,
      run: ({ files }) => this.#remove(files),
    });
  }

  /** With the surrounding transaction: when it does not commit, the files stay. */
  async enqueue(tx: Executor, files: readonly UnwantedFile[]): Promise<void> {
    for (let from = 0; from < files.length; from += AT_ONCE)
      await this.#on.queue.enqueue(tx, REMOVE_FILES, { files: files.slice(from, from + AT_ONCE) });
  }

  /** The files of an interview that came back meanwhile stay: it names them, or is about to. */
  async #remove(unwanted: readonly UnwantedFile[]): Promise<void> {
    const { db, files } = this.#on;
    await db.transaction().execute(async (tx) => {
      const isBack = await interviewsThere(
        tx,
        unwanted.map(({ interviewId }) => interviewId),
      );
      const gone = unwanted.filter(({ interviewId }) => !isBack.has(interviewId));
      for (const kind of ['video', 'thumbnail'] as const)
        await files.remove(
          kind,
          gone.filter((file) => file.kind === kind).map(({ name }) => name),
        );
    });
  }
}
