import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anInterview, aStatus, findCard, openDashboard } from '#web/features/interviews/testing/open-dashboard.ts';
import { aFunnel } from '#web/testing/a-funnel.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import type { SeenRequest } from '#web/testing/server-edge.ts';

async function openPalette(responses = {}, path = '/') {
  const dashboard = openDashboard([anInterview()], responses, path);
  await findCard();
  await dashboard.user.keyboard('{Control>}k{/Control}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Commands' }));
  return { ...dashboard, dialog, field: dialog.getByRole('combobox') };
}
const optionNames = () => screen.queryAllByRole('option').map((option) => option.textContent);
const chosen = () => screen.getByRole('option', { selected: true });

test('Ctrl+K opens the palette with actions, screens, refreshes, funnels and themes, and Escape closes it', async () => {
  const { user, dialog, field } = await openPalette();
  expect(document.activeElement).toBe(field);
  await waitFor(() =>
    expect(optionNames()).toEqual([
      'Interviews',
      'Funnels',
      'System Logs',
      'Links',
      'Accounts',
      'Webhooks',
      'Show archived interviews',
      'Order: Oldest first',
      'Order: Longest first',
      'Order: Oldest unwatched',
      'Cards layout',
      'Compact layout',
      'Export as CSV',
      'Filters',
      'Filter: Funnels',
      'Filter: Clients',
      'Filter by status: New',
      'Filter by status: Processing',
      'Filter by status: Pending',
      'Filter by status: Sent',
      'Filter by status: Error',
      'Filter: Date range',
      'Filter: Unwatched',
      'Filter by review: My review missing',
      'Filter by review: My yes',
      'Filter by review: My no',
      'Filter: Ready to send',
      'Review answer by answer',
      'Refresh all interviewsNursing',
      'Refresh new interviews onlyNursing',
      'Refresh all jobs',
      'Add New Funnel',
      'SupportParcelbird',
      'System theme',
      'Light theme',
      'Dark theme',
      'Keyboard shortcuts',
    ]),
  );
  expect(dialog.getByRole('status').textContent).toBe('37 results');
  expect(dialog.getByRole('group', { name: 'Go to' })).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(location.search).toBe('');
});

test('a funnel of uploads is not offered for a refresh', async () => {
  await openPalette({ 'GET /api/funnels': [aFunnel({ source: 'upload' })] });
  await waitFor(() => expect(optionNames()).toContain('Interviews'));
  expect(optionNames().filter((name) => name?.startsWith('Refresh'))).toEqual([]);
});

test('arrows choose an option, which the field names, and Enter opens its screen', async () => {
  const { user, field } = await openPalette();
  expect(field.getAttribute('aria-activedescendant')).toBe(chosen().id);
  await user.keyboard('{ArrowUp}');
  expect(chosen().textContent).toBe('Keyboard shortcuts');
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(chosen().textContent).toBe('Funnels');
  expect(field.getAttribute('aria-activedescendant')).toBe(chosen().id);
  expect(document.activeElement).toBe(field);
  await user.keyboard('{Enter}');
  await screen.findByRole('heading', { name: 'Funnel Management' });
  expect(location.pathname + location.search).toBe('/funnels');
});

test('candidates are found by the search of the list, five at most, and open in the player', async () => {
  const ben = anInterview({ id: 'int-2', candidateName: 'Ben Ito', title: 'Ben for Nursing' });
  const response = ({ query }: SeenRequest) =>
    query.get('search') === 'ben' ? { interviews: [ben], total: 1 } : { interviews: [anInterview()], total: 1 };
  const { user, seen } = await openPalette(
    { 'GET /api/interviews': response, 'GET /api/interviews/int-2': ben, 'GET /api/interviews/int-2/video': {} },
    '/?status=new',
  );
  await user.keyboard('ben');
  await waitFor(() => expect(optionNames()).toEqual(['Ben ItoBen for Nursing']));
  expect(seen.find(({ query }) => query.get('search') === 'ben')?.query.get('limit')).toBe('5');
  await user.click(screen.getByRole('option'));
  await screen.findByRole('dialog', { name: 'Ben for Nursing' });
  expect(location.search).toBe('?status=new&interview=int-2');
});

test('the order, the status and the pickers of the list are commands', async () => {
  const { user, lists } = await openPalette();
  await user.keyboard('order oldest first{Enter}');
  await waitFor(() => expect(lists().at(-1)?.query.get('sort')).toBe('oldest'));
  await user.keyboard('{Control>}k{/Control}');
  await user.type(
    await screen.findByRole('combobox', { name: 'Search commands and candidates' }),
    'status sent{Enter}',
  );
  await waitFor(() => expect(lists().at(-1)?.query.get('status')).toBe('sent'));
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: 'Search commands and candidates' }), 'clients{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Clients' })).toBeTruthy();
});

test('the active funnel is set from the palette', async () => {
  const { user, seen } = await openPalette({ 'POST /api/funnels/2/activate': aFunnel({ id: 2 }) });
  await user.keyboard('active supp');
  await waitFor(() => expect(optionNames()).toEqual(['SupportParcelbird']));
  await user.keyboard('{Enter}');
  await expectToast('Funnel activated', 'Funnel has been set as active.');
  expect(seen.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual(['/api/funnels/2/activate']);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a refresh is started from the palette', async () => {
  const status = aStatus({ inProgress: true });
  const { user, seen } = await openPalette({ 'GET /api/interviews/sync': { message: 'Reading Nursing', status } });
  await user.keyboard('refresh new{Enter}');
  await expectToast('Refresh Started', 'Reading Nursing');
  expect(seen.find(({ path }) => path === '/api/interviews/sync')?.query.get('timeframe')).toBe('future');
});

test('the theme is chosen from the palette, and a text without results shows 0 results', async () => {
  const { user, dialog } = await openPalette({
    'GET /api/interviews': ({ query }: SeenRequest) =>
      query.get('search') ? { interviews: [], total: 0 } : { interviews: [anInterview()], total: 1 },
  });
  await user.keyboard('zzz');
  await waitFor(() => expect(dialog.getByRole('status').textContent).toBe('0 results'));
  await user.clear(dialog.getByRole('combobox'));
  await user.keyboard('dark{Enter}');
  await waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'));
});

test('the list of shortcuts names the palette and opens it', async () => {
  const { user } = openDashboard([anInterview()]);
  await findCard();
  await user.keyboard('?');
  await screen.findByText('Search commands and candidates');
  await user.click(screen.getByRole('button', { name: 'Open the command palette' }));
  expect(await screen.findByRole('dialog', { name: 'Commands' })).toBeTruthy();
  // Above a dialog the key does nothing.
  await user.keyboard('{Control>}k{/Control}');
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
});

test('the palette offers the actions of the page and of the selected interviews', async () => {
  const { user } = openDashboard([anInterview()], { 'POST /api/bulk/check': { withDestination: 0 } });
  await findCard();
  await user.keyboard('{ArrowDown}x');
  await screen.findByRole('region', { name: '1 selected' });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: 'Search commands and candidates' }), 'destination sel');
  await waitFor(() => expect(optionNames()).toEqual(['Set Destination: 1 selected']));
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Set Destination' })).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: 'Search commands and candidates' }), 'show arch{Enter}');
  await waitFor(() => expect(location.search).toBe('?archived=1'));
});
