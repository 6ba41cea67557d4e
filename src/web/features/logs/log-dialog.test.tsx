import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { anInterview } from '#web/features/interviews/testing/open-dashboard.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json } from '#web/testing/server-edge.ts';
import { aLog, aRefreshLog, fact, openDetails, openLogs } from './testing/open-logs.ts';

/** The cell texts of every row, without the column names that narrow screens show. */
const cellsOf = (table: HTMLElement) => {
  for (const name of table.querySelectorAll('[aria-hidden]')) name.remove();
  return within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));
};

test('the details show time, ID, type, action, status, summary and details, and return the focus', async () => {
  const opened = openLogs([aLog({ id: 77 })]);
  const dialog = await openDetails(opened);
  expect(['Time', 'ID', 'Type', 'Action', 'Status', 'Summary'].map((name) => fact(dialog, name))).toEqual([
    formatDateTime(aLog().createdAt),
    '77',
    'Authentication',
    'sign-in',
    'success',
    'dana signed in.',
  ]);
  dialog.getByRole('heading', { name: 'Details' });
  await opened.user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Details' })));
});

test('a link opens an entry that is no longer on the page', async () => {
  openLogs([aLog({ id: 77 })], '/system-logs?dialog=log&id=5', { 'GET /api/logs/5': aLog({ id: 5 }) });
  const dialog = within(await screen.findByRole('dialog', { name: 'Log Details' }));
  expect(fact(dialog, 'ID')).toBe('5');
});

test('the details show who caused the entry: account, address and request ID', async () => {
  const actor = { kind: 'account', accountId: 7, name: 'dana', address: '203.0.113.5', requestId: 'r-1' } as const;
  const dialog = await openDetails(openLogs([aLog({ actor })]));
  dialog.getByRole('heading', { name: 'Who' });
  expect(['Account', 'Address', 'Request ID'].map((name) => fact(dialog, name))).toEqual([
    'dana (ID 7)',
    '203.0.113.5',
    'r-1',
  ]);
});

test('details that are too large for the list are loaded when the dialog opens', async () => {
  const log = aRefreshLog();
  const response = vi.fn(() => json({ message: 'Not now' }, 400));
  const shortened = { ...log, details: null, metadata: null, isShortened: true };
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const opened = openLogs([shortened], '/system-logs', { 'GET /api/logs/8': response });
  const dialog = await openDetails(opened);
  await waitFor(() => expect(response).toHaveBeenCalled());
  await act(() => vi.advanceTimersByTimeAsync(8_000));
  vi.useRealTimers();
  await dialog.findByText("Couldn't load the details. Try again.");
  response.mockImplementation(() => json(log));
  await opened.user.click(dialog.getByRole('button', { name: 'Retry' }));
  await dialog.findByRole('heading', { name: 'Operation Summary' });
  expect(fact(dialog, 'Funnel Name')).toBe('Nursing');
});

test('other logs show details and metadata as raw JSON', async () => {
  const details = { reason: 'The <b>service</b> is down', at: [1, 2] };
  const dialog = await openDetails(openLogs([aLog({ type: 'error', details })]));
  expect(dialog.getByRole('region', { name: 'Details' }).textContent).toBe(JSON.stringify(details, null, 2));
  expect(dialog.getByRole('region', { name: 'Metadata' }).textContent).toBe('{\n  "username": "dana"\n}');
  expect(dialog.queryByRole('heading', { name: 'Operation Summary' })).toBeNull();
});

test('an entry without details and metadata shows None', async () => {
  const dialog = await openDetails(openLogs([aLog({ metadata: null })]));
  expect(dialog.getAllByText('None')).toHaveLength(2);
});

test('a refresh shows funnel name, ID and API ID, and the processing time in seconds', async () => {
  const dialog = await openDetails(openLogs([aRefreshLog()]));
  expect(['Funnel Name', 'Funnel ID', 'Funnel API ID', 'Processing Time'].map((name) => fact(dialog, name))).toEqual([
    'Nursing',
    '4',
    'nursing-2026',
    '12.34 seconds',
  ]);
});

test('a refresh shows its counts: total, new, updated and archived', async () => {
  const dialog = await openDetails(openLogs([aRefreshLog()]));
  expect(['Total', 'New', 'Updated', 'Archived'].map((name) => fact(dialog, name))).toEqual([
    '1,204',
    '11',
    '12',
    '13',
  ]);
});

test('a refresh shows the skipped interviews with ID, title and reason', async () => {
  const dialog = await openDetails(openLogs([aRefreshLog()]));
  const table = dialog.getByRole('table', { name: 'Skipped interviews' });
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['ID', 'Title', 'Reason']);
  expect(cellsOf(table)).toEqual([['iv-9', 'Noor for Nursing', 'The interview is archived.']]);
});

test('a refresh shows the field changes of each interview with field, old value and new value', async () => {
  const dialog = await openDetails(openLogs([aRefreshLog()]));
  const table = dialog.getByRole('table', { name: 'Changes to Amara for Nursing' });
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Field', 'Old Value', 'New Value']);
  expect(cellsOf(table)).toEqual([
    ['candidateName', 'Amara', 'Amara Okafor'],
    ['candidatePhone', 'empty', '+49 30 5550 0100'],
  ]);
});

test('a refresh shows funnel information, operation summary and raw metadata', async () => {
  const log = aRefreshLog();
  const dialog = await openDetails(openLogs([log]));
  dialog.getByRole('heading', { name: 'Funnel Information' });
  expect(['Name', 'API ID', 'Client'].map((name) => fact(dialog, name))).toEqual([
    'Nursing 2026',
    'nursing-2026',
    'St. Hedwig',
  ]);
  expect(fact(dialog, 'ID', 1)).toBe('4');
  dialog.getByRole('heading', { name: 'Operation Summary' });
  expect(
    ['Total Field Changes', 'Skipped Interviews', 'Updated Interview IDs'].map((name) => fact(dialog, name)),
  ).toEqual(['17', '14', 'iv-7, iv-8']);
  expect(JSON.parse(dialog.getByRole('region', { name: 'Raw Metadata' }).textContent ?? '')).toEqual(log.metadata);
});

test('a long value can be expanded, and its markup is shown as text', async () => {
  const long = `<img src=x onerror="alert(1)"> ${'a very long story '.repeat(30)}`;
  const fields = { description: { oldValue: null, newValue: long } };
  const opened = openLogs([aRefreshLog({ detailedChanges: { 'iv-1': { title: '<b>Bold</b>', fields } } })]);
  const dialog = await openDetails(opened);
  dialog.getByText('<b>Bold</b>');
  const value = dialog.getByText(long.trim());
  expect(value.className).toContain('line-clamp');
  await opened.user.click(dialog.getByRole('button', { name: 'Show all' }));
  expect(value.className).not.toContain('line-clamp');
  expect(dialog.getByRole('button', { name: 'Show less' }).getAttribute('aria-expanded')).toBe('true');
});

test('ten skipped interviews are shown first, and all on demand', async () => {
  const skippedInterviews = Array.from({ length: 57 }, (_, index) => ({
    interviewId: '',
    title: `Interview ${index}`,
    reason: 'It has no id.',
  }));
  const opened = openLogs([aRefreshLog({ skippedInterviews })]);
  const dialog = await openDetails(opened);
  const rows = () => cellsOf(dialog.getByRole('table', { name: 'Skipped interviews' }));
  expect(rows()).toHaveLength(10);
  dialog.getByText('Showing the first 1 of 12.');
  await opened.user.click(dialog.getByRole('button', { name: 'Show all 57' }));
  expect(rows()).toHaveLength(57);
});

test('a failed refresh and failed downloads are shown in the same report', async () => {
  const failedDownloads = [{ interviewId: 'iv-3', kind: 'video', reason: 'The address returned 404.' }];
  const dialog = await openDetails(openLogs([aRefreshLog({ failedDownloads }, { type: 'error', status: 'error' })]));
  expect(cellsOf(dialog.getByRole('table', { name: 'Failed downloads' }))).toEqual([
    ['iv-3', 'video', 'The address returned 404.'],
  ]);
});

test('missing values of a refresh entry show a dash and hide nothing else', async () => {
  const details = { funnelName: 'Nursing', skippedInterviews: 'none', detailedChanges: null };
  const dialog = await openDetails(openLogs([aRefreshLog({}, { details, metadata: null })]));
  expect(fact(dialog, 'Funnel Name')).toBe('Nursing');
  expect(fact(dialog, 'Processing Time')).toBe('–');
  expect(fact(dialog, 'Total')).toBe('–');
  dialog.getByText('Nothing skipped.');
  dialog.getByText('No changes.');
});

const FAILED_STEP = aLog({
  type: 'error',
  action: 'convert-interview',
  status: 'error',
  summary: `Couldn't publish "Amara for Nursing" on YouTube: the title was rejected.`,
  metadata: { interviewId: 'iv 7' },
});

test('the details of a failed step open its interview and start the step again', async () => {
  const interview = anInterview({ id: 'iv 7', youtubeStatus: 'failed' });
  const opened = openLogs([FAILED_STEP], '/system-logs', {
    'GET /api/interviews/iv%207': interview,
    'POST /api/interviews/iv%207/convert': { message: 'Uploading to YouTube.' },
  });
  const dialog = await openDetails(opened);
  const link = await dialog.findByRole('link', { name: 'Open interview' });
  expect(link.getAttribute('href')).toBe('/?dialog=video&id=iv%207');
  await opened.user.click(dialog.getByRole('button', { name: 'Retry' }));
  await expectToast('Conversion Started', 'Uploading to YouTube.');
});

test('a step that has succeeded since is not retried', async () => {
  const interview = anInterview({ id: 'iv 7', youtubeId: 'yt', youtubeStatus: 'completed' });
  const dialog = await openDetails(
    openLogs([FAILED_STEP], '/system-logs', { 'GET /api/interviews/iv%207': interview }),
  );
  await dialog.findByRole('link', { name: 'Open interview' });
  expect(dialog.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('the details of a step offer nothing once its interview is deleted', async () => {
  const response = vi.fn(() => json({ message: 'This interview no longer exists.', code: 'not_found' }, 404));
  const dialog = await openDetails(openLogs([FAILED_STEP], '/system-logs', { 'GET /api/interviews/iv%207': response }));
  await waitFor(() => expect(response).toHaveBeenCalled());
  expect(dialog.queryByRole('link', { name: 'Open interview' })).toBeNull();
});
