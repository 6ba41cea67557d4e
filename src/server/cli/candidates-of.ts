import { pickAdapters } from '../compose-adapters.ts';
import type { Config } from '../config/config.ts';
import { readSecrets } from '../config/secrets.ts';
import { Candidates } from '../features/candidates/candidates.service.ts';
import { Tombstones } from '../features/candidates/tombstones.service.ts';
import { VideoRemoval } from '../features/candidates/video-removal.service.ts';
import { Interviews } from '../features/interviews/interviews.service.ts';
import { openLogs } from '../features/logs/logs.service.ts';
import { FileRemoval } from '../features/media/file-removal.service.ts';
import { openSender } from '../jobs/queue.ts';
import type { FileStore } from '../ports/file-store.ts';
import { Sealer } from '../secrets/sealer.ts';
import { openDatabase } from './open-database.ts';

export interface OpenedCandidates {
  candidates: Candidates;
  files: FileStore;
  /** Whether the product runs on this database now, and so does what the queue asks for. */
  productRuns(): Promise<boolean>;
  close(): Promise<void>;
}

/** The part of the product that a command about candidates needs, on the product's database. */
export async function openCandidates(config: Config): Promise<OpenedCandidates> {
  const { db, connection, close } = await openDatabase(config, { needs: 'current' });
  try {
    const queue = await openSender(connection);
    const logs = openLogs(db, config.LOG_RETENTION_DAYS);
    const tombstones = new Tombstones(new Sealer((await readSecrets(config)).encryptionKeys));
    const interviews = new Interviews({ db, logs, tombstones, destinationUrl: undefined });
    const { files } = pickAdapters(config);
    const removal = new FileRemoval({ db, queue, files, interviews });
    // The product removes what is published; here it is only asked to.
    const videoRemoval = new VideoRemoval({ db, queue, logs, videoHost: null });
    await queue.prepare([removal.job, videoRemoval.job]);
    return {
      candidates: new Candidates({ db, logs, interviews, tombstones, removal, videoRemoval }),
      files,
      productRuns: async () => {
        const { rows } = await connection.pool.query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'interviews live' LIMIT 1",
        );
        return rows.length > 0;
      },
      close: async () => {
        await queue.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
