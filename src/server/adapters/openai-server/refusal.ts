import { APIConnectionError, APIError } from 'openai';
import { retryAfterMs } from '../http-retry/retry-after.ts';
import { cleanText } from '../service-words/clean-text.ts';

/** An OpenAI-compatible server's refusal as far as it says why. */
export interface Refusal {
  status: number;
  /** Its `code`, `type` and `param`, as far as they are there. */
  code: string;
  /** What the server says itself, without our key and without addresses; empty when it says nothing. */
  says: string;
  retryAfterMs: number | undefined;
}

const LONGEST_WORDS = 300;

/** Reads the error that the client threw for a status, null when there was none: the connection broke. */
export function refusalIn(error: unknown, apiKey: string): Refusal | null {
  if (!(error instanceof APIError) || error instanceof APIConnectionError || typeof error.status !== 'number')
    return null;
  const { status, headers } = error as { status: number; headers?: Headers };
  return refusalOf(status, error.error ?? error.message, { apiKey, headers });
}

/** `body` is what the server sent, or what stands in it under `error`: a text, or an object with the words in one of its fields. */
export function refusalOf(
  status: number,
  body: unknown,
  { apiKey, headers }: { apiKey: string; headers?: Headers | undefined },
): Refusal {
  const { code, type, param } = (body ?? {}) as Record<string, unknown>;
  const afterMs = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  return {
    status,
    code: [code, type, param].filter((name) => typeof name === 'string').join(' '),
    says: scrubbed(wordsOf(body), apiKey),
    retryAfterMs: Number.isFinite(afterMs) ? afterMs : retryAfterMs(headers?.get('retry-after') ?? undefined),
  };
}

/** OpenAI says `message`, older servers only `error`, those made with FastAPI `detail`: a text, or a list of `{ msg }`. */
function wordsOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (Array.isArray(body)) return body.map(wordsOf).join(' ');
  if (typeof body !== 'object' || body === null) return '';
  const { message, error, detail, msg } = body as Record<string, unknown>;
  return wordsOf(message ?? error ?? detail ?? msg);
}

function scrubbed(text: string, apiKey: string): string {
  const line = (apiKey ? text.replaceAll(apiKey, '…') : text)
    // OpenAI quotes a wrong key with its middle starred out.
    .replace(/\bsk-[\w*-]+/g, '…')
    .replace(/https?:\/\/\S+/g, '…')
    .replace(/\s+/g, ' ');
  return cleanText(line, LONGEST_WORDS) ?? '';
}

/** The status of an error that came with 200: gateways answer before their own server fails, and put its status into the error. */
export function statusIn(error: { code?: unknown; status?: unknown } | string): number {
  const status = typeof error === 'string' ? Number.NaN : Number(error.code ?? error.status);
  return status >= 400 && status < 600 ? status : 502;
}
