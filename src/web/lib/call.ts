import type { Address, Answer, CallInput, Endpoint } from '#contracts/endpoint.ts';
import { login } from '#web/lib/api.ts';
import { ApiError, NETWORK_MESSAGE } from '#web/lib/api-error.ts';

type Values = Record<string, unknown>;
interface Input {
  params?: Values;
  query?: Values;
  body?: unknown;
}
interface Options {
  signal?: AbortSignal;
}
/** An endpoint without params, query and body is called with nothing. */
export type CallArguments<E> =
  unknown extends CallInput<E> ? [input?: undefined, options?: Options] : [input: CallInput<E>, options?: Options];

const sessionEnded = new Set<() => void>();

/** Runs when the server no longer knows who is calling. Returns the way to stop listening. */
export function onSessionEnded(listener: () => void): () => void {
  sessionEnded.add(listener);
  return () => sessionEnded.delete(listener);
}

/**
 * Calls the server. Section 7 of the specification: JSON, cookies, cross-origin mode.
 * @returns the answer; null when the session has expired (401 anywhere but at the login); `{}` for a success that is not JSON.
 * @throws ApiError for every other failure, with status 0 when no answer came.
 */
export async function call<E extends Endpoint>(
  endpoint: Address<E>,
  ...args: CallArguments<E>
): Promise<Answer<E> | null> {
  const [input, options] = args;
  const { params = {}, query = {}, body } = (input ?? {}) as Input;
  const url = address(endpoint.path, params, query);
  const response = await send(url, {
    method: endpoint.method,
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
    credentials: 'include',
    mode: 'cors',
    signal: options?.signal ?? null,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

  if (response.status === 401 && !endpoint.path.startsWith(login.path)) {
    for (const listener of sessionEnded) listener();
    // An answer that nobody reads stays open, and its connection with it.
    response.body?.cancel();
    return null;
  }
  if (!response.ok) throw await failure(response, url);
  return (await json(response)) as Answer<E>;
}

function address(path: string, params: Values, query: Values): string {
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

async function json(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text());
  } catch {
    return {};
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

async function failure(response: Response, url: string): Promise<ApiError> {
  const { status, statusText } = response;
  const raw = await response.text().catch(() => '');
  let body: Values = {};
  try {
    body = Object(JSON.parse(raw));
  } catch {
    // A proxy's error page: the status text says more than its markup.
  }
  return new ApiError({
    status,
    statusText,
    message: textOf(body.message) ?? textOf(statusText) ?? raw,
    details: textOf(body.error),
    code: textOf(body.code),
    field: textOf(body.field),
    url,
  });
}
