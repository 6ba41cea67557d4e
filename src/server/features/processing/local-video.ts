import type { Database } from '#server/db/database.ts';
import type { Funnels } from '#server/features/funnels/funnels.service.ts';
import type { Interviews } from '#server/features/interviews/interviews.service.ts';
import type { FileRemoval } from '#server/features/media/file-removal.service.ts';
import type { Media } from '#server/features/media/media.service.ts';
import type { FileStore } from '#server/ports/file-store.ts';
import { type StepContext, StepError, StepLost } from './step-outcome.ts';

export interface LocalVideoDeps {
  interviews: Interviews;
  funnels: Funnels;
  media: Media;
  files: FileStore;
  removal: Pick<FileRemoval, 'enqueue'>;
  db: Database;
}

/**
 * Resolves with the name of the interview's video in the file store, and downloads the video first
 * if it is missing there.
 * @throws StepError, StepLost
 */
export async function ensureLocalVideo(deps: LocalVideoDeps, context: StepContext): Promise<string> {
  const { interviewId } = context.run;
  const { name: videoFile, url: videoUrl } = await deps.interviews.findFile(interviewId, 'video');
  if (videoFile && (await deps.files.stat('video', videoFile))) return videoFile;
  if (!videoUrl) throw new StepError('This interview has no video.');

  const access = await deps.funnels.findAccess(context.funnelId);
  if (!access) throw new StepError('The funnel of this interview was deleted.');
  const { signal } = context;
  const fetched = await deps.media.fetch({ interviewId, kind: 'video', url: videoUrl }, access, { signal });
  if (fetched.status === 'failed')
    throw new StepError(`Couldn't download the video: ${fetched.reason}`, { isRetryable: fetched.isRetryable });
  const { name } = fetched.file;
  await deps.media
    .attach([await deps.media.measure(fetched.file)], (attach) => context.transaction(attach))
    .catch(async (error: unknown) => {
      // If the interview was deleted in the meantime, no record refers to this file. The removal
      // job keeps the file if another worker took over the step and uses it.
      if (error instanceof StepLost) await deps.removal.enqueue(deps.db, [{ interviewId, kind: 'video', name }]);
      throw error;
    });
  return name;
}
