import { vi } from 'vitest';

export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
}
type Answer = Response | object | null;
type Answers = Record<string, Answer | ((request: SeenRequest) => Answer | Promise<Answer>)>;

export const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/**
 * Replaces `fetch`: `serve({ 'GET /api/user': { id: 1, username: 'admin' } })`. Other requests are
 * answered with 404. No request is answered after its test, because the answer could, for example,
 * show a toast in the next one. Returns the requests made so far.
 */
export function serve(answers: Answers): SeenRequest[] {
  const seen: SeenRequest[] = [];
  const answerCall = async (address: string, init: RequestInit) => {
    const url = new URL(address, 'http://localhost');
    const method = init.method ?? 'GET';
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const request = { method, path: url.pathname, query: url.searchParams, body };
    seen.push(request);
    const answer = answers[`${method} ${url.pathname}`];
    const value = typeof answer === 'function' ? await answer(request) : answer;
    if (globalThis.fetch !== answerCall) return new Promise<never>(() => {});
    if (value === undefined) return json({ message: 'Not found', code: 'not_found' }, 404);
    return value instanceof Response ? value : json(value);
  };
  vi.stubGlobal('fetch', answerCall);
  return seen;
}
