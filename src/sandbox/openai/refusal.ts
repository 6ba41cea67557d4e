import type { Exchange } from '#sandbox/http/exchange.ts';

/** An error in OpenAI's format. */
export interface Refusal {
  status: number;
  message: string;
  code?: string;
  param?: string;
  /** Some compatible servers send text instead of an object. */
  asText?: boolean;
}

export function refuse(exchange: Exchange, { status, message, code, param, asText }: Refusal): void {
  const error = { message, type: 'invalid_request_error', param: param ?? null, code: code ?? null };
  exchange.json(status, { error: asText ? message : error });
}

/** Returns why a call is not a POST to `path` with this key, or null. */
export function refusalOfCaller(exchange: Exchange, path: string, apiKey: string): Refusal | null {
  if (exchange.path !== path || exchange.method !== 'POST')
    return { status: 404, message: `Invalid URL (${exchange.method} ${exchange.path})` };
  const [, key = ''] = /^Bearer (.+)$/i.exec(exchange.request.headers.authorization ?? '') ?? [];
  if (key === apiKey) return null;
  return { status: 401, message: `Incorrect API key provided: ${key}.`, code: 'invalid_api_key' };
}
