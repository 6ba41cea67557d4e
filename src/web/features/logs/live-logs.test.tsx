import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aLog, findRows, openLogs, socket } from './testing/open-logs.ts';

const banner = (summary: string) =>
  screen.getAllByRole('status').find(({ textContent }) => textContent?.includes(summary));
const summaries = async () => (await findRows()).map((row) => row[4]);
const created = aLog({ id: 2, type: 'system', action: 'create-funnel', summary: 'The funnel Nursing was created.' });

async function openConnected(...input: Parameters<typeof openLogs>) {
  const opened = openLogs(...input);
  await findRows();
  act(() => socket().accept());
  return opened;
}

test('the indicator reads Disconnected, and Real-time updates while the socket is open', async () => {
  openLogs([aLog()]);
  await screen.findByText('Disconnected');
  act(() => socket().accept());
  await screen.findByText('Real-time updates');
  act(() => socket().close());
  await screen.findByText('Disconnected');
});

test('the page subscribes to the channel system-logs', async () => {
  await openConnected([aLog()]);
  expect(socket().sent).toEqual([{ type: 'subscribe', channel: 'system-logs' }]);
});

test('a new entry is shown by a banner with type, action and summary, which clears itself after 3 seconds', async () => {
  const { write } = await openConnected([aLog()]);
  vi.useFakeTimers();
  await write(created);
  const shown = within(banner(created.summary) as HTMLElement);
  shown.getByText('System');
  shown.getByText('create-funnel');
  act(() => vi.advanceTimersByTime(2_999));
  expect(banner(created.summary)).toBeTruthy();
  act(() => vi.advanceTimersByTime(1));
  expect(banner(created.summary)).toBeUndefined();
});

test('the next entry replaces the previous one and stays for three seconds', async () => {
  const { write } = await openConnected([aLog()]);
  vi.useFakeTimers();
  await write(created);
  act(() => vi.advanceTimersByTime(2_000));
  await write(aLog({ id: 3, summary: 'noor signed in.' }));
  expect(banner(created.summary)).toBeUndefined();
  act(() => vi.advanceTimersByTime(2_000));
  expect(banner('noor signed in.')).toBeTruthy();
  act(() => vi.advanceTimersByTime(1_000));
  expect(banner('noor signed in.')).toBeUndefined();
});

test('a new entry appears at the top of the first page', async () => {
  const { write } = await openConnected([aLog()]);
  await write(created);
  await waitFor(async () => expect(await summaries()).toEqual([created.summary, 'dana signed in.']));
});

test('an entry that does not match the filters shows in the banner only', async () => {
  const { write, reads } = await openConnected([aLog()], '/system-logs?type=auth');
  const before = reads().length;
  await write(created);
  expect(banner(created.summary)).toBeTruthy();
  await waitFor(() => expect(reads().length).toBeGreaterThan(before));
  expect(await summaries()).toEqual(['dana signed in.']);
});

test('fifty simultaneous entries cause two reads and all appear', async () => {
  const { write, reads } = await openConnected([aLog()]);
  await waitFor(() => expect(reads()).toHaveLength(2));
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 });
  await vi.advanceTimersByTimeAsync(1_000);
  await write(...Array.from({ length: 50 }, (_, n) => aLog({ id: n + 2, summary: `Entry ${n + 2}` })));
  await waitFor(async () => expect((await summaries())[0]).toBe('Entry 51'), { timeout: 10_000 });
  await screen.findByText('Page 1 of 6');
  expect(reads().length).toBeLessThanOrEqual(4);
});

test('entries written before the subscription are read once the socket is open', async () => {
  const logs = [aLog()];
  openLogs([], '/system-logs', { 'GET /api/logs': () => ({ logs, total: logs.length }) });
  await findRows();
  logs.unshift(created);
  act(() => socket().accept());
  await screen.findByRole('cell', { name: created.summary });
});
