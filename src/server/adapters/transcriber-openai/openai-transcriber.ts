import type { ServerSettings } from '#server/adapters/openai-server/openai-server.ts';
import { withRetries } from '#server/adapters/outside-http/retry.ts';
import type { RetryPolicy } from '#server/ports/retry-policy.ts';
import type { Transcriber } from '#server/ports/transcriber.ts';
import { readTranscription } from './read-response.ts';
import { TranscriptionClient } from './transcription-client.ts';

export interface TranscriberOptions extends Omit<ServerSettings, 'timeoutMs'> {
  retry: RetryPolicy;
  timeoutMs?: number;
}

/**
 * A server without an accelerator needs about as long as the sound lasts, which is at most 20
 * minutes.
 */
const TIMEOUT_MS = 30 * 60_000;

/**
 * Any server with OpenAI's transcription interface
 * (https://platform.openai.com/docs/api-reference/audio/createTranscription).
 */
export function openaiTranscriber({ retry, timeoutMs = TIMEOUT_MS, ...server }: TranscriberOptions): Transcriber {
  const client = new TranscriptionClient({ ...server, timeoutMs });
  return {
    async transcribe(part, signal) {
      const response = await withRetries(retry, signal, () => client.transcribePart(part, signal));
      return { segments: readTranscription(response, part.durationSeconds) };
    },
  };
}
