import type { TranscriptionCreateParamsNonStreaming } from 'openai/resources/audio/transcriptions';
import { OpenaiServer, type ServerSettings } from '#server/adapters/openai-server/openai-server.ts';
import type { Refusal } from '#server/adapters/openai-server/refusal.ts';
import type { AudioPart } from '#server/ports/recordings.ts';
import { refusedTranscription, TRANSCRIPTION_SERVICE } from './transcription-error.ts';

/**
 * Twenty minutes of words with times are some hundred kilobytes; the limit only stops an endless
 * response.
 */
const MAX_RESPONSE_BYTES = 16 * 2 ** 20;
/** OpenAI's response to less than a tenth of a second of sound, in which no word is spoken. */
const TOO_SHORT = /audio_too_short|audio (file )?is too short/i;
const NO_SPEECH = { text: '' };

/**
 * Statuses about our key, the address, the size or our pace. Some servers return 500 for an unknown
 * format.
 */
const UNRELATED_STATUSES = [401, 402, 403, 404, 413, 429];
const FORMAT = /response[ _]?format|verbose[ _]?json|timestamp/i;
type Format = Pick<TranscriptionCreateParamsNonStreaming, 'response_format' | 'timestamp_granularities'>;
const WITH_TIMES: Format = { response_format: 'verbose_json', timestamp_granularities: ['segment'] };
const WITHOUT_TIMES: Format = { response_format: 'json' };

const isAboutFormat = ({ status, code, message }: Refusal) =>
  status >= 400 && !UNRELATED_STATUSES.includes(status) && FORMAT.test(`${code} ${message}`);

/** Sends sound to an OpenAI-compatible server. */
export class TranscriptionClient {
  readonly #server: OpenaiServer;
  readonly #model: string;
  /**
   * False after the server refused times: OpenAI's newer models (gpt-4o-transcribe) only support
   * `json`.
   */
  #hasTimes = true;

  constructor(settings: ServerSettings) {
    this.#server = new OpenaiServer(settings, TRANSCRIPTION_SERVICE, MAX_RESPONSE_BYTES);
    this.#model = settings.model;
  }

  /**
   * One try; a second request follows immediately when the server does not support times.
   * Resolves with the server's JSON as it is.
   * @throws UpstreamError, the signal's reason
   */
  async transcribePart(part: AudioPart, signal: AbortSignal): Promise<unknown> {
    for (;;) {
      const format = this.#hasTimes ? WITH_TIMES : WITHOUT_TIMES;
      const file = new File([part.bytes], part.fileName, { type: part.contentType });
      const outcome = await this.#server.send(
        (openai, options) => openai.audio.transcriptions.create({ file, model: this.#model, ...format }, options),
        signal,
      );
      if ('response' in outcome) return outcome.response;
      const { refusal } = outcome;
      if (format === WITH_TIMES && isAboutFormat(refusal)) this.#hasTimes = false;
      else if (TOO_SHORT.test(`${refusal.code} ${refusal.message}`)) return NO_SPEECH;
      else throw refusedTranscription(refusal, this.#model);
    }
  }
}
