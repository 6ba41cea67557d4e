import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aFunnel } from '#web/testing/a-funnel.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json, type SeenRequest } from '#web/testing/server-edge.ts';
import { anInterview, aSetup, aStatus, findCard, openDashboard, READY, sendLive } from './testing/open-dashboard.ts';

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => anInterview({ id: `int-${index}`, title: `Interview ${index}` }));

test('all cards of a page render, including those after the first row', async () => {
  openDashboard(many(10));
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(10));
});

test('a loading list reads Loading interviews...', async () => {
  openDashboard([], { 'GET /api/interviews': () => new Promise(() => {}) });
  expect(await screen.findByText('Loading interviews...')).toBeTruthy();
});

test('the list is requested four times, then the error is shown with a Retry button', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { user, lists } = openDashboard([], {
    'GET /api/interviews': () => json({ message: 'The database is down' }, 503),
  });
  await waitFor(() => expect(lists()).toHaveLength(1));
  await act(() => vi.advanceTimersByTimeAsync(8_000));
  vi.useRealTimers();
  expect(await screen.findByText('Error loading interviews: The database is down')).toBeTruthy();
  expect(lists()).toHaveLength(4);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(lists().length).toBeGreaterThan(4));
});

test('without interviews the page points to the Refresh button', async () => {
  const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => {});
  const { user } = openDashboard([]);
  expect(await screen.findByRole('heading', { name: 'No interviews found' })).toBeTruthy();
  expect(screen.getByText('Click the Refresh button to sync interviews from your account.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Go to Refresh' }));
  expect(scroll).toHaveBeenCalledWith(expect.objectContaining({ top: 0 }));
});

test('when every interview is archived, the page explains this and shows them', async () => {
  const { user } = openDashboard([], {
    'GET /api/interviews': ({ query }) =>
      query.get('archived') ? { interviews: [anInterview()], total: 81 } : { interviews: [], total: 0 },
  });
  expect(await screen.findByRole('heading', { name: 'All 81 interviews are archived' })).toBeTruthy();
  await user.click(screen.getByRole('link', { name: 'Show archived' }));
  expect(await findCard()).toBeTruthy();
});

/** A new server that reads Hireflix and uploads. */
const NEW_SERVER = aSetup({
  interviewService: false,
  sources: ['hireflix', 'upload'],
  funnel: false,
  activeFunnel: false,
  refreshed: false,
  youtube: false,
});

test('the first run begins with the sources of a first job, and those that need an admin cannot be chosen', async () => {
  openDashboard([], { 'GET /api/funnels': [], 'GET /api/funnels/active': () => null, 'GET /api/setup': NEW_SERVER });
  const firstRun = within(await screen.findByRole('region', { name: 'Add your first job' }));
  expect(firstRun.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Hireflix or VideoAskRead a position with your API key.', '/funnels?dialog=create-funnel&id=hireflix'],
    ['UploadsUpload recordings for a job.', '/funnels?dialog=create-funnel&id=upload'],
  ]);
  expect(firstRun.getByText('Ask an admin to connect it.')).toBeTruthy();
  expect(firstRun.getByRole('button', { name: 'Try with a sample recording' })).toBeTruthy();
  expect(screen.getByText('Click the Refresh button to sync interviews from your account.')).toBeTruthy();
});

test('a funnel is set active on the first page', async () => {
  const { user, seen } = openDashboard([], {
    'GET /api/funnels': [aFunnel({ isActive: false })],
    'GET /api/funnels/active': () => null,
    'GET /api/setup': aSetup({ activeFunnel: false, refreshed: false }),
    'POST /api/funnels/1/activate': aFunnel(),
  });
  const firstRun = within(await screen.findByRole('region', { name: 'Choose which job to refresh' }));
  await user.click(firstRun.getByRole('button', { name: 'Set Active' }));
  await expectToast('Funnel activated', 'Funnel has been set as active.');
  expect(seen.some(({ method, path }) => method === 'POST' && path === '/api/funnels/1/activate')).toBe(true);
});

test('the first run disappears once a funnel is active, and the account menu keeps what can be connected', async () => {
  const { user } = openDashboard([], { 'GET /api/setup': aSetup({ refreshed: false, summaries: false }) });
  await screen.findByRole('heading', { name: 'No interviews found' });
  expect(screen.queryByRole('button', { name: 'Try with a sample recording' })).toBeNull();
  await user.click(screen.getByRole('button', { name: /dana/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Setup' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Setup' }));
  expect((await dialog.findAllByRole('listitem')).map((item) => item.textContent)).toEqual([
    'YouTubeConnected',
    'TranscriptionConnected',
    'AI summariesAn admin connects it once.',
    'MailConnected',
    'Notes in your ATSConnected with Bullhorn as interviews.api',
    'Links to your ATSConnected',
  ]);
});

test('the search and the filter row are there without interviews', async () => {
  openDashboard([]);
  await screen.findByRole('heading', { name: 'No interviews found' });
  expect(screen.getByRole('searchbox', { name: 'Search interviews' })).toBeTruthy();
  for (const name of ['Funnels: All Funnels', 'Clients: All Clients', 'Any date range'])
    expect(screen.getByRole('button', { name })).toBeTruthy();
  expect(screen.getByRole('combobox', { name: 'Status' })).toBeTruthy();
});

test('Go to Refresh explains why Refresh is disabled', async () => {
  const { user } = openDashboard([], { 'GET /api/funnels/active': () => null });
  await user.click(await screen.findByRole('button', { name: 'Go to Refresh' }));
  expect(await screen.findByText('Add a funnel and set it active first.')).toBeTruthy();
});

test('while a refresh runs, an empty list does not ask for one', async () => {
  openDashboard([], { 'GET /api/interviews/sync/status': aStatus({ inProgress: true, total: 40 }) });
  expect(await screen.findByText('Interviews appear here as they arrive.')).toBeTruthy();
  expect(screen.queryByText('Click the Refresh button to sync interviews from your account.')).toBeNull();
});

test('when nothing matches, the filters can be cleared', async () => {
  const { user } = openDashboard(
    [],
    {
      'GET /api/interviews': ({ query }: SeenRequest) =>
        query.get('search') ? { interviews: [], total: 0 } : { interviews: [anInterview()], total: 1 },
    },
    '/?search=nowhere&status=sent',
  );
  await screen.findByText('No interviews match “nowhere” and these filters.');
  await user.click(screen.getAllByRole('button', { name: 'Clear filters' })[0] as HTMLElement);
  expect(location.search).toBe('');
  expect(screen.getByLabelText('Search interviews')).toHaveProperty('value', '');
});

test('the filter row offers funnels, clients, a status and a date range', async () => {
  openDashboard([anInterview()]);
  await findCard();
  expect(screen.getByRole('searchbox', { name: 'Search interviews' })).toBeTruthy();
  for (const name of ['Funnels: All Funnels', 'Clients: All Clients', 'Any date range']) {
    expect(screen.getByRole('button', { name })).toBeTruthy();
  }
  const status = screen.getByRole('combobox', { name: 'Status' });
  expect(status).toHaveProperty('value', 'all');
  expect(
    within(status)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['All Statuses', 'New', 'Processing', 'Pending', 'Sent', 'Error']);
});

test('without filters the first page of all interviews is requested', async () => {
  const { lists } = openDashboard([anInterview()]);
  await findCard();
  expect(String(lists()[0]?.query)).toBe('page=1&limit=10&status=all&texts=false');
});

test('the client picker searches, adds all and removes all', async () => {
  const { user } = openDashboard([anInterview()]);
  await findCard();
  await user.click(screen.getByRole('button', { name: 'Clients: All Clients' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Clients' }));
  await user.type(panel.getByPlaceholderText('Search clients...'), 'parcel');
  expect(panel.getAllByRole('checkbox')).toHaveLength(1);
  await user.click(panel.getByRole('checkbox'));
  expect(screen.getByText('1 client(s)')).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Add All' }));
  expect(screen.getByText('2 client(s)')).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Remove All' }));
  expect(screen.getByText('All Clients')).toBeTruthy();
});

test('filters in the address are sent to the server, and texts are not requested', async () => {
  const { lists } = openDashboard(
    [anInterview()],
    {},
    '/?search=okafor&funnel=1&funnel=2&client=Parcelbird&status=pending&from=2026-03-01&to=2026-03-31&page=2',
  );
  await findCard();
  const query = lists()[0]?.query as URLSearchParams;
  expect(query.getAll('funnelId')).toEqual(['1', '2']);
  expect(query.getAll('clientName')).toEqual(['Parcelbird']);
  expect(Object.fromEntries(query)).toMatchObject({
    page: '2',
    limit: '10',
    search: 'okafor',
    status: 'pending',
    texts: 'false',
  });
  for (const end of ['startDate', 'endDate']) {
    expect(query.get(end)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
  expect(new Date(query.get('startDate') as string)).toEqual(new Date(2026, 2, 1));
  expect(new Date(query.get('endDate') as string)).toEqual(new Date(2026, 2, 31, 23, 59, 59, 999));
  expect(screen.getByRole('button', { name: 'Funnels: 2 funnels selected' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Clients: 1 client(s)' })).toBeTruthy();
  expect(screen.getByText('Mar 01, 2026 - Mar 31, 2026')).toBeTruthy();
});

test('a chosen funnel that was deleted is an Unknown Funnel', async () => {
  openDashboard([anInterview()], {}, '/?funnel=9');
  expect(await screen.findByRole('button', { name: 'Funnels: Unknown Funnel' })).toBeTruthy();
});

test('a search is sent when typing pauses and starts at the first page', async () => {
  const { user, lists } = openDashboard([anInterview()], {}, '/?page=3');
  await findCard();
  await user.click(screen.getByLabelText('Search interviews'));
  await user.paste('okafor');
  await waitFor(() => expect(location.search).toBe('?search=okafor'));
  await waitFor(() => expect(lists()).toHaveLength(2));
  expect(lists()[1]?.query.get('search')).toBe('okafor');
  expect(lists()[1]?.query.get('page')).toBe('1');
});

test('a percent sign followed by two digits is searched as it was typed', async () => {
  const { lists } = openDashboard([anInterview()], {}, '/?search=%2541');
  expect(await screen.findByRole('searchbox', { name: 'Search interviews' })).toHaveProperty('value', '%41');
  await waitFor(() => expect(lists()[0]?.query.get('search')).toBe('%41'));
});

test('the funnel picker searches, marks the active funnel, adds all and removes all', async () => {
  const { user } = openDashboard([anInterview()]);
  await findCard();
  await user.click(screen.getByRole('button', { name: 'Funnels: All Funnels' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Funnels' }));
  expect(panel.getByText('Active')).toBeTruthy();
  await user.type(panel.getByLabelText('Search funnels...'), 'supp');
  expect(panel.getAllByRole('checkbox')).toHaveLength(1);
  await user.click(panel.getByRole('checkbox'));
  expect(location.search).toBe('?funnel=2');
  expect(screen.getByText('Support', { selector: 'button span' })).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Add All' }));
  expect(screen.getByText('2 funnels selected')).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Remove All' }));
  expect(location.search).toBe('');
});

test('the pager stores the page in the address; the compact layout shows page / total and is remembered', async () => {
  const interviews = many(23);
  const { user } = openDashboard([], {
    'GET /api/interviews': ({ query }) => {
      const page = Number(query.get('page'));
      return { interviews: interviews.slice((page - 1) * 10, page * 10), total: 23 };
    },
  });
  await screen.findByText('Showing 1 to 10 of 23 results');
  await user.click(screen.getByRole('button', { name: 'Page 3' }));
  await screen.findByText('Showing 21 to 23 of 23 results');
  expect(location.search).toBe('?page=3');
  await findCard('Interview 22');
  await user.click(screen.getByRole('button', { name: 'Compact' }));
  expect(screen.getByText('3 / 3')).toBeTruthy();
  expect(localStorage.getItem('interviews-layout')).toBe('compact');
  localStorage.clear();
});

test('a page that cannot be read leaves the last one on screen below the error', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { user } = openDashboard([], {
    'GET /api/interviews': ({ query }) =>
      query.get('page') === '1' ? { interviews: many(10), total: 30 } : json({ message: 'Unreachable' }, 503),
  });
  await user.click(await screen.findByRole('button', { name: 'Next page' }));
  await act(() => vi.advanceTimersByTimeAsync(8_000));
  vi.useRealTimers();
  expect(await screen.findByText('Error loading interviews: Unreachable')).toBeTruthy();
  expect(screen.getByRole('article', { name: 'Interview 3' })).toBeTruthy();
  expect(screen.getByText('Showing 11 to 20 of 30 results')).toBeTruthy();
});

test('an archived interview is replaced at once by the first of the next page', async () => {
  const all = many(12);
  const { user, lists } = openDashboard([], {
    'GET /api/interviews': ({ query }) => {
      const from = (Number(query.get('page')) - 1) * 10;
      return { interviews: all.slice(from, from + 10), total: all.length };
    },
    'POST /api/interviews/int-0/archive': () => new Promise(() => {}),
  });
  (await screen.findByRole('button', { name: 'Play Interview 0' })).focus();
  await waitFor(() => expect(lists().at(-1)?.query.get('page')).toBe('2'));
  await user.keyboard('e');
  expect(await screen.findByRole('article', { name: 'Interview 10' })).toBeTruthy();
  expect(screen.queryByRole('article', { name: 'Interview 0' })).toBeNull();
});

test('an interview that is being archived does not come back with a reload of the list', async () => {
  const [first] = many(1);
  let second = anInterview({ id: 'int-1', title: 'Interview 1' });
  const { user } = openDashboard([], {
    'GET /api/interviews': () => ({ interviews: [first, second], total: 2 }),
    'POST /api/interviews/int-0/archive': () => new Promise(() => {}),
  });
  (await screen.findByRole('button', { name: 'Play Interview 0' })).focus();
  await user.keyboard('e');
  second = { ...second, title: 'Interview 1, edited' };
  await sendLive({ type: 'interviews-changed' });
  expect(await screen.findByRole('article', { name: 'Interview 1, edited' })).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Interview 0' })).toBeNull());
  expect(screen.getByText('Showing 1 to 1 of 1 results')).toBeTruthy();
});

test('a list of one page shows its results without page buttons', async () => {
  openDashboard([anInterview()]);
  expect(await screen.findByText('Showing 1 to 1 of 1 results')).toBeTruthy();
  expect(screen.queryByRole('navigation', { name: 'Pagination' })).toBeNull();
});

test('a page past the end redirects to the last page', async () => {
  openDashboard(
    [],
    {
      'GET /api/interviews': ({ query }) =>
        query.get('page') === '1' ? { interviews: [anInterview()], total: 1 } : { interviews: [], total: 1 },
    },
    '/?page=9',
  );
  await findCard();
  expect(location.search).toBe('');
});

test('an erased interview disappears from an open dashboard', async () => {
  const shown = [anInterview(), anInterview({ id: 'int-2', interviewId: 'int-2', title: 'Ben for Nursing' })];
  const { lists } = openDashboard([], {
    'GET /api/interviews': () => ({ interviews: [...shown], total: shown.length }),
  });
  await findCard('Ben for Nursing');
  shown.shift();
  const before = lists().length;
  await sendLive({ type: 'interviews-changed' });
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Amara for Nursing' })).toBeNull());
  expect(lists().length).toBeGreaterThan(before);
  await findCard('Ben for Nursing');
});

test('an edit by a colleague during the first read of the list is shown', async () => {
  const response = Promise.withResolvers<object>();
  const page = (title: string) => ({ interviews: [anInterview({ title })], total: 1 });
  const { lists } = openDashboard([], {
    'GET /api/interviews': () => (lists().length === 1 ? response.promise : page('New title')),
  });
  await waitFor(() => expect(lists()).toHaveLength(1));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await sendLive({ type: 'interview-edited', data: { interviewId: 'int-1' } });
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  response.resolve(page('Old title'));
  expect(await findCard('New title')).toBeTruthy();
});

test('Ready to send shows how many interviews only lack their destination, and lists them', async () => {
  const response = ({ query }: SeenRequest) => {
    const interviews = query.get('ready') === '1' ? [anInterview({ ...READY, title: 'Ready' })] : [anInterview()];
    return { interviews, total: query.get('limit') === '1' ? 6 : interviews.length };
  };
  const { user, lists, seen } = openDashboard([], { 'GET /api/interviews': response }, '/?client=Mercy');
  await user.click(await screen.findByRole('button', { name: 'Ready to send: 6 interviews', pressed: false }));
  await findCard('Ready');
  expect(location.search).toBe('?client=Mercy&ready=1');
  expect(lists().at(-1)?.query.getAll('clientName')).toEqual(['Mercy']);
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await findCard();
  expect(screen.getByRole('button', { name: /Ready to send/, pressed: false })).toBeTruthy();
  // A search is not made twice.
  const counts = () => seen.filter(({ query }) => query.get('limit') === '1').length;
  const before = counts();
  await user.type(screen.getByRole('searchbox', { name: 'Search interviews' }), 'amara');
  await waitFor(() => expect(lists().at(-1)?.query.get('search')).toBe('amara'));
  expect(counts()).toBe(before);
  expect(screen.getByRole('button', { name: 'Ready to send' })).toBeTruthy();
});

test('progress on an interview does not hide that another one of its page was edited', async () => {
  const page = (...titles: string[]) => titles.map((title) => anInterview({ id: title, interviewId: title, title }));
  let second = page('Ben', 'Cleo');
  const { user } = openDashboard([], {
    'GET /api/interviews': ({ query }) => ({
      interviews: query.get('page') === '2' ? second : page('Amara'),
      total: 12,
    }),
  });
  await findCard('Amara');
  await user.click(screen.getByRole('button', { name: 'Page 2' }));
  await findCard('Cleo');
  await user.click(screen.getByRole('button', { name: 'Page 1' }));
  await findCard('Amara');
  second = page('Ben', 'Dora');
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await sendLive({ type: 'interview-edited', data: { interviewId: 'Cleo' } });
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  vi.useRealTimers();
  await sendLive({ type: 'conversion-progress', data: { interviewId: 'Ben', progress: 10 } });
  await user.click(screen.getByRole('button', { name: 'Page 2' }));
  expect(await findCard('Dora')).toBeTruthy();
});
