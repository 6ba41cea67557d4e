import { expect, test, vi } from 'vitest';
import { json } from '#web/testing/server-edge.ts';
import { endpointQuery } from './endpoint-query.ts';
import { createQueryClient } from './query-client.ts';

const query = endpointQuery('/api/funnels');
const read = () => createQueryClient().fetchQuery({ ...query, retry: false });

function respondWith(response: Response) {
  const fetched = vi.fn(async (_url: string, _init: RequestInit) => response);
  vi.stubGlobal('fetch', fetched);
  return fetched;
}
test('a cached read is a GET of the path given first in its key, with cookies', async () => {
  const fetched = respondWith(json([]));
  expect(query.queryKey[0]).toBe('/api/funnels');
  expect(await read()).toEqual([]);
  expect(fetched.mock.calls[0]).toMatchObject(['/api/funnels', { method: 'GET', credentials: 'include' }]);
});

test('a cached read resolves to null when the session has expired', async () => {
  respondWith(json({ message: 'Sign in first' }, 401));
  expect(await read()).toBeNull();
});

test.each([
  ['{"message":"The database is down"}', 'The database is down'],
  ['{}', 'Service Unavailable'],
])('a cached read that fails with the body %s rejects with "%s"', async (body, message) => {
  respondWith(new Response(body, { status: 503, statusText: 'Service Unavailable' }));
  await expect(read()).rejects.toMatchObject({ status: 503, message });
});
