import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { aStatus } from '#web/features/interviews/testing/open-dashboard.ts';
import { createQueryClient } from '#web/lib/query-client.ts';
import { currentToasts } from '#web/lib/toast.ts';
import { json, serve } from '#web/testing/server-edge.ts';
import { useRefreshStatus } from './refresh-status.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function watchStatus() {
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(useRefreshStatus, { wrapper }).result;
}

test('the status is polled every 2 s while a refresh is in progress, and not otherwise', async () => {
  let status = aStatus({ inProgress: true, processed: 1 });
  const seen = serve({ 'GET /api/interviews/sync/status': () => status });
  const result = watchStatus();
  await pass(0);
  expect(result.current).toEqual(status);
  await pass(1_999);
  expect(seen).toHaveLength(1);
  status = { ...status, processed: 2 };
  await pass(1);
  expect(seen).toHaveLength(2);
  await pass(1);
  expect(result.current?.processed).toBe(2);

  status = aStatus({ message: 'Done' });
  await pass(2_000);
  expect(seen).toHaveLength(3);
  await pass(60_000);
  expect(seen).toHaveLength(3);
});

test('a status that cannot be read is only logged and read again later', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const responses = [aStatus({ inProgress: true }), json({ message: 'The database is down' }, 503)];
  const seen = serve({
    'GET /api/interviews/sync/status': () => responses.shift() ?? aStatus({ inProgress: true, processed: 9 }),
  });
  const result = watchStatus();
  await pass(2_000);
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
  expect(currentToasts().filter(({ open }) => open)).toEqual([]);
  expect(result.current?.inProgress).toBe(true);
  await pass(2_000);
  expect(seen).toHaveLength(3);
  await pass(1);
  expect(result.current?.processed).toBe(9);
});
