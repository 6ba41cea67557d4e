import type { Refusal } from '../openai-server/refusal.ts';

/** Statuses that speak of our key, the address, the size or our pace. Some servers answer 500 for a format that they do not know. */
const ABOUT_SOMETHING_ELSE = [401, 402, 403, 404, 413, 429];
const FORMAT = /response[ _]?format|verbose[ _]?json|timestamp/i;

/**
 * Asks for times, and no longer while this process lives once the server has refused them: OpenAI's own newer models
 * (gpt-4o-transcribe) only know `json`.
 */
export class AnswerFormat {
  #withTimes = true;

  get parameters() {
    return this.#withTimes
      ? { response_format: 'verbose_json' as const, timestamp_granularities: ['segment' as const] }
      : { response_format: 'json' as const };
  }

  /** True when the server refused what `asked` asked for, which the next request then does not ask for. */
  concede({ status, says, code }: Refusal, asked: AnswerFormat['parameters']): boolean {
    if (asked.response_format === 'json' || status < 400 || ABOUT_SOMETHING_ELSE.includes(status)) return false;
    if (!FORMAT.test(`${code} ${says}`)) return false;
    this.#withTimes = false;
    return true;
  }
}
