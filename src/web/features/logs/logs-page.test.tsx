import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { formatDateTime } from '#web/lib/format.ts';
import { json } from '#web/testing/server-edge.ts';
import { aLog, findRows, openLogs } from './testing/open-logs.ts';

beforeEach(() => {
  vi.spyOn(window, 'scrollTo').mockImplementation(() => {});
});

const TYPES = ['auth', 'refresh', 'system', 'error'] as const;
const ofEveryType = TYPES.map((type, id) => aLog({ id, type, summary: `An entry of ${type}` }));
const many = (count: number) => Array.from({ length: count }, (_, id) => aLog({ id, summary: `Entry ${id}` }));
const select = () => screen.getByLabelText('Log type');
const tabs = () => screen.getAllByRole('tab');
const chosenTab = () => screen.getByRole('tab', { selected: true }).textContent;

test('the table has the columns Time, Type, Action, Status, Summary and Actions with a Details button', async () => {
  openLogs([aLog()]);
  expect(await findRows()).toEqual([
    [formatDateTime(aLog().createdAt), 'Authentication', 'sign-in', 'success', 'dana signed in.', 'Details'],
  ]);
  const columns = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(columns).toEqual(['Time', 'Type', 'Action', 'Status', 'Summary', 'Actions']);
});

test('each row shows who caused the entry', async () => {
  const actor = { accountId: null, name: null, address: '203.0.113.5', requestId: 'r-1' };
  openLogs([
    aLog({ id: 1, summary: 'One.', actor: { ...actor, kind: 'account', accountId: 7, name: 'dana' } }),
    aLog({ id: 2, summary: 'Two.', actor: { ...actor, kind: 'command', name: 'root' } }),
    aLog({ id: 3, summary: 'Three.', actor: { ...actor, kind: 'anonymous' } }),
    aLog({ id: 4, summary: 'Four.', actor: { ...actor, kind: 'system' } }),
    aLog({ id: 5, summary: 'Five.', actor: null }),
  ]);
  expect((await findRows()).map((row) => row[4])).toEqual([
    'One.by dana',
    'Two.by root on the command line',
    'Three.not signed in, from 203.0.113.5',
    'Four.by the server',
    'Five.',
  ]);
});

test('status badges are green for success, red for error, yellow for warning and blue for info', async () => {
  const statuses = ['success', 'error', 'warning', 'info'] as const;
  openLogs(statuses.map((status, id) => aLog({ id, status, summary: `Entry ${id}` })));
  await findRows();
  const roles = { success: 'success', error: 'danger', warning: 'warning', info: 'info' };
  for (const status of statuses) {
    expect(screen.getByText(status).className).toContain(`text-${roles[status]}-ink`);
  }
});

test('the tabs are All Logs, Refresh Logs of type refresh and Error Logs of type error', async () => {
  const { user, reads } = openLogs(ofEveryType);
  await findRows();
  expect(tabs().map(({ textContent }) => textContent)).toEqual(['All Logs', 'Refresh Logs', 'Error Logs']);
  expect(chosenTab()).toBe('All Logs');
  expect(reads().at(-1)).toEqual({ page: '1', limit: '10' });

  await user.click(screen.getByRole('tab', { name: 'Refresh Logs' }));
  await waitFor(async () => expect((await findRows()).map((row) => row[4])).toEqual(['An entry of refresh']));
  expect(reads().at(-1)).toMatchObject({ type: 'refresh' });
  await user.click(screen.getByRole('tab', { name: 'Error Logs' }));
  await waitFor(async () => expect((await findRows()).map((row) => row[4])).toEqual(['An entry of error']));
  expect(reads().at(-1)).toMatchObject({ type: 'error' });
});

test('the type filter offers All Types, Refresh, Authentication, System and Error', async () => {
  const { user } = openLogs(ofEveryType);
  await findRows();
  const options = screen.getAllByRole('option').map(({ textContent }) => textContent);
  expect(options).toEqual(['All Types', 'Refresh', 'Authentication', 'System', 'Error']);
  for (const [label, type] of [
    ['Authentication', 'auth'],
    ['System', 'system'],
  ] as const) {
    await user.selectOptions(select(), label);
    await waitFor(async () => expect((await findRows()).map((row) => row[4])).toEqual([`An entry of ${type}`]));
    expect(chosenTab()).toBe('All Logs');
  }
});

test('tab and type filter follow each other', async () => {
  const { user } = openLogs(ofEveryType);
  await findRows();
  await user.click(screen.getByRole('tab', { name: 'Error Logs' }));
  expect(select()).toHaveProperty('value', 'error');
  await user.selectOptions(select(), 'Refresh');
  expect(chosenTab()).toBe('Refresh Logs');
  await user.click(screen.getByRole('tab', { name: 'All Logs' }));
  expect(select()).toHaveProperty('value', 'all');
});

test('the date range picker reads Select Range, bounds the days inclusively, and Clear empties it', async () => {
  const { user, reads } = openLogs(ofEveryType, '/system-logs?from=2026-03-01&to=2026-03-31');
  await findRows();
  expect(new Date(reads()[0]?.startDate ?? '')).toEqual(new Date(2026, 2, 1));
  expect(new Date(reads()[0]?.endDate ?? '')).toEqual(new Date(2026, 2, 31, 23, 59, 59, 999));
  screen.getByRole('button', { name: 'Mar 01, 2026 - Mar 31, 2026' });
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  screen.getByRole('button', { name: 'Select Range' });
  expect(location.search).toBe('');
  await waitFor(() => expect(reads().at(-1)).toEqual({ page: '1', limit: '10' }));
});

test('entries about what users view are listed when Show who watched and read is checked', async () => {
  const { user, reads } = openLogs(ofEveryType, '/system-logs?page=2');
  const box = await screen.findByRole('checkbox', { name: 'Show who watched and read' });
  expect(reads().at(-1)).not.toHaveProperty('views');
  await user.click(box);
  expect(location.search).toBe('?views=true');
  await waitFor(() => expect(reads().at(-1)).toMatchObject({ views: 'true', page: '1' }));
  await user.click(box);
  expect(location.search).toBe('');
});

test('choosing two days sets the range', async () => {
  const { user } = openLogs(ofEveryType, '/system-logs?page=1&from=2026-03-01&to=2026-03-02');
  await findRows();
  await user.click(screen.getByRole('button', { name: 'Mar 01, 2026 - Mar 02, 2026' }));
  await user.click(await screen.findByRole('button', { name: /March 5th, 2026/ }));
  await user.click(await screen.findByRole('button', { name: /March 9th, 2026/ }));
  expect(location.search).toBe('?from=2026-03-05&to=2026-03-09');
});

test('a page shows ten entries, and the pager reads Page N of M', async () => {
  const { user } = openLogs(many(23));
  expect(await findRows()).toHaveLength(10);
  const pager = screen.getByText('Page 1 of 3');
  expect(screen.getByRole('button', { name: 'Previous' }).getAttribute('aria-disabled')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(pager.textContent).toBe('Page 3 of 3');
  await waitFor(async () => expect(await findRows()).toHaveLength(3));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Next' }));
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(location.search).toBe('?page=3');
});

test('a change of type or date range returns to the first page', async () => {
  const { user } = openLogs(many(23), '/system-logs?page=2&from=2026-03-01&to=2026-03-31');
  await findRows();
  await user.selectOptions(select(), 'Authentication');
  expect(location.search).toBe('?type=auth&from=2026-03-01&to=2026-03-31');
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(location.search).toBe('?type=auth&from=2026-03-01&to=2026-03-31&page=2');
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  expect(location.search).toBe('?type=auth');
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await user.click(screen.getByRole('tab', { name: 'Error Logs' }));
  expect(location.search).toBe('?type=error');
});

test('a link sets tab, filters and page; Back undoes a tab and a page but not a filter', async () => {
  const { user, reads } = openLogs(many(23), '/system-logs?type=auth&from=2026-03-01&to=2026-03-31&page=2');
  await findRows();
  expect(reads()[0]).toMatchObject({ page: '2', type: 'auth' });
  await screen.findByText('Page 2 of 3');
  const step = vi.spyOn(history, 'pushState');
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(step).toHaveBeenCalledTimes(1);
  await user.click(screen.getByRole('tab', { name: 'Refresh Logs' }));
  expect(step).toHaveBeenCalledTimes(2);
  await user.selectOptions(select(), 'System');
  expect(step).toHaveBeenCalledTimes(2);
  expect(location.search).toBe('?type=system&from=2026-03-01&to=2026-03-31');
});

test('invalid values in a link are ignored', async () => {
  const { reads } = openLogs(ofEveryType, '/system-logs?type=secret&from=yesterday&to=2026-02-30&page=-1');
  await findRows();
  expect(reads()[0]).toEqual({ page: '1', limit: '10' });
});

test('a page past the end redirects to the last page', async () => {
  openLogs(many(11), '/system-logs?page=9');
  await screen.findByText('Page 2 of 2');
  expect(location.search).toBe('?page=2');
});

test('without entries the page reads No logs found for the selected filters.', async () => {
  openLogs([]);
  await screen.findByText('No logs found for the selected filters.');
  expect(screen.queryByRole('table')).toBeNull();
});

test('a failed request shows Failed to load logs. Please try again. and can be retried', async () => {
  const down = vi.fn(() => json({ message: 'The database is down' }, 400));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { reads } = openLogs([], '/system-logs', { 'GET /api/logs': down });
  await waitFor(() => expect(reads()).toHaveLength(1));
  await act(() => vi.advanceTimersByTimeAsync(8_000));
  vi.useRealTimers();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to load logs. Please try again.');
  expect(reads()).toHaveLength(4);
  down.mockImplementation(() => json({ logs: [aLog()], total: 1 }));
  screen.getByRole('button', { name: 'Retry' }).click();
  expect(await findRows()).toHaveLength(1);
});
