import { vi } from 'vitest';

export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  /** True if the browser completes the request when the page is closed. */
  outlivesPage: boolean;
}
type Body = Response | object | null;
type Responses = Record<string, Body | ((request: SeenRequest) => Body | Promise<Body>)>;

export const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/**
 * Replaces `fetch`: `serve({ 'GET /api/user': { id: 1, username: 'admin' } })`. Other requests are
 * rejected with 404. No request gets a response after its test, because it could, for example,
 * show a toast in the next one. Returns the requests made so far.
 */
export function serve(responses: Responses): SeenRequest[] {
  const seen: SeenRequest[] = [];
  const respond = async (input: string, init: RequestInit) => {
    const url = new URL(input, 'http://localhost');
    const method = init.method ?? 'GET';
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const outlivesPage = init.keepalive ?? false;
    const request = { method, path: url.pathname, query: url.searchParams, body, outlivesPage };
    seen.push(request);
    const response = responses[`${method} ${url.pathname}`];
    const value = typeof response === 'function' ? await response(request) : response;
    if (globalThis.fetch !== respond) return new Promise<never>(() => {});
    if (value === undefined) return json({ message: 'Not found', code: 'not_found' }, 404);
    return value instanceof Response ? value : json(value);
  };
  vi.stubGlobal('fetch', respond);
  return seen;
}
