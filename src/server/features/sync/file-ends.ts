import { batch } from '#server/async/single-flight.ts';
import type { Database } from '#server/db/database.ts';
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
            // Counted in the same transaction, so that a restart counts each file once.
            const downloaded_files = await deleteFiles(tx, run.id, files);
            const failed_files = await updateFileFailures(tx, run.id, failed);
            if (downloaded_files + failed_files === 0) return;
            const progressed = await updateProgress(tx, run, { downloaded_files, failed_files });
            if (progressed.cancel_requested_at !== null) run.cancel();
            await events.record(tx, 'run.progressed', { runId: run.id, cause: progressed.cause as RunCause });
          }),
      );
    },
    { gatherMs: GATHER_MS },
  );
