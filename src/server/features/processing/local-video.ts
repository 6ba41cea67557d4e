import type { Database, Executor } from '../../db/database.ts';
import type { FileStore } from '../../ports/file-store.ts';
import type { Funnels } from '../funnels/funnels.service.ts';
import type { Interviews } from '../interviews/interviews.service.ts';
import type { FileRemoval } from '../media/file-removal.service.ts';
import type { Media } from '../media/media.service.ts';
import { StepFailed, StepHindered, StepLost } from './step-ended.ts';

export interface LocalVideoDependencies {
  interviews: Interviews;
  funnels: Funnels;
  media: Media;
  files: FileStore;
  removal: Pick<FileRemoval, 'enqueue'>;
  db: Database;
}

interface Wanted {
  interviewId: string;
  funnelId: number;
  signal: AbortSignal;
  transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T>;
}

/**
 * The name in the file store of an interview's video, which is fetched first when it is not here.
 * @throws StepFailed when there is none, or it can never be fetched; StepHindered when it cannot now
 */
export async function localVideo(on: LocalVideoDependencies, wanted: Wanted): Promise<string> {
  const { interviewId } = wanted;
  const { videoFile, videoUrl } = await on.interviews.video(interviewId);
  if (videoFile && (await on.files.stat('video', videoFile))) return videoFile;
  if (!videoUrl) throw new StepFailed('This interview has no video.');

  const access = await on.funnels.access(wanted.funnelId);
  if (!access) throw new StepFailed('The funnel of this interview no longer exists.');
  const fetched = await on.media.fetch({ interviewId, kind: 'video', url: videoUrl }, access, {
    signal: wanted.signal,
  });
  if (fetched.status === 'failed') {
    const reason = `The video could not be fetched: ${fetched.reason}`;
    throw fetched.passing ? new StepHindered(reason) : new StepFailed(reason);
  }
  const name = on.interviews.fileName(fetched.file);
  await on.media
    .attach(fetched.file, true, (attach) => wanted.transaction(attach))
    .catch(async (error: unknown) => {
      // Deleted meanwhile? Then nobody would ever find this file. Where another process took the step over, it is of use, and stays.
      if (error instanceof StepLost) await on.removal.enqueue(on.db, [{ interviewId, kind: 'video', name }]);
      throw error;
    });
  return name;
}
