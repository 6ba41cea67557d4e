import type { OpenaiRefusal } from '#server/adapters/openai-server/refusal.ts';

/** The optional features that a request uses. */
export interface RequestFeatures {
  format: (typeof FORMATS)[number];
  /** A temperature of 0. */
  hasZeroTemperature: boolean;
}

const FORMATS = ['json_schema', 'json_object', 'none'] as const;

/**
 * Statuses about our key, the URL or our pace. Some servers return 500 for an unknown format.
 */
const UNRELATED_STATUSES = [401, 402, 403, 404, 429];
const FORMAT = /response[ _]format|json[ _](schema|object)|structured[ _]output|grammar/i;
const TEMPERATURE = /temperature/i;

/**
 * Not every compatible server supports structured responses, and some models only have a fixed
 * temperature. A feature that was rejected once is not requested again while this process lives.
 */
export class Concessions {
  #format = 0;
  #hasZeroTemperature = true;

  features(): RequestFeatures {
    return { format: FORMATS[this.#format] ?? 'none', hasZeroTemperature: this.#hasZeroTemperature };
  }

  /** Drops the optional feature that the server refused. False when it refused something else. */
  concede({ status, message, code }: OpenaiRefusal, { format, hasZeroTemperature }: RequestFeatures): boolean {
    if (status < 400 || UNRELATED_STATUSES.includes(status)) return false;
    const text = `${code} ${message}`;
    if (hasZeroTemperature && TEMPERATURE.test(text)) {
      this.#hasZeroTemperature = false;
      return true;
    }
    if (format === 'none' || !FORMAT.test(text)) return false;
    // Calls run concurrently: another one may have conceded the same format already.
    this.#format = Math.max(this.#format, FORMATS.indexOf(format) + 1);
    return true;
  }
}

export const featureParameters = (
  { format, hasZeroTemperature }: RequestFeatures,
  schema: object,
): Record<string, unknown> => ({
  ...responseFormat(format, schema),
  ...(hasZeroTemperature && { temperature: 0 }),
});

function responseFormat(format: RequestFeatures['format'], schema: object): Record<string, unknown> {
  if (format === 'none') return {};
  if (format === 'json_object') return { response_format: { type: format } };
  return { response_format: { type: format, json_schema: { name: 'interview_summary', strict: true, schema } } };
}
