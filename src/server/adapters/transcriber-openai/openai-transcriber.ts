import type { TranscriptionCreateParamsNonStreaming } from 'openai/resources/audio/transcriptions';
import { OpenaiServer, type ServerSettings } from '#server/adapters/openai-server/openai-server.ts';
import type { OpenaiRefusal } from '#server/adapters/openai-server/refusal.ts';
import { withRetries } from '#server/adapters/outside-http/retry.ts';
import type { AudioPart } from '#server/ports/recordings.ts';
import type { RetryPolicy } from '#server/ports/retry-policy.ts';
import type { Transcriber } from '#server/ports/transcriber.ts';
import { readTranscription } from './read-response.ts';
import { refusedTranscription, TRANSCRIPTION_SERVICE } from './transcription-error.ts';

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
 * Twenty minutes of words with times are some hundred kilobytes; the limit only stops an endless
 * response.
 */
const MAX_RESPONSE_BYTES = 16 * 2 ** 20;
/** OpenAI's response to less than a tenth of a second of sound, in which no word is spoken. */
const TOO_SHORT = /audio_too_short|audio (file )?is too short/i;
const NO_SPEECH = { text: '' };

/**
 * Statuses about our key, the URL, the size or our pace. Some servers return 500 for an unknown
 * format.
 */
const UNRELATED_STATUSES = [401, 402, 403, 404, 413, 429];
const FORMAT = /response[ _]?format|verbose[ _]?json|timestamp/i;
type Format = Pick<TranscriptionCreateParamsNonStreaming, 'response_format' | 'timestamp_granularities'>;
const WITH_TIMES: Format = { response_format: 'verbose_json', timestamp_granularities: ['segment'] };
const WITHOUT_TIMES: Format = { response_format: 'json' };

const isAboutFormat = ({ status, code, message }: OpenaiRefusal) =>
  status >= 400 && !UNRELATED_STATUSES.includes(status) && FORMAT.test(`${code} ${message}`);

/**
 * Any server with OpenAI's transcription interface
 * (https://platform.openai.com/docs/api-reference/audio/createTranscription).
 */
export function openaiTranscriber({ retry, timeoutMs = TIMEOUT_MS, ...settings }: TranscriberOptions): Transcriber {
  const { model } = settings;
  const server = new OpenaiServer({ ...settings, timeoutMs }, TRANSCRIPTION_SERVICE, MAX_RESPONSE_BYTES);
  /**
   * Without times after the server refused them: OpenAI's newer models (gpt-4o-transcribe) only
   * support `json`.
   */
  let format = WITH_TIMES;

  /** One try; a second request follows immediately when the server does not support times. */
  async function requestTranscript(part: AudioPart, signal: AbortSignal): Promise<unknown> {
    for (;;) {
      const requested = format;
      const file = new File([part.bytes], part.fileName, { type: part.contentType });
      const outcome = await server.send(
        (openai, options) => openai.audio.transcriptions.create({ file, model, ...requested }, options),
        signal,
      );
      if ('response' in outcome) return outcome.response;
      const { refusal } = outcome;
      if (requested === WITH_TIMES && isAboutFormat(refusal)) format = WITHOUT_TIMES;
      else if (TOO_SHORT.test(`${refusal.code} ${refusal.message}`)) return NO_SPEECH;
      else throw refusedTranscription(refusal, model);
    }
  }

  return {
    async transcribe(part, signal) {
      const response = await withRetries(retry, signal, () => requestTranscript(part, signal));
      return { segments: readTranscription(response, part.durationSeconds) };
    },
  };
}
