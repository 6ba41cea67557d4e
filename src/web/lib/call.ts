import type { Route, Routes } from '#contracts/api.ts';
import type { CallInput, ResponseOf } from '#contracts/endpoint.ts';
import type { ErrorCode } from '#contracts/errors.ts';
import { parseJson } from '#contracts/rules/parse-json.ts';
import { ApiError, NETWORK_MESSAGE } from './api-error.ts';

type Values = Record<string, unknown>;
interface Input {
  params?: Values;
  query?: Values;
  body?: unknown;
}
interface Options {
  signal?: AbortSignal;
  /** The browser completes the request when the page is closed. For bodies far below 64 KB. */
  keepalive?: boolean;
}
/** The input may be left out when an endpoint has no params, query or body. */
export type CallArguments<E> =
  unknown extends CallInput<E> ? [input?: undefined, options?: Options] : [input: CallInput<E>, options?: Options];

type SessionEvent = 'ended' | 'forbidden';
const sessionListeners = new Set<(event: SessionEvent) => void>();

/**
 * Runs `listener` when a response shows that the session has ended, or that the user has another
 * role than the screen assumes. Returns a function that stops.
 */
export function onSessionEvent(listener: (event: SessionEvent) => void): () => void {
  sessionListeners.add(listener);
  return () => sessionListeners.delete(listener);
}

const announce = (event: SessionEvent): void => {
  for (const listener of sessionListeners) listener(event);
};

/**
 * Calls a route of the API: `call('GET /api/funnels')`. The contracts type its input and response.
 * Section 7 of the specification: JSON, cookies, cross-origin mode.
 * @returns the response; null if the session has expired (401 anywhere except on login); `{}` for
 * a success that is not JSON.
 * @throws ApiError for every other failure, with status 0 when no response arrived or a success
 * broke off. An aborted call rejects with its own error.
 */
export async function call<R extends Route>(
  route: R,
  ...[input, options]: CallArguments<Routes[R]>
): Promise<ResponseOf<Routes[R]> | null> {
  const { params = {}, query = {}, body } = (input ?? {}) as Input;
  const [method = '', path = ''] = route.split(' ');
  const url = urlOf(path, params, query);
  const signal = options?.signal;
  const init: RequestInit = {
    method,
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
    credentials: 'include',
    mode: 'cors',
    signal: signal ?? null,
    keepalive: options?.keepalive ?? false,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const response = await withNetworkError(url, signal, () => fetch(url, init));

  if (response.status === 401 && !path.startsWith('/api/login')) {
    announce('ended');
    // An unread body would keep the connection busy. The body of an aborted call rejects.
    response.body?.cancel().catch(() => {});
    return null;
  }
  if (!response.ok) {
    const failure = await readFailure(response, url);
    if (failure.code === 'forbidden') announce('forbidden');
    throw failure;
  }
  const text = await withNetworkError(url, signal, () => response.text());
  const parsed = parseJson(text);
  return (parsed === undefined ? {} : parsed) as ResponseOf<Routes[R]>;
}

/** A URL of the API. Empty values of the query are left out. */
export function urlOf(path: string, params: Values, query: Values): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null && item !== '') search.append(name, String(item));
    }
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}

/** Turns a failed connection into an `ApiError`, unless the call was aborted. */
async function withNetworkError<Result>(
  url: string,
  signal: AbortSignal | undefined,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    return await action();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError({ status: 0, statusText: '', message: NETWORK_MESSAGE, url, cause });
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

async function readFailure(response: Response, url: string): Promise<ApiError> {
  const { status, statusText } = response;
  const raw = await response.text().catch(() => '');
  // The error page of a proxy is not JSON: its status text is more useful than its markup.
  const body: Values = Object(parseJson(raw));
  return new ApiError({
    status,
    statusText,
    message: textOf(body.message) ?? textOf(statusText) ?? raw,
    details: textOf(body.error),
    code: textOf(body.code) as ErrorCode | undefined,
    field: textOf(body.field),
    matches: typeof body.matches === 'number' ? body.matches : undefined,
    url,
  });
}
