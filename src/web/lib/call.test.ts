import { describe, expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { call, onSessionEvent } from './call.ts';

const NETWORK_MESSAGE = 'Network error. Please check your connection or the server might be down.';

function respondWith(body: string | null, init?: ResponseInit) {
  const fetched = vi.fn(async (_url: string, _init: RequestInit) => new Response(body, init));
  vi.stubGlobal('fetch', fetched);
  return fetched;
}
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (error: ApiError) => error,
  );

test('calls send JSON, include cookies and use cross-origin mode', async () => {
  const fetched = respondWith('{"id":1,"username":"admin"}');
  await call('POST /api/login', { body: { username: 'admin', password: 'x' } });

  expect(fetched.mock.calls[0]).toMatchObject([
    '/api/login',
    {
      method: 'POST',
      credentials: 'include',
      mode: 'cors',
      body: '{"username":"admin","password":"x"}',
      headers: { 'content-type': 'application/json' },
    },
  ]);
});

test('a call without a body does not claim to send JSON', async () => {
  const fetched = respondWith('{}');
  await call('POST /api/logout');
  expect(fetched.mock.calls[0]?.[1].headers).not.toHaveProperty('content-type');
});

test('ids are encoded into the path, lists are repeated in the query, empty values are left out', async () => {
  const fetched = respondWith('{}');
  await call('POST /api/funnels/:id/activate', { params: { id: 'a/b' } });
  await call('GET /api/interviews', { query: { page: 2, search: '', clientName: ['A & B', 'C'] } });

  expect(fetched.mock.calls.map(([url]) => url)).toEqual([
    '/api/funnels/a%2Fb/activate',
    '/api/interviews?page=2&clientName=A+%26+B&clientName=C',
  ]);
});

describe('a 401', () => {
  test('a 401 resolves to null and notifies the session listeners', async () => {
    respondWith('{"message":"Sign in"}', { status: 401 });
    const listener = vi.fn();
    const stop = onSessionEvent(listener);
    expect(await call('GET /api/user')).toBeNull();
    stop();
    expect(listener.mock.calls).toEqual([['ended']]);
  });

  test('a call that the role does not allow fails and notifies the session listeners', async () => {
    respondWith('{"message":"This needs the role recruiter.","code":"forbidden"}', { status: 403 });
    const listener = vi.fn();
    const stop = onSessionEvent(listener);
    expect(await failureOf(call('GET /api/setup'))).toMatchObject({ code: 'forbidden' });
    stop();
    expect(listener.mock.calls).toEqual([['forbidden']]);
  });

  test('a 401 cancels the unread body to free the connection', async () => {
    const read = vi.fn();
    vi.stubGlobal('fetch', async () => new Response(new ReadableStream({ cancel: read }), { status: 401 }));
    expect(await call('GET /api/user')).toBeNull();
    expect(read).toHaveBeenCalledOnce();
  });

  test('a 401 of a call that was aborted leaves no unhandled error', async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.error(new DOMException('aborted', 'AbortError')),
    });
    vi.stubGlobal('fetch', async () => new Response(broken, { status: 401 }));
    const unhandled = vi.fn();
    process.once('unhandledRejection', unhandled);
    expect(await call('GET /api/user')).toBeNull();
    await new Promise((resolve) => setTimeout(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('a 401 on the login path is a failure like any other', async () => {
    respondWith('{"message":"Invalid username or password"}', { status: 401 });
    const ended = vi.fn();
    const stop = onSessionEvent(ended);
    const error = await failureOf(call('POST /api/login', { body: { username: 'a', password: 'b' } }));
    stop();
    expect(error).toMatchObject({ status: 401, message: 'Invalid username or password' });
    expect(ended).not.toHaveBeenCalled();
  });
});

describe('a failure', () => {
  test('a failure carries status, status text, message, details, url and code', async () => {
    respondWith('{"message":"Already running","error":"since 9:00","code":"sync_running"}', {
      status: 409,
      statusText: 'Conflict',
    });
    expect(await failureOf(call('GET /api/funnels'))).toMatchObject({
      name: 'ApiError',
      status: 409,
      statusText: 'Conflict',
      message: 'Already running',
      details: 'since 9:00',
      code: 'sync_running',
      url: '/api/funnels',
    });
  });

  test.each([
    ['{"other":1}', 'Bad Gateway', 'Bad Gateway'],
    ['<html>', 'Bad Gateway', 'Bad Gateway'],
    ['it broke', '', 'it broke'],
  ])('a failure with the body %s and the status text "%s" has the message "%s"', async (body, statusText, message) => {
    respondWith(body, { status: 502, statusText });
    expect(await failureOf(call('GET /api/funnels'))).toMatchObject({ status: 502, message });
  });

  test('a failure of the network has status 0 and the network message', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    const error = await failureOf(call('GET /api/funnels'));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 0, message: NETWORK_MESSAGE });
  });

  test('a response that breaks off is a failure of the network, not an empty response', async () => {
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"interviews":['));
        controller.error(new TypeError('network error'));
      },
    });
    vi.stubGlobal('fetch', async () => new Response(broken));
    const error = await failureOf(call('GET /api/interviews', {}));
    expect(error).toMatchObject({ name: 'ApiError', status: 0, message: NETWORK_MESSAGE, url: '/api/interviews' });
  });

  test('an aborted call does not become an ApiError', async () => {
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => init.signal?.throwIfAborted());
    const error = await failureOf(call('GET /api/funnels', undefined, { signal: AbortSignal.abort() }));
    expect(error.name).toBe('AbortError');
  });

  test('a call that is aborted during its response does not become an ApiError', async () => {
    const aborted = new AbortController();
    const body = new ReadableStream({
      pull(controller) {
        aborted.abort();
        controller.error(aborted.signal.reason);
      },
    });
    vi.stubGlobal('fetch', async () => new Response(body));
    const error = await failureOf(call('GET /api/funnels', undefined, { signal: aborted.signal }));
    expect(error.name).toBe('AbortError');
  });
});

test('a success that is not JSON gives an empty object', async () => {
  respondWith('OK', { headers: { 'content-type': 'text/plain' } });
  expect(await call('DELETE /api/funnels/:id', { params: { id: 1 } })).toEqual({});
  respondWith(null, { status: 204 });
  expect(await call('POST /api/logout')).toEqual({});
});

test('the JSON null is a response', async () => {
  respondWith('null');
  expect(await call('GET /api/funnels/active')).toBeNull();
});
