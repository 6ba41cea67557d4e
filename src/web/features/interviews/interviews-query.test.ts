import { QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '#web/lib/query-client.ts';
import { json, serve } from '#web/testing/server-edge.ts';
import { type InterviewFilters, NO_FILTERS } from './interview-filters.ts';
import { interviewsQuery } from './interviews-query.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

test('each filter is part of the query key, with days as ISO dates', () => {
  const range = { from: new Date(2026, 2, 1), to: new Date(2026, 2, 31) };
  const parts: Partial<InterviewFilters>[] = [
    {},
    { page: 2 },
    { search: 'okafor' },
    { funnels: [1] },
    { clients: ['Parcelbird'] },
    { status: 'sent' },
    { range },
  ];
  const keys = parts.map((part) => JSON.stringify(interviewsQuery({ ...NO_FILTERS, ...part }).queryKey));
  expect(new Set(keys).size).toBe(parts.length);
  expect(keys.at(-1)).toContain(`"startDate":"${range.from.toISOString()}"`);
  expect(keys.at(-1)).toContain('"endDate":"2026-');
  expect(keys[0]).toMatch(/^\["\/api\/interviews",/);
  expect(keys[0]).not.toContain('Date');
});

test('a failing list is retried three times, 1 s apart', async () => {
  const seen = serve({ 'GET /api/interviews': () => json({ message: 'The database is down' }, 503) });
  const observer = new QueryObserver(createQueryClient(), interviewsQuery(NO_FILTERS));
  const stop = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  for (const tries of [1, 2, 3]) {
    expect(seen).toHaveLength(tries);
    await vi.advanceTimersByTimeAsync(999);
    expect(seen).toHaveLength(tries);
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(seen).toHaveLength(4);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen).toHaveLength(4);
  expect(observer.getCurrentResult().error?.message).toBe('The database is down');
  stop();
});
