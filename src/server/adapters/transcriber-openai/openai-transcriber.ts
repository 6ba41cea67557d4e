import type { Transcriber } from '#server/ports/transcriber.ts';
import { type RetryPolicy, withRetries } from '../http-retry/retry.ts';
import { readAnswer } from './read-answer.ts';
import { type ServerSettings, TranscriptionClient } from './transcription-client.ts';

export interface TranscriberOptions extends Omit<ServerSettings, 'timeoutMs'> {
  retry: RetryPolicy;
  timeoutMs?: number;
}

/** Twenty minutes of sound take a server without an accelerator about as long. */
const TIMEOUT_MS = 30 * 60_000;

/** Any server with OpenAI's transcription interface (https://platform.openai.com/docs/api-reference/audio/createTranscription). */
export function openaiTranscriber({ retry, timeoutMs = TIMEOUT_MS, ...server }: TranscriberOptions): Transcriber {
  const client = new TranscriptionClient({ ...server, timeoutMs });
  return {
    async transcribe(part, signal) {
      const answer = await withRetries(retry, signal, () => client.send(part, signal));
      return { segments: readAnswer(answer, part.durationSeconds) };
    },
  };
}
