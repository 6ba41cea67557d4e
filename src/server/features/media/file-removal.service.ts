import { z } from 'zod';
import type { Database, Executor } from '../../db/database.ts';
import { defineJob } from '../../jobs/job.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { FileStore } from '../../ports/file-store.ts';
import type { Interviews } from '../interviews/interviews.service.ts';
import { holdImports } from './file-removal.repo.ts';

/** A file that its interview has done with, or whose interview has gone. */
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
  interviews: Pick<Interviews, 'filesOfAll'>;
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

  /** What an interview names by now, or is about to, stays: it may have come back, or its address may be the old one again. */
  async #remove(unwanted: readonly UnwantedFile[]): Promise<void> {
    const { db, files, interviews } = this.#on;
    await db.transaction().execute(async (tx) => {
      await holdImports(tx);
      const ids = [...new Set(unwanted.map(({ interviewId }) => interviewId))];
      const wanted = new Set((await interviews.filesOfAll(tx, ids)).map(keyOf));
      const gone = unwanted.filter((file) => !wanted.has(keyOf(file)));
      for (const kind of ['video', 'thumbnail'] as const)
        await files.remove(
          kind,
          gone.filter((file) => file.kind === kind).map(({ name }) => name),
        );
    });
  }
}

const keyOf = ({ kind, name }: Pick<UnwantedFile, 'kind' | 'name'>) => `${kind} ${name}`;
