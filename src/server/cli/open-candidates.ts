import { pickFileStore } from '#server/compose-adapters.ts';
import { createEvents } from '#server/compose-events.ts';
import type { Config } from '#server/config/config.ts';
import { readSecrets } from '#server/config/secrets.ts';
import { NoteRemoval } from '#server/features/ats-pushes/note-removal.service.ts';
import { Candidates } from '#server/features/candidates/candidates.service.ts';
import { DeletedInterviews } from '#server/features/erasure/deleted-interviews.service.ts';
import { ErasureList } from '#server/features/erasure/erasure-list.service.ts';
import { Tombstones } from '#server/features/erasure/tombstones.service.ts';
import { VideoRemoval } from '#server/features/erasure/video-removal.service.ts';
import { Interviews } from '#server/features/interviews/interviews.service.ts';
import { FileRemoval } from '#server/features/media/file-removal.service.ts';
import { JobSender } from '#server/jobs/queue.ts';
import type { FileStore } from '#server/ports/file-store.ts';
import { Sealer } from '#server/secrets/sealer.ts';
import { isServerRunning, openDatabase } from './open-database.ts';

/** Closed at the end of the block that uses it. */
export interface OpenedCandidates extends AsyncDisposable {
  candidates: Candidates;
  files: FileStore;
  /** Whether a server runs on this database, which then also runs the queued jobs. */
  isServerRunning(): Promise<boolean>;
}

/** Wires what a command about candidates needs on the product's database. */
export async function openCandidates(config: Config): Promise<OpenedCandidates> {
  await using opened = new AsyncDisposableStack();
  const { db, connection } = opened.use(await openDatabase(config, { needs: 'current' }));
  const queue = new JobSender(connection);
  opened.defer(() => queue.close());
  const events = createEvents();
  const sealer = new Sealer((await readSecrets(config)).encryptionKeys);
  const tombstones = new Tombstones(sealer);
  const erasureList = new ErasureList(sealer, config.DATA_DIR);
  // The command only enqueues the removal of published videos and notes; the server runs it.
  const videoRemoval = new VideoRemoval({ db, queue, events, videoHost: null });
  const noteRemoval = new NoteRemoval({ db, queue, events, ats: null });
  const interviews = new Interviews({
    db,
    viewings: { recordPlaying: () => {}, recordReading: () => {}, recordRemoteLoading: () => {} },
    tombstones,
    noteRemoval,
    destinationUrl: undefined,
    isPublicUrl: () => false,
    atsName: null,
    isWaitingForWorker: () => false,
  });
  const files = await pickFileStore(config);
  const removal = new FileRemoval({ db, queue, files, interviews });
  const deletedInterviews = new DeletedInterviews({ db, tombstones, retentionDays: config.LOG_RETENTION_DAYS });
  await queue.prepare([removal.job, noteRemoval.job, ...videoRemoval.jobs]);
  const kept = opened.move();
  return {
    candidates: new Candidates({
      db,
      events,
      interviews,
      tombstones,
      deletedInterviews,
      erasureList,
      removal,
      videoRemoval,
      noteRemoval,
    }),
    files,
    isServerRunning: () => isServerRunning(connection.pool),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
