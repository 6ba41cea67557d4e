import type { IncomingHttpHeaders } from 'undici/types/header.js';

export interface GoogleCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | AsyncIterable<Uint8Array>;
}

/** Any answer at all, refusals included. */
export interface GoogleAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** What the body holds, as JSON; null when it is none. */
  json: unknown;
}
