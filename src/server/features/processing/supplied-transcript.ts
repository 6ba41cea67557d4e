import type { TranscriptSegment, TranscriptSource } from '#contracts/transcripts.ts';
import type { Funnels } from '#server/features/funnels/funnels.service.ts';
import type { Interviews } from '#server/features/interviews/interviews.service.ts';
import type { Segments } from '#server/features/interviews/segments/segments.service.ts';
import type { InterviewSource } from '#server/ports/interview-source.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { knownPart, needsTranscription, placeAnswers, withSupplied } from './answer-transcripts.ts';
import { boundTranscript, joinParts } from './transcript/bound-transcript.ts';

/** The message for users when a transcript needs a service and none is configured. */
export const NO_TRANSCRIBER =
  "Transcription isn't set up. Ask an admin to set TRANSCRIPTION_URL (plus TRANSCRIPTION_API_KEY and TRANSCRIPTION_MODEL if needed) and restart the server.";

export interface NewTranscript {
  text: string;
  source: TranscriptSource;
  segments: readonly TranscriptSegment[];
  /** True when the text is only the beginning of a longer one. */
  isCut?: boolean;
}

export interface SuppliedTranscriptDeps {
  interviews: Interviews;
  segments: Segments;
  funnels: Funnels;
  source: InterviewSource;
}

interface SuppliedTranscriptInput {
  interviewId: string;
  funnelId: number;
  signal: AbortSignal;
}

/**
 * Returns the transcript of the interview service, or null. For separate answers it consists of
 * their transcripts, if each has one. Also null when the service is unavailable, because the
 * recording contains the same text.
 */
export async function findSuppliedTranscript(
  deps: SuppliedTranscriptDeps,
  { interviewId, funnelId, signal }: SuppliedTranscriptInput,
): Promise<NewTranscript | null> {
  const [access, createdAt] = [
    await deps.funnels.findAccess(funnelId),
    await deps.interviews.findCreatedAt(interviewId),
  ];
  if (!access || !createdAt) return null;
  const found = await deps.source.find(access, { id: interviewId, createdAt }, signal).catch((error: unknown) => {
    if (error instanceof UpstreamError) return null;
    throw error;
  });
  if (found?.transcript) return { ...found.transcript, source: 'interview-service' };
  const answers = withSupplied(await deps.segments.list(interviewId), found);
  if (answers.length === 0 || answers.some(needsTranscription)) return null;
  return { ...boundTranscript(joinParts(placeAnswers(answers).map(knownPart))), source: 'interview-service' };
}
