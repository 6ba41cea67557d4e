import type { IncomingHttpHeaders } from 'undici/types/header.js';

export interface GoogleCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | AsyncIterable<Uint8Array>;
}

/** Any complete response, also a refusal. */
export interface GoogleResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** The parsed body; null when it is not JSON. */
  json: unknown;
}
