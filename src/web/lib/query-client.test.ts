// @vitest-environment happy-dom
import { MutationObserver, type QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '#web/lib/api-error.ts';
import { createQueryClient } from '#web/lib/query-client.ts';

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
  vi.useRealTimers();
});

/** Somebody looks at the answer. Returns how to look away. */
const look = (read: () => Promise<unknown>) =>
  new QueryObserver(client, { queryKey: ['/api/x'], queryFn: read }).subscribe(() => {});

test('a read that fails is tried again after 1, 2 and 4 s, and then no more', async () => {
  const read = vi.fn(() => Promise.reject(failure(503)));
  look(read);
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

test('what failed while the network was away is read again when it is back', async () => {
  const read = vi.fn(() => Promise.reject(failure(0)));
  look(read);
  window.dispatchEvent(new Event('offline'));
  await pass(MINUTE_MS);
  expect(read).toHaveBeenCalledTimes(4);
  window.dispatchEvent(new Event('online'));
  await pass(0);
  expect(read).toHaveBeenCalledTimes(5);
});

test('the delay doubles up to 30 s', () => {
  const delay = client.getDefaultOptions().queries?.retryDelay as (attempt: number, error: Error) => number;
  expect([0, 1, 2, 3, 4, 5, 6].map((attempt) => delay(attempt, failure(503)))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ]);
});

test('a 401 is never tried again', async () => {
  const read = vi.fn(() => Promise.reject(failure(401)));
  look(read);
  await pass(MINUTE_MS);
  expect(read).toHaveBeenCalledOnce();
});

test('a write is not tried again', async () => {
  const write = vi.fn(() => Promise.reject(failure(503)));
  const written = new MutationObserver(client, { mutationFn: write }).mutate();
  await expect(written).rejects.toMatchObject({ status: 503 });
  await pass(MINUTE_MS);
  expect(write).toHaveBeenCalledOnce();
});

test('a read is fresh for 5 minutes, and is not repeated while somebody looks', async () => {
  const read = vi.fn(async () => 'answer');
  look(read);
  await pass(5 * MINUTE_MS - 1);
  look(read);
  expect(read).toHaveBeenCalledOnce();
  await pass(1);
  expect(read).toHaveBeenCalledOnce();
  look(read);
  await pass(0);
  expect(read).toHaveBeenCalledTimes(2);
});

test('what is no longer fresh is read again when the window gets the focus', async () => {
  const read = vi.fn(async () => 'answer');
  look(read);
  await pass(5 * MINUTE_MS - 1);
  window.dispatchEvent(new Event('visibilitychange'));
  await pass(0);
  expect(read).toHaveBeenCalledOnce();
  await pass(1);
  window.dispatchEvent(new Event('visibilitychange'));
  await pass(0);
  expect(read).toHaveBeenCalledTimes(2);
});
