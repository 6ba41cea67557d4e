import { batch } from '#server/async/single-flight.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { DownloadedFile } from '#server/features/interviews/interviews.service.ts';
import type { Media } from '#server/features/media/media.service.ts';
import { deleteFiles, type PendingFile, updateFileFailures } from './sync-records.repo.ts';
import { type RunCause, updateProgress } from './sync-runs.repo.ts';

/** The result of a download: the stored file, or the reason why there is none. */
export type FileEnd = { file: PendingFile } & ({ stored: DownloadedFile } | { failure: string });

export interface FileEndDeps {
  db: Database;
  media: Media;
  events: Events;
}

export interface FileEndRun {
  id: string;
  worker: string;
  /** Called when a cancellation was requested, in case its announcement was missed. */
  cancel: () => void;
}

/** A transaction for each small file would take longer than its download. */
const GATHER_MS = 50;

/**
 * Returns a function that records how a file ended. Files that end within `GATHER_MS`, or during a
 * transaction, share the next one, because all of them update the counts of the same run.
 * The function rejects with RunLost when this worker no longer owns the run.
 */
export const createFileEndRecorder = ({ db, media, events }: FileEndDeps, run: FileEndRun) =>
  batch(
    async (ends: readonly FileEnd[]): Promise<void> => {
      const stored = ends.flatMap((end) => ('stored' in end ? [end] : []));
      const failed = ends.flatMap((end) => ('failure' in end ? [{ ...end.file, failure: end.failure }] : []));
      await media.attach(
        stored.map((end) => end.stored),
        (attach) =>
          db.transaction().execute(async (tx) => {
            if (stored.length > 0) await attach(tx);
            const files = stored.map(({ file }) => file);
            const cause = await recordProgress(tx, run, {
              downloaded_files: await deleteFiles(tx, run.id, files),
              failed_files: await updateFileFailures(tx, run.id, failed),
            });
            if (cause) await events.record(tx, 'run.progressed', { runId: run.id, cause });
          }),
      );
    },
    { gatherMs: GATHER_MS },
  );

/**
 * Uses the transaction that records the files, so that a restart counts each file once. Returns the
 * cause of the run when it has progressed.
 */
async function recordProgress(
  tx: Executor,
  run: FileEndRun,
  added: { downloaded_files: number; failed_files: number },
): Promise<RunCause | null> {
  if (added.downloaded_files + added.failed_files === 0) return null;
  const { cancel_requested_at, cause } = await updateProgress(tx, run, added);
  if (cancel_requested_at !== null) run.cancel();
  return cause as RunCause;
}
