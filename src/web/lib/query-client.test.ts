import { MutationObserver, type QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { createQueryClient } from './query-client.ts';

const MINUTE_MS = 60_000;
const failure = (status: number) => new ApiError({ status, statusText: '', message: 'No', url: '/api/x' });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

let client: QueryClient;
beforeEach(() => {
  vi.useFakeTimers();
  client = createQueryClient();
  client.mount();
});
afterEach(() => {
  client.unmount();
  client.clear();
});

/** Observes the query. Returns a function that stops. */
const observe = (read: () => Promise<unknown>) =>
  new QueryObserver(client, { queryKey: ['/api/funnels'], queryFn: read }).subscribe(() => {});

test('a failed read is retried after 1, 2 and 4 s, and then not again', async () => {
  const read = vi.fn(() => Promise.reject(failure(503)));
  observe(read);
  await pass(0);
  let tries = 1;
  for (const delay of [1_000, 2_000, 4_000]) {
    expect(read).toHaveBeenCalledTimes(tries);
    await pass(delay - 1);
    expect(read).toHaveBeenCalledTimes(tries);
    await pass(1);
    tries += 1;
  }
  expect(read).toHaveBeenCalledTimes(4);
  await pass(MINUTE_MS);
  expect(read).toHaveBeenCalledTimes(4);
});

test('reads that failed while the network was down are repeated when it is back', async () => {
  const read = vi.fn(() => Promise.reject(failure(0)));
  observe(read);
  window.dispatchEvent(new Event('offline'));
  await pass(MINUTE_MS);
  expect(read).toHaveBeenCalledTimes(4);
  window.dispatchEvent(new Event('online'));
  await pass(0);
  expect(read).toHaveBeenCalledTimes(5);
});

test('the retry delay doubles up to 30 s', () => {
  const delay = client.getDefaultOptions().queries?.retryDelay as (attempt: number, error: Error) => number;
  expect([0, 1, 2, 3, 4, 5, 6].map((attempt) => delay(attempt, failure(503)))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ]);
});

test('a 401 is never retried', async () => {
  const read = vi.fn(() => Promise.reject(failure(401)));
  observe(read);
  await pass(MINUTE_MS);
  expect(read).toHaveBeenCalledOnce();
});

test('a write is not retried', async () => {
  const write = vi.fn(() => Promise.reject(failure(503)));
  const written = new MutationObserver(client, { mutationFn: write }).mutate();
  await expect(written).rejects.toMatchObject({ status: 503 });
  await pass(MINUTE_MS);
  expect(write).toHaveBeenCalledOnce();
});

test('a read is fresh for 5 minutes and not repeated while it is observed', async () => {
  const read = vi.fn(async () => 'response');
  observe(read);
  await pass(5 * MINUTE_MS - 1);
  observe(read);
  expect(read).toHaveBeenCalledOnce();
  await pass(1);
  expect(read).toHaveBeenCalledOnce();
  observe(read);
  await pass(0);
  expect(read).toHaveBeenCalledTimes(2);
});

test('stale data is read again when the window receives the focus', async () => {
  const read = vi.fn(async () => 'response');
  observe(read);
  await pass(5 * MINUTE_MS - 1);
  window.dispatchEvent(new Event('visibilitychange'));
  await pass(0);
  expect(read).toHaveBeenCalledOnce();
  await pass(1);
  window.dispatchEvent(new Event('visibilitychange'));
  await pass(0);
  expect(read).toHaveBeenCalledTimes(2);
});

test('a change during the first read of a query causes one more read', async () => {
  const first = Promise.withResolvers<string>();
  const read = vi.fn(() => Promise.resolve('new'));
  read.mockReturnValueOnce(first.promise);
  observe(read);
  await pass(0);
  client.invalidateQueries();
  const whenRead = client.invalidateQueries({ queryKey: ['/api/funnels'] });
  first.resolve('old');
  await whenRead;
  expect(read).toHaveBeenCalledTimes(2);
  expect(client.getQueryData(['/api/funnels'])).toBe('new');
});

test('a change that may use the first read of a query causes no other read', async () => {
  const first = Promise.withResolvers<string>();
  const read = vi.fn(() => first.promise);
  observe(read);
  await pass(0);
  client.invalidateQueries({}, { cancelRefetch: false });
  first.resolve('nearly new');
  await pass(0);
  expect(read).toHaveBeenCalledOnce();
});

test('a change that only marks a query as stale causes no read during its first read', async () => {
  const first = Promise.withResolvers<string>();
  const read = vi.fn(() => first.promise);
  observe(read);
  await pass(0);
  client.invalidateQueries({ refetchType: 'none' });
  first.resolve('old');
  await pass(0);
  expect(read).toHaveBeenCalledOnce();
  expect(client.getQueryState(['/api/funnels'])?.isInvalidated).toBe(true);
});
