import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { BulkReport } from '#contracts/bulk.ts';
import { anInterview, openDashboard, sendLive } from '#web/features/interviews/testing/open-dashboard.ts';
import { currentToasts, dismissToast } from '#web/lib/toast.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json } from '#web/testing/server-edge.ts';

/** The file is long because its tests share one list, one bar and one run. */
const LISTED = ['Ada', 'Ben', 'Cleo', 'Dev'].map((title, at) => anInterview({ id: `int-${at}`, title }));

const aRun = (part: Partial<BulkReport> = {}): BulkReport => ({
  id: 7,
  action: 'convert',
  status: 'running',
  total: 2,
  done: 0,
  started: 0,
  failed: 0,
  skipped: 0,
  cancelRequested: false,
  error: null,
  startedBy: { id: 1, username: 'dana' },
  createdAt: '2026-03-05T12:00:00.000Z',
  finishedAt: null,
  reasons: [],
  items: [],
  ...part,
});

function open(responses: Parameters<typeof openDashboard>[1] = {}, path = '/') {
  let run = aRun();
  const page = openDashboard(
    LISTED,
    {
      'GET /api/interviews': { interviews: LISTED, total: 312 },
      'POST /api/bulk': ({ body }) => {
        run = aRun({ action: (body as { action: BulkReport['action'] }).action });
        return json(run, 202);
      },
      'GET /api/bulk/7': () => run,
      'POST /api/bulk/check': { total: 2, withDestination: 0 },
      ...responses,
    },
    path,
  );
  /** The run as it is now, with its live message. */
  const become = async (part: Partial<BulkReport>) => {
    run = { ...run, ...part };
    const { reasons: _reasons, items: _items, ...data } = run;
    await sendLive({ type: 'bulk-run', data });
  };
  const started = () => page.seen.filter(({ method, path }) => method === 'POST' && path === '/api/bulk');
  return { ...page, become, started };
}

const box = (title: string) => screen.findByRole('checkbox', { name: `Select ${title}` });
const selected = () =>
  screen
    .getAllByRole('checkbox', { name: /^Select / })
    .flatMap((input) => ((input as HTMLInputElement).checked ? (input.getAttribute('data-select') ?? '') : []));
const bar = async (name = /selected$/) => within(await screen.findByRole('region', { name }));
/** Answers the question before an action. */
const confirm = async (user: ReturnType<typeof open>['user'], title: string, label: string) =>
  user.click(within(await screen.findByRole('alertdialog', { name: title })).getByRole('button', { name: label }));

test('Export as CSV downloads the filtered list, and the selection', async () => {
  const { user } = open({}, '/?search=ada&status=sent&sort=oldest&page=2');
  const csv = (name: string) => screen.findByRole('link', { name });
  const hrefOf = async (name: string) => (await csv(name)).getAttribute('href');
  expect(await hrefOf('Export as CSV')).toBe('/api/interviews.csv?search=ada&status=sent&sort=oldest');
  await user.click(await box('Ada'));
  await user.click(await box('Cleo'));
  expect(await hrefOf('Export')).toBe('/api/interviews.csv?id=int-0&id=int-2&sort=oldest');
  await user.click((await bar()).getByRole('button', { name: 'Select all 312 that match' }));
  expect(await hrefOf('Export')).toBe('/api/interviews.csv?search=ada&status=sent&sort=oldest');
});

test('a checkbox on each card selects it, Shift and a click extend the selection, Escape clears it', async () => {
  const { user } = open();
  await user.click(await box('Ada'));
  expect(await screen.findByRole('region', { name: '1 selected' })).toBeTruthy();
  await user.keyboard('{Shift>}');
  await user.click(await box('Cleo'));
  await user.keyboard('{/Shift}');
  expect(selected()).toEqual(['int-0', 'int-1', 'int-2']);
  expect(screen.getByText('3 selected', { selector: '[role=status]' })).toBeTruthy();
  await user.keyboard('{Escape}');
  expect(selected()).toEqual([]);
  await waitFor(() => expect(screen.queryByRole('region', { name: /selected$/ })).toBeNull());
});

test('Shift and a click on the next page extend the selection from the page before', async () => {
  const next = ['Eve', 'Flo', 'Gus'].map((title, at) => anInterview({ id: `int-${at + 4}`, title }));
  const { user } = open({
    'GET /api/interviews': ({ query }) => ({ interviews: query.get('page') === '2' ? next : LISTED, total: 12 }),
  });
  await user.click(await box('Cleo'));
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  const last = await box('Flo');
  await user.keyboard('{Shift>}');
  await user.click(last);
  await user.keyboard('{/Shift}');
  expect(selected()).toEqual(['int-4', 'int-5']);
  expect(screen.getByText('4 selected', { selector: '[role=status]' })).toBeTruthy();
});

test('Escape closes an open menu and keeps the selection', async () => {
  const { user } = open();
  await user.click(await box('Ada'));
  await bar();
  await user.click(screen.getByRole('button', { name: 'Actions for Ben' }));
  await screen.findByRole('menuitem', { name: 'Archive' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
  expect(selected()).toEqual(['int-0']);
});

test('X selects the interview that has the focus, and Shift with an arrow extends the selection', async () => {
  const { user } = open();
  screen.findByRole('button', { name: 'Play Ben' }).then((button) => button.focus());
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Play Ben'));
  await user.keyboard('x');
  expect(selected()).toEqual(['int-1']);
  await user.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}');
  expect(selected()).toEqual(['int-1', 'int-2', 'int-3']);
  await user.keyboard('x');
  expect(selected()).toEqual(['int-1', 'int-2']);
});

test('Select page and Ctrl+A add all interviews of the page', async () => {
  const { user } = open();
  await user.click(await box('Ben'));
  await user.click((await bar()).getByRole('button', { name: 'Select page' }));
  expect(selected()).toEqual(['int-0', 'int-1', 'int-2', 'int-3']);
  expect((await bar()).queryByRole('button', { name: 'Select page' })).toBeNull();
  await user.keyboard('{Escape}');
  expect(selected()).toEqual([]);
  screen.getByRole('button', { name: 'Play Ada' }).focus();
  await user.keyboard('{Control>}a{/Control}');
  expect(selected()).toEqual(['int-0', 'int-1', 'int-2', 'int-3']);
});

test('the bar starts a run for the selected interviews and shows its progress and its report', async () => {
  const { user, started, become } = open();
  await user.click(await box('Ada'));
  await user.click(await box('Ben'));
  await user.click((await bar()).getByRole('button', { name: 'Convert' }));
  expect(started()).toEqual([]);
  await confirm(user, 'Convert 2 interviews?', 'Convert 2');
  await waitFor(() => expect(selected()).toEqual([]));
  expect(started()[0]?.body).toEqual({ action: 'convert', target: { ids: ['int-0', 'int-1'] } });
  const run = await bar(/^Bulk run$/);
  expect(run.getByText('Convert: 0 of 2 done')).toBeTruthy();
  const reason = 'Already converted.';
  await become({
    status: 'completed',
    done: 1,
    skipped: 1,
    reasons: [{ outcome: 'skipped', reason, count: 1 }],
    items: [{ interviewId: 'int-1', title: 'Ben', outcome: 'skipped', reason }],
  });
  await expectToast('1 of 2 converted', '1 skipped: Already converted');
  const outcome = '1 of 2 converted. 1 skipped: Already converted';
  expect(await run.findByText(outcome, { selector: ':not([role])' })).toBeTruthy();
  await user.click(run.getByRole('button', { name: 'Report' }));
  const report = await screen.findByRole('dialog', { name: 'Convert: 1 of 2 done' });
  expect(await within(report).findByRole('heading', { name: 'Already converted.' })).toBeTruthy();
  expect(within(report).getAllByText(/1 skipped/)).toHaveLength(1);
  expect(within(report).getByRole('link', { name: 'Ben' }).getAttribute('href')).toMatch(/^\/\?interview=/);
});

test('a run can be canceled from the bar', async () => {
  const { user, seen, become } = open({ 'POST /api/bulk/7/cancel': () => aRun({ cancelRequested: true }) });
  await user.click(await box('Ada'));
  await user.click((await bar()).getByRole('button', { name: 'Process' }));
  await user.click((await bar(/^Bulk run$/)).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(seen.some(({ path }) => path === '/api/bulk/7/cancel')).toBe(true));
  await become({ status: 'canceled', skipped: 2 });
  await expectToast('0 of 2 processed', '2 skipped. Canceled.', 'warning');
});

test('a retry that fails again shows why', async () => {
  const { become } = open();
  await box('Ada');
  const reason = 'This recording has no sound.';
  await become({
    ...{ action: 'retry', status: 'completed', total: 1, failed: 1 },
    reasons: [{ outcome: 'failed', reason, count: 1 }],
  });
  await expectToast('Still failing', 'This recording has no sound', 'destructive');
});

test('a search offers to transcribe the interviews that it cannot search for speech', async () => {
  const { user, started } = open(
    { 'GET /api/review': { unwatched: 0, withoutTranscript: 72, seconds: null } },
    '/?search=nurse&status=new&unwatched=1',
  );
  await user.click(await screen.findByRole('button', { name: 'Transcribe them' }));
  await confirm(user, 'Transcribe 72 interviews?', 'Transcribe 72');
  const filter = { status: 'new', funnelId: [], clientName: [], withoutTranscript: '1' };
  expect(started()[0]?.body).toEqual({ action: 'transcribe', target: { filter, expected: 72 } });
});

test('the bar stays while the server cannot be reached, and disappears with the run', async () => {
  let status = 200;
  const { user, seen, become } = open({ 'GET /api/bulk/7': () => json(aRun({ message: 'No' } as object), status) });
  const reads = () => seen.filter(({ path }) => path === '/api/bulk/7').length;
  await user.click(await box('Ada'));
  await user.click((await bar()).getByRole('button', { name: 'Convert' }));
  await bar(/^Bulk run$/);
  await waitFor(() => expect(reads()).toBe(1));
  status = 503;
  await become({ status: 'completed', done: 1, skipped: 1 });
  await expectToast('1 of 2 converted', '1 skipped');
  await waitFor(() => expect(reads()).toBe(2));
  expect(screen.getByRole('region', { name: 'Bulk run' })).toBeTruthy();
  status = 404;
  fireEvent(window, new Event('visibilitychange'));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Bulk run' })).toBeNull());
});

test('Show in the message of a run opens its report, even after another run has started', async () => {
  let id = 6;
  let ended: Partial<BulkReport> = {};
  const { user } = open({
    'POST /api/bulk': ({ body }) => {
      id += 1;
      return json(aRun({ id, action: (body as { action: BulkReport['action'] }).action }), 202);
    },
    'GET /api/bulk/7': () => aRun(ended),
    'GET /api/bulk/8': () => aRun({ id: 8, action: 'transcribe' }),
  });
  await user.click(await box('Ada'));
  await user.click((await bar()).getByRole('button', { name: 'Convert' }));
  await (await bar(/^Bulk run$/)).findByText('Convert: 0 of 2 done');
  await user.click(await box('Ben'));
  await user.click((await bar()).getByRole('button', { name: 'Transcribe' }));
  await screen.findByText('Transcribe: 0 of 2 done', { selector: ':not([role])' });
  ended = { status: 'completed', done: 1, skipped: 1 };
  const { reasons: _reasons, items: _items, ...data } = aRun(ended);
  await sendLive({ type: 'bulk-run', data });
  await expectToast('1 of 2 converted', '1 skipped');
  fireEvent.click(within(document.querySelector('[data-swipe-direction]') as HTMLElement).getByText('Show'));
  expect(await screen.findByRole('dialog', { name: 'Convert: 1 of 2 done' })).toBeTruthy();
});

test('all matching interviews can be selected, and a changed number must be confirmed', async () => {
  const { user, started } = open(
    {
      'POST /api/bulk': ({ body }) =>
        (body as { target: { expected: number } }).target.expected === 315
          ? json(aRun({ action: 'archive', total: 315 }), 202)
          : json({ message: 'The list has changed', code: 'matches_changed', matches: 315 }, 409),
    },
    '/?status=new&search=nurse',
  );
  await user.click(await box('Ada'));
  await user.click((await bar()).getByRole('button', { name: 'Select all 312 that match' }));
  expect(selected()).toHaveLength(4);
  await user.click((await bar(/^312 selected$/)).getByRole('button', { name: 'Archive' }));
  await confirm(user, 'Archive 312 interviews?', 'Archive 312');
  const question = await screen.findByRole('alertdialog', { name: 'The list has changed' });
  expect(within(question).getByText('315 interviews match now. Continue with all of them?')).toBeTruthy();
  await user.click(within(question).getByRole('button', { name: 'Archive 315' }));
  await waitFor(() => expect(started()).toHaveLength(2));
  const filter = { search: 'nurse', status: 'new', funnelId: [], clientName: [] };
  expect(started().map(({ body }) => body)).toEqual(
    [312, 315].map((expected) => ({ action: 'archive', target: { filter, expected } })),
  );
});

test('a double click that selects all matches starts nothing', async () => {
  const { user, started } = open({ 'GET /api/interviews': { interviews: LISTED, total: 312 } });
  await user.click(await box('Ada'));
  const button = (await bar()).getByRole('button', { name: 'Select all 312 that match' });
  await user.dblClick(button);
  const all = (await bar(/^312 selected$/)).getByRole('button', { name: 'All 312 that match' });
  expect(all.getAttribute('aria-disabled')).toBe('true');
  expect(all.nextElementSibling?.textContent).toMatch(/^Convert/);
  expect(started()).toEqual([]);
});

test('more matches than one run accepts are rejected with advice', async () => {
  const { user, started } = open({ 'GET /api/interviews': { interviews: LISTED, total: 12_345 } });
  await user.click(await box('Ada'));
  await user.click((await bar()).getByRole('button', { name: 'Select all 12,345 that match' }));
  await user.click((await bar()).getByRole('button', { name: 'Archive' }));
  const reason = 'At most 10,000 interviews at once. Use a filter to select fewer.';
  await expectToast('Archive Failed', reason, 'destructive');
  expect(started()).toEqual([]);
});

test('one Undo restores everything that a run has archived', async () => {
  const { user, started, become } = open();
  await user.click(await box('Ada'));
  await user.click(await box('Ben'));
  await user.click((await bar()).getByRole('button', { name: 'Archive' }));
  await bar(/^Bulk run$/);
  await become({ status: 'completed', done: 2 });
  await expectToast('2 Interviews Archived', "You'll find them under Archived.");
  expect(screen.queryByRole('region', { name: 'Bulk run' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(started().at(-1)?.body).toEqual({ action: 'unarchive', target: { run: 7 } }));
  expect(await (await bar(/^Bulk run$/)).findByText('Unarchive: 0 of 2 done')).toBeTruthy();
});

test('a run that archives one interview is announced in the singular', async () => {
  const { user, become } = open();
  await user.click(await box('Ada'));
  await user.click((await bar()).getByRole('button', { name: 'Archive' }));
  await bar(/^Bulk run$/);
  await become({ status: 'completed', total: 1, done: 1 });
  await expectToast('Interview Archived', "You'll find it under Archived.");
});

test('Archive is not next to the button that clears the selection', async () => {
  const { user } = open();
  await user.click(await box('Ada'));
  const names = (await bar()).getAllByRole('button').map((button) => button.getAttribute('aria-label') ?? '');
  expect(names[0]).toBe('Clear selection');
  expect(names.at(-1)).toBe('');
});

test('destinations that exist are kept unless the user replaces them, and one Undo restores them', async () => {
  const { user, started, become } = open({ 'POST /api/bulk/check': { total: 2, withDestination: 1 } });
  await user.click(await box('Ada'));
  await user.click(await box('Dev'));
  await user.click((await bar()).getByRole('button', { name: 'Set Destination' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Set Destination' }));
  expect(await dialog.findByText('1 of 2 already has a destination')).toBeTruthy();
  expect(dialog.getByRole('radio', { name: 'Keep theirs' })).toHaveProperty('checked', true);
  await user.click(dialog.getByRole('radio', { name: /^Replace/ }));
  await user.type(dialog.getByRole('textbox', { name: /^Employer ID/ }), 'ACME');
  await user.type(dialog.getByRole('textbox', { name: /^Job ID/ }), '42');
  await user.click(dialog.getByRole('button', { name: 'Set Destination' }));
  await waitFor(() => expect(started()[0]?.body).toMatchObject({ existing: 'replace' }));
  await bar(/^Bulk run$/);
  await become({ status: 'completed', done: 2 });
  await expectToast('Destination set for 2 interviews', undefined);
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(started().at(-1)?.body).toEqual({ action: 'undoDestination', target: { run: 7 } }));
});

test('a destination is set for all selected interviews with the validation of one', async () => {
  const { user, started } = open();
  await user.click(await box('Ada'));
  await user.click(await box('Dev'));
  await user.click((await bar()).getByRole('button', { name: 'Set Destination' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Set Destination' }));
  expect(dialog.getByText('2 interviews')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Set Destination' }));
  await expectToast('Validation Error', 'Both Employer ID and Job ID are required', 'destructive');
  await user.type(dialog.getByRole('textbox', { name: /^Employer ID/ }), 'ACME');
  await user.type(dialog.getByRole('textbox', { name: /^Job ID/ }), '42');
  await user.click(dialog.getByRole('button', { name: 'Set Destination' }));
  await waitFor(() => expect(started()).toHaveLength(1));
  expect(started()[0]?.body).toEqual({
    action: 'setDestination',
    target: { ids: ['int-0', 'int-3'] },
    destinationId: 'BUB-ACME-42',
    notes: '',
    existing: 'keep',
  });
});

test('a destination that no interview could get is announced as a warning', async () => {
  const { user, become } = open();
  await user.click(await box('Ada'));
  await user.click((await bar()).getByRole('button', { name: 'Set Destination' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Set Destination' }));
  await user.type(dialog.getByRole('textbox', { name: /^Employer ID/ }), 'ACME');
  await user.type(dialog.getByRole('textbox', { name: /^Job ID/ }), '42');
  await user.click(dialog.getByRole('button', { name: 'Set Destination' }));
  await bar(/^Bulk run$/);
  await become({ status: 'completed', done: 0, skipped: 1 });
  await expectToast('No destination set', '1 skipped', 'warning');
});

test('a destination for many starts with the Employer ID of their client, and accepts a pasted link', async () => {
  const defaults = { employerId: 'MERCY', linkTemplate: 'https://ats.test/{employerId}/{jobId}' };
  const { user } = open({ 'GET /api/funnels/1/destination-defaults': defaults });
  await user.click(await box('Ada'));
  await user.click(await box('Ben'));
  await user.click((await bar()).getByRole('button', { name: 'Set Destination' }));
  const field = (name: RegExp) => screen.findByRole('textbox', { name });
  await waitFor(async () => expect(await field(/^Employer ID/)).toHaveProperty('value', 'MERCY'));
  await user.click(await field(/^Job ID/));
  await user.paste('https://ats.test/ACME/2026-07');
  expect(await field(/^Employer ID/)).toHaveProperty('value', 'ACME');
  expect(await field(/^Job ID/)).toHaveProperty('value', '2026-07');
});

test('a destination for the interviews of several clients starts without an Employer ID', async () => {
  const interviews = [...LISTED, anInterview({ id: 'int-9', title: 'Eve', clientName: 'Parcelbird' })];
  const served = vi.fn(() => ({ employerId: 'MERCY', linkTemplate: 'https://ats.test/{employerId}/{jobId}' }));
  const { user } = open({
    'GET /api/interviews': { interviews, total: 5 },
    'GET /api/funnels/1/destination-defaults': served,
  });
  await user.click(await box('Ada'));
  await user.click(await box('Eve'));
  await user.click((await bar()).getByRole('button', { name: 'Set Destination' }));
  await waitFor(() => expect(served).toHaveBeenCalled());
  expect(await screen.findByRole('textbox', { name: /^Employer ID/ })).toHaveProperty('value', '');
});

test('after a reload the first checkbox does not open the dialog of an earlier selection', async () => {
  const { user } = open({}, '/?dialog=bulk-destination');
  await user.click(await box('Ada'));
  const shown = await bar();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(location.search).toBe('');
  expect(selected()).toEqual(['int-0']);
  await user.click(shown.getByRole('button', { name: 'Set Destination' }));
  expect(await screen.findByRole('dialog', { name: 'Set Destination' })).toBeTruthy();
});

test('E that is pressed again on a slow connection starts one run', async () => {
  const response = Promise.withResolvers<Response>();
  const { user, started } = open({ 'POST /api/bulk': () => response.promise });
  await user.click(await box('Ada'));
  const archive = (await bar()).getByRole('button', { name: 'Archive' });
  await user.keyboard('e');
  await waitFor(() => expect(archive.getAttribute('aria-busy')).toBe('true'));
  await user.keyboard('e');
  response.resolve(json(aRun({ action: 'archive', total: 1 }), 202));
  await bar(/^Bulk run$/);
  expect(started()).toHaveLength(1);
});

/** Shares interviews of two clients on two pages. The last link of one client had recipients. */
async function shareSelected(titles: string[]) {
  const eve = anInterview({ id: 'int-9', title: 'Eve', clientName: 'Parcelbird' });
  const finn = anInterview({ id: 'int-10', title: 'Finn', clientName: LISTED[0]?.clientName ?? null });
  const last = {
    ...{ recipients: [{ name: 'Mia', email: null }], message: 'As discussed.', days: 7 },
    ...{ mayComment: true, mayDecide: true },
    shows: { name: 'full', contact: false, transcript: true, summary: true, questions: true },
  };
  const { user } = open({
    'GET /api/interviews': ({ query }) => ({
      interviews: query.get('page') === '2' ? [finn] : [...LISTED, eve],
      total: 12,
    }),
    'GET /api/share-defaults': last,
    'POST /api/share-preview': () => new Promise(() => {}),
  });
  for (const title of titles) {
    if (title === 'Finn') await user.click(screen.getByRole('button', { name: 'Page 2' }));
    await user.click(await box(title));
  }
  await user.click((await bar()).getByRole('button', { name: 'Share' }));
  await screen.findByRole('textbox', { name: /^Title/ });
  const value = (name: RegExp) => (screen.getByRole('textbox', { name }) as HTMLInputElement).value;
  return [value(/^Title/), value(/^Name of recipient 1/), value(/^Message/)];
}

test('sharing candidates of one client starts with the recipients and the message of its last link', async () => {
  expect(await shareSelected(['Ada', 'Ben'])).toEqual(['Candidates for St. Hedwig', 'Mia', 'As discussed.']);
});

test('sharing candidates of one client that are on two pages starts with the recipients of its last link', async () => {
  expect(await shareSelected(['Ada', 'Finn'])).toEqual(['Candidates for St. Hedwig', 'Mia', 'As discussed.']);
});

test('sharing candidates of several clients names no client and starts without recipients and message', async () => {
  expect(await shareSelected(['Eve', 'Ada'])).toEqual(['Candidates', '', '']);
});

test('another filter ends the selection, another page keeps it', async () => {
  const { user } = open();
  await user.click(await box('Ada'));
  await user.click(screen.getByRole('button', { name: 'Page 2' }));
  expect(await screen.findByRole('region', { name: '1 selected' })).toBeTruthy();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'new');
  await waitFor(() => expect(screen.queryByRole('region', { name: /selected$/ })).toBeNull());
});

test('the end of a run shows one toast for all its steps, and a failure links to the failed interviews', async () => {
  const { lists, user, become } = open();
  await user.click(await box('Ada'));
  await user.click((await bar()).getByRole('button', { name: 'Transcribe' }));
  await bar(/^Bulk run$/);
  const before = lists().length;
  await sendLive({
    type: 'transcription-failed',
    data: { interviewId: 'int-0', message: 'No sound.', isGrouped: true },
  });
  await waitFor(() => expect(lists().length).toBeGreaterThan(before));
  expect(document.body.textContent).not.toContain('No sound.');
  await become({ status: 'completed', total: 10_000, done: 8_799, failed: 1, skipped: 1_200 });
  await expectToast('8,799 of 10,000 transcribed', '1 failed, 1,200 skipped', 'destructive');
  fireEvent.click(within(document.querySelector('[data-swipe-direction]') as HTMLElement).getByText('Show'));
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Status' })).toHaveProperty('value', 'error'));
});

test('a run that ends before its first response is announced too', async () => {
  const { user, become } = open({ 'GET /api/bulk/7': aRun({ status: 'completed', done: 2 }) });
  await user.click(await box('Ada'));
  await user.click((await bar()).getByRole('button', { name: 'Convert' }));
  await (await bar(/^Bulk run$/)).findByRole('button', { name: 'Dismiss' });
  await become({ status: 'completed', done: 2 });
  await expectToast('2 interviews converted');
});

test('the end of a run that is sent again after a reload is not announced again', async () => {
  const before = { status: 'failed', failed: 1, done: 1 } as const;
  localStorage.setItem('bulk-run', JSON.stringify({ id: 9 }));
  open({ 'GET /api/bulk/9': aRun({ id: 9, ...before }) });
  await (await bar(/^Bulk run$/)).findByRole('button', { name: 'Dismiss' });
  const { reasons: _reasons, items: _items, ...data } = aRun({ id: 9, ...before, done: 2 });
  await sendLive({ type: 'bulk-run', data });
  // A message would appear within this time.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(currentToasts().filter(({ open: isOpen }) => isOpen)).toEqual([]);
});

test('the end of a run that this page does not show is announced once', async () => {
  const { become } = open();
  await box('Ada');
  const interrupted = {
    status: 'failed',
    failed: 1,
    error: 'It was interrupted. Start it again for the rest.',
  } as const;
  await become({ ...interrupted, total: 81, done: 74 });
  await expectToast('74 of 81 converted', '1 failed. It was interrupted. Start it again for the rest.', 'destructive');
  await become({ done: 75 });
  await become({ done: 76 });
  // A message would appear within this time.
  await new Promise((resolve) => setTimeout(resolve, 20));
  dismissToast(currentToasts()[0]?.id ?? 0);
  expect(currentToasts().filter(({ open: isOpen }) => isOpen)).toEqual([]);
});

test("a colleague's run reloads the list without a message", async () => {
  const { lists, become } = open();
  await box('Ada');
  const before = lists().length;
  await become({ status: 'completed', done: 2, startedBy: { id: 2, username: 'lee' } });
  await waitFor(() => expect(lists().length).toBeGreaterThan(before));
  expect(document.body.textContent).not.toContain('2 interviews converted');
});

const FAILURES = { interviews: 2, permanent: 1 };

test('interviews with failed steps are counted above the list, shown, and retried with one run', async () => {
  const { user, started } = open({ 'GET /api/interviews': { interviews: LISTED, total: 4, failures: FAILURES } });
  const strip = within(await screen.findByRole('region', { name: 'Failed steps' }));
  expect(strip.getByText(/^2 /).textContent).toBe('2 interviews failed');
  await user.click(strip.getByRole('button', { name: 'Show' }));
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Status' })).toHaveProperty('value', 'error'));
  await user.click(strip.getByRole('button', { name: 'Retry all' }));
  await waitFor(() => expect(started()).toHaveLength(1));
  const filter = { status: 'error', funnelId: [], clientName: [] };
  expect(started()[0]?.body).toEqual({ action: 'retry', target: { filter, expected: 3 } });
});

test('without a failed step no message about failed steps is shown', async () => {
  open();
  await box('Ada');
  expect(screen.queryByRole('region', { name: 'Failed steps' })).toBeNull();
});

test('failed steps are not counted above archived interviews', async () => {
  openDashboard([], { 'GET /api/interviews': { interviews: [], total: 0, failures: FAILURES } }, '/?archived=1');
  await screen.findByText('No archived interviews');
  expect(screen.queryByText(/failed/)).toBeNull();
});

test('Process in the menu of a card converts and summarizes it', async () => {
  const { user, started } = open();
  await user.click(await screen.findByRole('button', { name: 'Actions for Ada' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Process' }));
  await waitFor(() =>
    expect(started().map(({ body }) => body)).toEqual([{ action: 'process', target: { ids: ['int-0'] } }]),
  );
});
