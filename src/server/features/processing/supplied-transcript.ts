import type { InterviewSource } from '../../ports/interview-source.ts';
import type { Recordings } from '../../ports/recordings.ts';
import { UpstreamError } from '../../ports/upstream-error.ts';
import type { Funnels } from '../funnels/funnels.service.ts';
import type { Interviews } from '../interviews/interviews.service.ts';
import type { NewTranscript } from './texts.repo.ts';

/** What a person reads when a transcript needs a service that is not there. */
export const NO_TRANSCRIBER =
  'No transcription service is configured. Set TRANSCRIPTION_URL (and TRANSCRIPTION_API_KEY and TRANSCRIPTION_MODEL where the service wants them) and start the server again.';

interface Dependencies {
  interviews: Interviews;
  funnels: Funnels;
  source: InterviewSource;
}

interface Asked {
  interviewId: string;
  funnelId: number;
  signal: AbortSignal;
}

/** The interview service's own transcript. A service that does not answer is none: the recording says the same. */
export async function suppliedTranscript(
  on: Dependencies,
  { interviewId, funnelId, signal }: Asked,
): Promise<NewTranscript | null> {
  const [access, createdAt] = [await on.funnels.access(funnelId), await on.interviews.createdAt(interviewId)];
  if (!access || !createdAt) return null;
  const found = await on.source.find(access, { id: interviewId, createdAt }, signal).catch((error: unknown) => {
    if (error instanceof UpstreamError) return null;
    throw error;
  });
  return found?.transcript ? { ...found.transcript, source: 'interview-service' } : null;
}

/** True when a transcript may be had without a service: from the interview service, or from the recording's captions. */
export async function needsNoTranscriber(
  on: Dependencies & { recordings: Recordings },
  asked: Asked,
): Promise<boolean> {
  if (await suppliedTranscript(on, asked)) return true;
  const { videoFile, videoUrl } = await on.interviews.video(asked.interviewId);
  // What a recording carries that is not here shows when the step has fetched it.
  if (videoFile === null) return videoUrl !== null;
  return (await on.recordings.look(videoFile, asked.signal)).captions !== null;
}
