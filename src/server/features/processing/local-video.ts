import type { Database } from '#server/db/database.ts';
import type { Funnels } from '#server/features/funnels/funnels.service.ts';
import type { InterviewFile, Interviews } from '#server/features/interviews/interviews.service.ts';
import type { Segments, StoredSegment } from '#server/features/interviews/segments/segments.service.ts';
import type { FileRemoval } from '#server/features/media/file-removal.service.ts';
import type { Media } from '#server/features/media/media.service.ts';
import type { RecordingJoin } from '#server/features/media/recording-join.service.ts';
import type { FileStore } from '#server/ports/file-store.ts';
import { RunLost } from '#server/runs/run.ts';
import { PERMANENT, type StepContext, StepError } from './step-outcome.ts';

export interface LocalVideoDeps {
  interviews: Interviews;
  segments: Segments;
  funnels: Funnels;
  media: Media;
  join: Pick<RecordingJoin, 'join'>;
  files: FileStore;
  removal: Pick<FileRemoval, 'enqueue'>;
  db: Database;
}

/**
 * Resolves with the name of the interview's video in the file store, and downloads the video first
 * if it is missing there.
 * @throws StepError, RunLost
 */
export async function ensureLocalVideo(deps: LocalVideoDeps, context: StepContext): Promise<string> {
  const { interviewId } = context.run;
  const { name: videoFile, url: videoUrl } = await deps.interviews.findFile(interviewId, 'video');
  if (videoFile && (await deps.files.stat('video', videoFile))) return videoFile;
  if (videoUrl) return fetchVideo(deps, context, { interviewId, segmentId: null, kind: 'video', url: videoUrl });
  return joinSegments(deps, context);
}

/** Joins the recordings of an interview that has one for each answer. */
async function joinSegments(deps: LocalVideoDeps, context: StepContext): Promise<string> {
  const { interviewId } = context.run;
  const { segments, join, db } = deps;
  if ((await ensureLocalSegments(deps, context)).length === 0)
    throw new StepError('This interview has no video.', PERMANENT);
  const [stored] = await segments.listRecordings(db, [interviewId]);
  const outcome = stored && (await join.join(stored, context.signal));
  if (!outcome) throw new StepError('The recordings of this interview have just changed. Try again.');
  if (outcome.status === 'joined') return outcome.name;
  throw new StepError(
    `The recordings of this interview can't be joined into one video. ${outcome.reason} ${NO_FFMPEG}`,
  );
}

const NO_FFMPEG = 'Ask an admin to set FFMPEG_PATH and restart the server.';

/**
 * Like `ensureLocalSegments`, but joins the recordings if possible. Otherwise each answer starts at
 * the end of the one before.
 * @throws StepError, RunLost
 */
export async function ensureLocalAnswers(deps: LocalVideoDeps, context: StepContext): Promise<LocalSegment[]> {
  const { interviewId } = context.run;
  const local = await ensureLocalSegments(deps, context);
  const [stored] = local.length > 0 ? await deps.segments.listRecordings(deps.db, [interviewId]) : [];
  if (stored && !stored.isJoined) await deps.join.join(stored, context.signal);
  const segments = new Map((await deps.segments.list(interviewId)).map((segment) => [segment.source_id, segment]));
  return local.map(({ segment, name }) => ({ segment: segments.get(segment.source_id) ?? segment, name }));
}

/** An answer and its stored recording. */
export interface LocalSegment {
  segment: StoredSegment;
  /** Null for an answer without a recording. */
  name: string | null;
}

/**
 * Resolves with the answers of an interview that has a recording for each, and downloads missing
 * recordings first. Resolves with an empty array for a single recording.
 * @throws StepError, RunLost
 */
export async function ensureLocalSegments(deps: LocalVideoDeps, context: StepContext): Promise<LocalSegment[]> {
  const { interviewId } = context.run;
  const segments = await deps.segments.list(interviewId);
  const unready = segments.find(({ is_ready }) => !is_ready);
  if (unready)
    throw new StepError(
      `Answer ${unready.position + 1} is still being processed by the interview service. Refresh later, then try again.`,
    );
  const local: LocalSegment[] = [];
  for (const segment of segments) {
    const { source_id: segmentId, video_file: file, video_url: url } = segment;
    if (file && (await deps.files.stat('video', file))) local.push({ segment, name: file });
    else if (!url) local.push({ segment, name: null });
    else local.push({ segment, name: await fetchVideo(deps, context, { interviewId, segmentId, kind: 'video', url }) });
  }
  return local;
}

async function fetchVideo(deps: LocalVideoDeps, context: StepContext, file: InterviewFile): Promise<string> {
  const { interviewId } = file;
  const access = await deps.funnels.findAccess(context.funnelId);
  if (!access) throw new StepError('The funnel of this interview was deleted.');
  const fetched = await deps.media.fetch(file, access, { signal: context.signal });
  if (fetched.status === 'failed')
    throw new StepError(`Couldn't download the video: ${fetched.reason}`, { isRetryable: fetched.isRetryable });
  const { name } = fetched.file;
  await deps.media
    .attach([await deps.media.measure(fetched.file)], (attach) => context.transaction(attach))
    .catch(async (error: unknown) => {
      // If the interview was deleted in the meantime, no record refers to this file. The removal
      // job keeps the file if another worker took over the step and uses it.
      if (error instanceof RunLost) await deps.removal.enqueue(deps.db, [{ interviewId, kind: 'video', name }]);
      throw error;
    });
  return name;
}
