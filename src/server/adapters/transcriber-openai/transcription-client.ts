import OpenAI from 'openai';
import { Agent } from 'undici';
import type { AudioPart } from '#server/ports/recordings.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { refusalIn, refusalOf, statusIn } from '../openai-server/refusal.ts';
import { AnswerFormat } from './answer-format.ts';
import { NO_TRANSCRIPTION_SERVER, refusedTranscription, transcriptionError } from './transcription-error.ts';

export interface ServerSettings {
  /** Ends in /v1. */
  url: string;
  /** Empty for a server that wants none. */
  apiKey: string;
  model: string;
  /** For one try, from the first byte sent to the last one received. */
  timeoutMs: number;
}

/** Twenty minutes of words with their times are some hundred kilobytes; this only stops an answer without end. */
const LONGEST_ANSWER = 16 * 2 ** 20;
/** A server without an accelerator listens for minutes: the limits of a call are ours, over headers and body together. */
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } });
/** OpenAI's answer to less than a tenth of a second; no word has room in it. */
const TOO_SHORT = /audio_too_short|audio (file )?is too short/i;
const NOTHING_SAID = { text: '' };

/** Sends sound to an OpenAI-compatible server and brings back what it answers, whatever that is. */
export class TranscriptionClient {
  readonly #settings: ServerSettings;
  readonly #openai: OpenAI;
  readonly #format = new AnswerFormat();

  constructor(settings: ServerSettings) {
    this.#settings = settings;
    this.#openai = new OpenAI({
      baseURL: settings.url,
      apiKey: settings.apiKey || 'none',
      // Left out, these come from the environment, which only our configuration reads.
      adminAPIKey: null,
      organization: null,
      project: null,
      logLevel: 'off',
      maxRetries: 0,
      timeout: settings.timeoutMs,
      // A redirect would carry the recording to who knows where.
      fetchOptions: { dispatcher: agent, redirect: 'manual' } as object,
    });
  }

  /**
   * One try; a second request follows at once when the server cannot tell times.
   * @throws UpstreamError, the signal's reason
   */
  async send(part: AudioPart, signal: AbortSignal): Promise<unknown> {
    for (;;) {
      const asked = this.#format.parameters;
      const timeout = AbortSignal.timeout(this.#settings.timeoutMs);
      try {
        return this.#read(await this.#post(part, asked, AbortSignal.any([signal, timeout])));
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof UpstreamError) throw error;
        const refusal = refusalIn(error, this.#settings.apiKey);
        if (!refusal) throw this.#broken(error, timeout.aborted);
        if (this.#format.concede(refusal, asked)) continue;
        if (TOO_SHORT.test(`${refusal.code} ${refusal.says}`)) return NOTHING_SAID;
        throw refusedTranscription(refusal, this.#settings.model);
      }
    }
  }

  async #post(part: AudioPart, asked: AnswerFormat['parameters'], signal: AbortSignal): Promise<string> {
    // Anything else cannot stand in a header (RFC 9110, section 5.5), so it is no key that a server could have issued.
    if (!/^[\x20-\x7e]*$/.test(this.#settings.apiKey)) throw this.#refused(401, null);
    const file = new File([part.bytes], part.fileName, { type: part.contentType });
    const request = { file, model: this.#settings.model, ...asked };
    const answer = await this.#openai.audio.transcriptions.create(request, { signal }).asResponse();
    return readText(answer);
  }

  #read(text: string): unknown {
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch {
      // The parser's error quotes the answer, which may hold anything.
      throw transcriptionError('bad_answer', NO_TRANSCRIPTION_SERVER);
    }
    const { error } = (answer ?? {}) as { error?: { code?: unknown; status?: unknown } | string | null };
    if (error) throw this.#refused(statusIn(error), error);
    return answer;
  }

  #refused(status: number, body: unknown): UpstreamError {
    return refusedTranscription(refusalOf(status, body, this.#settings), this.#settings.model);
  }

  #broken(cause: unknown, tooSlow: boolean): UpstreamError {
    const minutes = Math.ceil(this.#settings.timeoutMs / 60_000);
    const text = tooSlow
      ? `The transcription service did not answer within ${minutes} min.`
      : 'The transcription service cannot be reached. If this stays, an administrator should check TRANSCRIPTION_URL.';
    return transcriptionError('unavailable', text, { cause });
  }
}

/** @throws UpstreamError for an answer that does not end */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop closes the connection.
    if (text.length > LONGEST_ANSWER) throw transcriptionError('bad_answer', NO_TRANSCRIPTION_SERVER);
  }
  return text + decoder.decode();
}
