import type { Route, Routes } from '#contracts/api.ts';
import type { Answer, CallInput } from '#contracts/endpoint.ts';
import { ApiError, NETWORK_MESSAGE } from './api-error.ts';

type Values = Record<string, unknown>;
interface Input {
  params?: Values;
  query?: Values;
  body?: unknown;
}
interface Options {
  signal?: AbortSignal;
}
/** The input may be left out when an endpoint has no params, query or body. */
export type CallArguments<E> =
  unknown extends CallInput<E> ? [input?: undefined, options?: Options] : [input: CallInput<E>, options?: Options];

const sessionEndedListeners = new Set<() => void>();

/**
 * Runs `listener` when the server reports that the session has ended. Returns a function that
 * stops.
 */
export function onSessionEnded(listener: () => void): () => void {
  sessionEndedListeners.add(listener);
  return () => sessionEndedListeners.delete(listener);
}

/**
 * Calls a route of the API: `call('GET /api/funnels')`. The contracts type its input and answer.
 * Section 7 of the specification: JSON, cookies, cross-origin mode.
 * @returns the answer; null when the session has expired (401 anywhere but at the login); `{}` for
 * a success that is not JSON.
 * @throws ApiError for every other failure, with status 0 without a response.
 */
export async function call<R extends Route>(
  route: R,
  ...[input, options]: CallArguments<Routes[R]>
): Promise<Answer<Routes[R]> | null> {
  const { params = {}, query = {}, body } = (input ?? {}) as Input;
  const [method = '', path = ''] = route.split(' ');
  const url = urlOf(path, params, query);
  const response = await send(url, {
    method,
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
    credentials: 'include',
    mode: 'cors',
    signal: options?.signal ?? null,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

  if (response.status === 401 && !path.startsWith('/api/login')) {
    for (const listener of sessionEndedListeners) listener();
    // An unread body would keep the connection busy.
    response.body?.cancel();
    return null;
  }
  if (!response.ok) throw await readFailure(response, url);
  return (await readJson(response)) as Answer<Routes[R]>;
}

function urlOf(path: string, params: Values, query: Values): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null && item !== '') search.append(name, String(item));
    }
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError({ status: 0, statusText: '', message: NETWORK_MESSAGE, url, cause });
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text());
  } catch {
    return {};
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

async function readFailure(response: Response, url: string): Promise<ApiError> {
  const { status, statusText } = response;
  const raw = await response.text().catch(() => '');
  let body: Values = {};
  try {
    body = Object(JSON.parse(raw));
  } catch {
    // An error page of a proxy: the status text is more useful than its markup.
  }
  return new ApiError({
    status,
    statusText,
    message: textOf(body.message) ?? textOf(statusText) ?? raw,
    details: textOf(body.error),
    code: textOf(body.code),
    field: textOf(body.field),
    matches: typeof body.matches === 'number' ? body.matches : undefined,
    url,
  });
}
