import { UpstreamError, type UpstreamErrorKind } from '#server/ports/upstream-error.ts';
import type { Refusal } from '../openai-server/refusal.ts';
import { type RefusingService, refusalError } from '../openai-server/refusal-error.ts';

export const transcriptionError = (
  kind: UpstreamErrorKind,
  message: string,
  more: { cause?: unknown; retryAfterMs?: number | undefined } = {},
): UpstreamError => new UpstreamError('transcription', kind, message, more);

export const NO_TRANSCRIPTION_SERVER =
  'What answers at TRANSCRIPTION_URL is no OpenAI-compatible server. An administrator should check TRANSCRIPTION_URL; it ends in /v1.';

const SERVICE: RefusingService = {
  service: 'transcription',
  variables: 'TRANSCRIPTION',
  offers: 'transcriptions',
  refuses: 'recording',
  again: 'transcribe',
};

/** Says a refusal so that whoever reads it on the interview's card knows what to do. */
export const refusedTranscription = (refusal: Refusal, model: string): UpstreamError =>
  refusal.status === 413 ? transcriptionError('rejected', TOO_LARGE) : refusalError(refusal, SERVICE, model);

const TOO_LARGE =
  'The transcription service takes less than 15 MB at once, which a part of this recording has. An administrator should raise the limit of the service.';
