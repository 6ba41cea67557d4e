import { APIConnectionError, APIError } from 'openai';
import { quotedMessage } from '#server/adapters/outside-http/outside-call.ts';
import { retryAfterMs } from '#server/adapters/outside-http/retry.ts';

/** A refusal of an OpenAI-compatible server. */
export interface OpenaiRefusal {
  status: number;
  /** Its `code`, `type` and `param`, if present. */
  code: string;
  /** The server's message without our key and without URLs; empty when there is none. */
  message: string;
  retryAfterMs: number | undefined;
}

/** Reads the error that the client threw for a status. Null when the connection broke instead. */
export function refusalIn(error: unknown, apiKey: string): OpenaiRefusal | null {
  if (!(error instanceof APIError) || error instanceof APIConnectionError || typeof error.status !== 'number')
    return null;
  const { status, headers } = error as { status: number; headers?: Headers };
  return refusalOf(status, error.error ?? error.message, { apiKey, headers });
}

/**
 * `body` is the response, or its `error`: a text, or an object with the message in one of its
 * fields.
 */
export function refusalOf(
  status: number,
  body: unknown,
  { apiKey, headers }: { apiKey: string; headers?: Headers | undefined },
): OpenaiRefusal {
  const { code, type, param } = (body ?? {}) as Record<string, unknown>;
  const afterMs = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  // OpenAI quotes a wrong key with its middle starred out.
  const message = messageIn(body).replace(/\bsk-[\w*-]+/g, '…');
  return {
    status,
    code: [code, type, param].filter((name) => typeof name === 'string').join(' '),
    message: quotedMessage(message, apiKey) ?? '',
    retryAfterMs: Number.isFinite(afterMs) ? afterMs : retryAfterMs(headers?.get('retry-after') ?? undefined),
  };
}

/**
 * OpenAI sends `message`, older servers only `error`, FastAPI `detail`: a text, or a list of
 * `{ msg }`.
 */
function messageIn(body: unknown): string {
  if (typeof body === 'string') return body;
  if (Array.isArray(body)) return body.map(messageIn).join(' ');
  if (typeof body !== 'object' || body === null) return '';
  const { message, error, detail, msg } = body as Record<string, unknown>;
  return messageIn(message ?? error ?? detail ?? msg);
}

/**
 * The status of an error inside a response with status 200: gateways begin to respond before their
 * server fails.
 */
export function statusIn(error: { code?: unknown; status?: unknown } | string): number {
  const status = typeof error === 'string' ? Number.NaN : Number(error.code ?? error.status);
  return status >= 400 && status < 600 ? status : 502;
}
