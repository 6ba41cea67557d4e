import type { Adapters } from './compose-adapters.ts';
import type { Ground, Surroundings } from './compose-ground.ts';
import type { Config } from './config/config.ts';
import { Tombstones } from './features/candidates/tombstones.service.ts';
import { VideoRemoval } from './features/candidates/video-removal.service.ts';
import { ApiKeyVault } from './features/funnels/api-key.ts';
import { Funnels } from './features/funnels/funnels.service.ts';
import { Interviews } from './features/interviews/interviews.service.ts';
import { FileRemoval } from './features/media/file-removal.service.ts';
import { Media } from './features/media/media.service.ts';
import { Processing, PUBLISH_PACE, STEP_RETRY } from './features/processing/processing.service.ts';
import { Sessions } from './features/session/session.service.ts';
import { Sync } from './features/sync/sync.service.ts';
import { SyncWorker } from './features/sync/sync-worker.ts';
import { Sealer } from './secrets/sealer.ts';

interface Underneath {
  ground: Ground;
  adapters: Adapters;
  surroundings: Surroundings;
}

export type Features = ReturnType<typeof composeFeatures>;

/** Makes the features, each with what it needs of the others. */
export function composeFeatures(config: Config, { ground, adapters, surroundings }: Underneath) {
  const { db, bus, queue, logs, log } = ground;
  const { files } = adapters;
  const { secrets } = surroundings;
  const sealer = new Sealer(secrets.encryptionKeys);
  const { sessionSecret: secret } = secrets;
  const sessions = new Sessions({ ...adapters, db, bus, logs, log, secret, sealer, config });
  const tombstones = new Tombstones(sealer);
  const videoRemoval = new VideoRemoval({ db, queue, logs, videoHost: adapters.videoHost });
  const interviews = new Interviews({ db, logs, tombstones, destinationUrl: config.DESTINATION_URL });
  const removal = new FileRemoval({ db, queue, files, interviews });
  const funnels = new Funnels({ db, vault: new ApiKeyVault(sealer), removal, logs });
  const media = new Media({ ...adapters, db, interviews, removal, claims: ground.claims, logs });
  const shared = { ...ground, ...adapters, interviews, funnels, media, removal, tombstones, videoRemoval };
  const worker = new SyncWorker({
    ...shared,
    concurrency: config.DOWNLOAD_CONCURRENCY,
    onCancel: (listener) => bus.on('sync-cancel', listener),
  });
  const processing = new Processing({
    ...shared,
    retry: surroundings.stepRetry ?? STEP_RETRY,
    pace: surroundings.publishPace ?? PUBLISH_PACE,
    concurrency: {
      convert: config.CONVERT_CONCURRENCY,
      transcribe: config.TRANSCRIBE_CONCURRENCY,
      summarize: config.SUMMARIZE_CONCURRENCY,
    },
  });
  const sync = new Sync({ ...shared, worker, configured: config.INTERVIEW_SERVICE_URL !== undefined });
  return { sessions, funnels, interviews, removal, videoRemoval, processing, sync };
}
