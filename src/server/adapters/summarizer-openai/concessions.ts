import type { Refusal } from '../openai-server/refusal.ts';

/** What a request asks of a server besides an answer. */
export interface Asked {
  format: (typeof FORMATS)[number];
  coldly: boolean;
  parameters(schema: object): Record<string, unknown>;
}

const FORMATS = ['json_schema', 'json_object', 'none'] as const;

/** Statuses that speak of our key, the address or our pace. Some servers answer 500 for a format that they do not know. */
const ABOUT_SOMETHING_ELSE = [401, 402, 403, 404, 429];
const FORMAT = /response[ _]format|json[ _](schema|object)|structured[ _]output|grammar/i;
const TEMPERATURE = /temperature/i;

/**
 * Not every compatible server knows structured answers, and some models only have their own temperature. What one has refused is not
 * asked for again while this process lives.
 */
export class Concessions {
  #format = 0;
  #coldly = true;

  now(): Asked {
    const format = FORMATS[this.#format] ?? 'none';
    const coldly = this.#coldly;
    return {
      format,
      coldly,
      parameters: (schema) => ({ ...responseFormat(format, schema), ...(coldly && { temperature: 0 }) }),
    };
  }

  /** True when the server refused something that we can do without, which the next request then does not ask for. */
  make({ status, says, code }: Refusal, asked: Asked): boolean {
    if (status < 400 || ABOUT_SOMETHING_ELSE.includes(status)) return false;
    const text = `${code} ${says}`;
    if (asked.coldly && TEMPERATURE.test(text)) {
      this.#coldly = false;
      return true;
    }
    if (asked.format === 'none' || !FORMAT.test(text)) return false;
    // Calls run side by side: whoever comes second finds it done.
    this.#format = Math.max(this.#format, FORMATS.indexOf(asked.format) + 1);
    return true;
  }
}

function responseFormat(format: Asked['format'], schema: object): Record<string, unknown> {
  if (format === 'none') return {};
  if (format === 'json_object') return { response_format: { type: format } };
  return { response_format: { type: format, json_schema: { name: 'interview_summary', strict: true, schema } } };
}
