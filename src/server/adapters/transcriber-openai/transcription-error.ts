import type { OpenaiRefusal } from '#server/adapters/openai-server/refusal.ts';
import { openaiRefusalError, type ServiceTexts } from '#server/adapters/openai-server/refusal-error.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';

export const TRANSCRIPTION_SERVICE: ServiceTexts = {
  name: 'transcription',
  variablePrefix: 'TRANSCRIPTION',
  resource: 'transcriptions',
  payload: 'recording',
  action: 'transcribe',
};

const TOO_LARGE =
  "The transcription service doesn't accept parts of 15 MB. Ask an admin to raise the upload limit of the service.";

export const refusedTranscription = (refusal: OpenaiRefusal, model: string): UpstreamError =>
  refusal.status === 413
    ? new UpstreamError(TRANSCRIPTION_SERVICE.name, 'rejected', TOO_LARGE)
    : openaiRefusalError(refusal, TRANSCRIPTION_SERVICE, model);
