import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  anInterview,
  aStatus,
  findCard,
  openDashboard,
  sendLive,
} from '#web/features/interviews/testing/open-dashboard.ts';
import { currentToasts } from '#web/lib/toast.ts';
import { aFunnel } from '#web/testing/a-funnel.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json } from '#web/testing/server-edge.ts';

const RUNNING = aStatus({ inProgress: true, processed: 13, total: 40, downloadedFiles: 9, totalFiles: 26 });
const refreshButton = () => screen.findByRole('button', { name: 'Refresh' });

async function start(timeframe: string, responses = {}) {
  const dashboard = openDashboard([anInterview()], responses);
  await waitFor(async () => expect(await refreshButton()).toHaveProperty('disabled', false));
  await dashboard.user.click(await refreshButton());
  const dialog = within(await screen.findByRole('dialog', { name: 'Refresh Options' }));
  await dashboard.user.click(dialog.getByRole('radio', { name: new RegExp(timeframe) }));
  await dashboard.user.click(dialog.getByRole('button', { name: 'Start Refresh' }));
  return dashboard;
}

test('without an active funnel the Refresh button is disabled and its tooltip explains why', async () => {
  openDashboard([anInterview()], { 'GET /api/funnels/active': () => null });
  expect(await screen.findByText('Configure an active funnel first')).toBeTruthy();
  expect(await refreshButton()).toHaveProperty('disabled', true);
});

test('with an active funnel the tooltip reads Sync interviews from API', async () => {
  openDashboard([anInterview()]);
  await waitFor(async () => expect(await refreshButton()).toHaveProperty('disabled', false));
  expect(screen.getByText('Sync interviews from API')).toBeTruthy();
});

test('Refresh Options offers three scopes, all by default', async () => {
  const { user } = openDashboard([anInterview()]);
  await waitFor(async () => expect(await refreshButton()).toHaveProperty('disabled', false));
  await user.click(await refreshButton());
  await screen.findByRole('dialog', { name: 'Refresh Options' });
  expect(screen.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).value)).toEqual([
    'future',
    'past',
    'all',
  ]);
  for (const name of [/^New Interviews Only/, /^Older Interviews Only/]) screen.getByRole('radio', { name });
  expect(screen.getByRole('radio', { name: 'All Interviews' })).toHaveProperty('checked', true);
  expect(screen.getByText('Only interviews created after the last refresh; fastest.')).toBeTruthy();
  expect(screen.getByText('Interviews from before the last refresh, to sync changed data.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('Start Refresh sends the chosen scope and shows the progress from the response', async () => {
  const { seen } = await start('New Interviews Only', {
    'GET /api/interviews/sync': { message: 'Reading Nursing', status: RUNNING },
  });
  await expectToast('Refresh Started', 'Reading Nursing');
  expect(seen.find(({ path }) => path === '/api/interviews/sync')?.query.get('timeframe')).toBe('future');
  // The strip loads when it is first shown.
  await screen.findByText('Refresh in Progress - 33%');
  for (const text of ['Processing interviews...', 'Processed: 13 of 40 interviews', 'Files: 9 of 26']) {
    // In narrow strips, a part of the text is only for screen readers.
    expect(screen.getByText((_, element) => element?.textContent === text)).toBeTruthy();
  }
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('33');
  expect(screen.getByRole('button', { name: 'Cancel Refresh' })).toBeTruthy();
});

test('while the start request is pending the dialog reads Refreshing... and the Refresh button is disabled', async () => {
  const response = Promise.withResolvers<object>();
  await start('All Interviews', { 'GET /api/interviews/sync': () => response.promise });
  expect((await screen.findByRole('button', { name: 'Refreshing...' })).getAttribute('aria-disabled')).toBe('true');
  // The modal dialog hides the button from screen readers, so it is queried with `hidden`.
  expect(screen.getByRole('button', { name: 'Refresh', hidden: true }).getAttribute('aria-disabled')).toBe('true');
  response.resolve({ message: 'Reading Nursing', status: RUNNING });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('Cancel Refresh is red', async () => {
  openDashboard([anInterview()], { 'GET /api/interviews/sync/status': RUNNING });
  expect((await screen.findByRole('button', { name: 'Cancel Refresh' })).className).toMatch(/\bbg-danger\b/);
});

test('a start while a refresh runs shows Refresh Already Running and polls the status', async () => {
  let status = aStatus();
  await start('All Interviews', {
    'GET /api/interviews/sync/status': () => status,
    'GET /api/interviews/sync': () => {
      status = RUNNING;
      return json({ message: 'Sorry: one is already in progress.' }, 409);
    },
  });
  await expectToast(
    'Refresh Already Running',
    'A refresh operation is already in progress. You can view its status below.',
  );
  expect(await screen.findByText('Refresh in Progress - 33%')).toBeTruthy();
});

test('any other start error shows Refresh Failed with the message of the server', async () => {
  await start('All Interviews', {
    'GET /api/interviews/sync': () => json({ message: 'Configure an active funnel first' }, 409),
  });
  await expectToast('Refresh Failed', 'Configure an active funnel first', 'destructive');
});

test('a reload shows a running refresh, and polling detects its end', async () => {
  let status = aStatus({ ...RUNNING, current: 'Saving interviews 11 to 20' });
  const { lists } = openDashboard([anInterview()], { 'GET /api/interviews/sync/status': () => status });
  expect(await screen.findByText('Saving interviews 11 to 20')).toBeTruthy();
  const before = lists().length;
  status = { ...status, ...aStatus({ message: '40 interviews read' }) };
  await expectToast('Refresh Completed', '40 interviews read');
  await waitFor(() => expect(lists().length).toBeGreaterThan(before));
  expect(screen.queryByText(/Refresh in Progress/)).toBeNull();
});

test('a refresh-status message shows the current item', async () => {
  openDashboard([anInterview()]);
  await findCard();
  await sendLive({ type: 'refresh-status', data: RUNNING });
  expect(await screen.findByText('Refresh in Progress - 33%')).toBeTruthy();
});

test('live messages update the progress, and the end is announced once', async () => {
  const { lists } = openDashboard([anInterview()]);
  await findCard();
  await sendLive({ type: 'refresh-progress', data: { ...RUNNING, processed: 50 } });
  expect(await screen.findByText('Refresh in Progress - 100%')).toBeTruthy();
  const before = lists().length;
  await sendLive({ type: 'refresh-completed', data: aStatus({ processed: 40, total: 40, message: 'Done' }) });
  await expectToast('Refresh Completed', 'Done');
  await waitFor(() => expect(lists()).toHaveLength(before + 1));
});

test('a refresh that adds interviews offers them for review', async () => {
  let unwatched = 0;
  openDashboard([anInterview()], {
    'GET /api/review': () => ({ unwatched, withoutTranscript: null, seconds: null }),
  });
  await findCard();
  await sendLive({ type: 'refresh-progress', data: RUNNING });
  await screen.findByText('Refresh in Progress - 33%');
  unwatched = 40;
  await sendLive({ type: 'refresh-completed', data: aStatus({ message: 'Done' }) });
  expect(await screen.findByRole('button', { name: 'Review 40 unwatched' })).toBeTruthy();
  // An automatic refresh announces its funnel.
  unwatched = 41;
  await sendLive({ type: 'funnels-changed' });
  expect(await screen.findByRole('button', { name: 'Review 41 unwatched' })).toBeTruthy();
});

test('the list reloads while interviews arrive, but not for every message', async () => {
  const { lists } = openDashboard([anInterview()], { 'GET /api/interviews/sync/status': () => RUNNING });
  await findCard();
  for (let processed = 1; processed <= 50; processed += 1) {
    await sendLive({ type: 'refresh-progress', data: { ...RUNNING, processed } });
  }
  // At most one read in two seconds: a slow machine reads more than once.
  await waitFor(() => expect(lists().length).toBeGreaterThan(1));
  expect(lists().length).toBeLessThan(10);
});

test('Cancel Refresh requests the cancellation, whose toast does not depend on the server', async () => {
  const { user, seen } = openDashboard([anInterview()], {
    'GET /api/interviews/sync/status': RUNNING,
    'POST /api/interviews/sync/cancel': { message: 'ok' },
  });
  await user.click(await screen.findByRole('button', { name: 'Cancel Refresh' }));
  await expectToast('Cancellation Requested', 'The refresh operation will stop after the current batch completes.');
  expect(seen.find(({ method }) => method === 'POST')).toMatchObject({
    path: '/api/interviews/sync/cancel',
    body: undefined,
  });
});

test('an end that arrives before the response to the cancellation is announced a second after it', async () => {
  const response = Promise.withResolvers<object>();
  const { user } = openDashboard([anInterview()], {
    'GET /api/interviews/sync/status': RUNNING,
    'POST /api/interviews/sync/cancel': () => response.promise,
  });
  await user.click(await screen.findByRole('button', { name: 'Cancel Refresh' }));
  await sendLive({ type: 'refresh-completed', data: aStatus({ message: 'cancelled after 10' }) });
  await waitFor(() => expect(screen.queryByText(/Refresh in Progress/)).toBeNull());
  expect(document.body.textContent).not.toContain('cancelled after 10');
  response.resolve({ message: 'ok' });
  await expectToast('Cancellation Requested', 'The refresh operation will stop after the current batch completes.');
  const [requested] = currentToasts();
  await expectToast('Refresh Completed', 'cancelled after 10');
  // The user has time to read it before the end replaces it.
  const [completed] = currentToasts();
  expect((completed?.shownAt ?? 0) - (requested?.shownAt ?? 0)).toBeGreaterThanOrEqual(1_500);
});

test('a refresh that ends before the response to its start is announced after it and not shown as running', async () => {
  const response = Promise.withResolvers<object>();
  await start('All Interviews', { 'GET /api/interviews/sync': () => response.promise });
  await sendLive({ type: 'refresh-error', data: aStatus({ error: 'The API key was rejected.' }) });
  expect(document.body.textContent).not.toContain('The API key was rejected.');
  response.resolve({ message: 'Reading Nursing', status: RUNNING });
  await expectToast('Refresh Error', 'The API key was rejected.', 'destructive');
  expect(screen.queryByText(/Refresh in Progress/)).toBeNull();
});

test('a failed cancellation shows the reason', async () => {
  const { user } = openDashboard([anInterview()], {
    'GET /api/interviews/sync/status': RUNNING,
    'POST /api/interviews/sync/cancel': () => json({ message: 'No refresh is running' }, 409),
  });
  await user.click(await screen.findByRole('button', { name: 'Cancel Refresh' }));
  await expectToast('Cancel Failed', 'No refresh is running', 'destructive');
});

test('an error stays in the alert until it is dismissed', async () => {
  let status = aStatus({ processed: 5, total: 10 });
  const { user } = openDashboard([anInterview()], {
    'GET /api/interviews/sync/status': () => status,
    'POST /api/interviews/sync/dismiss': () => {
      status = { ...status, error: null };
      return status;
    },
  });
  await findCard();
  status = { ...status, error: 'The API key was rejected' };
  await sendLive({ type: 'refresh-error', data: status });
  await expectToast('Refresh Error', 'The API key was rejected', 'destructive');
  const alert = screen.getAllByRole('alert').find((shown) => shown.textContent?.includes('Processed: 5 of 10'));
  expect(alert?.textContent).toContain('Refresh ErrorThe API key was rejected');
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull());
});

test('the alert of an error starts the same refresh again and links to its funnel', async () => {
  const status = aStatus({ error: 'The API key was rejected', funnelId: 7, timeframe: 'past' });
  const { user, seen } = openDashboard([anInterview()], {
    'GET /api/interviews/sync/status': () => status,
    'GET /api/interviews/sync': { message: 'Reading Nursing', status: RUNNING },
  });
  const funnel = await screen.findByRole('link', { name: 'Edit Funnel' });
  expect(funnel.getAttribute('href')).toBe('/funnels?dialog=edit-funnel&id=7');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await expectToast('Refresh Started', 'Reading Nursing');
  expect(seen.find(({ path }) => path === '/api/interviews/sync')?.query.get('timeframe')).toBe('past');
});

test('the end of a canceled refresh looks like a warning', async () => {
  openDashboard([anInterview()]);
  await findCard();
  const end = aStatus({ message: 'Canceled after 32 of 40 interviews.', cancelRequested: true });
  await sendLive({ type: 'refresh-completed', data: end });
  await expectToast('Refresh Completed', 'Canceled after 32 of 40 interviews.', 'warning');
});

test('a refresh-error message without a text shows An unknown error occurred', async () => {
  openDashboard([anInterview()]);
  await findCard();
  await sendLive({ type: 'refresh-progress', data: RUNNING });
  await screen.findByText('Refresh in Progress - 33%');
  await sendLive({ type: 'refresh-error', data: aStatus() });
  await expectToast('Refresh Error', 'An unknown error occurred', 'destructive');
});

test('a refresh-error message without data and without a known refresh shows An unknown error occurred', async () => {
  openDashboard([anInterview()]);
  await findCard();
  await sendLive({ type: 'refresh-error' });
  await expectToast('Refresh Error', 'An unknown error occurred', 'destructive');
  await screen.findByText('Refresh Error', { selector: '[role=alert] *' });
});

test('refresh messages without the fields that the specification does not name are shown', async () => {
  const { lists } = openDashboard([anInterview()]);
  await findCard();
  const data = { inProgress: true, processed: 10, total: 40, downloadedFiles: 0, totalFiles: 0 };
  await sendLive({ type: 'refresh-progress', data });
  await screen.findByText('Refresh in Progress - 25%');
  const before = lists().length;
  await sendLive({ type: 'refresh-completed', data: { message: '3 new interviews' } });
  await expectToast('Refresh Completed', '3 new interviews');
  await waitFor(() => expect(lists().length).toBeGreaterThan(before));
});

test('a refresh that ends while another page is open is announced there, and the list is current on return', async () => {
  const { user, lists } = openDashboard([anInterview()]);
  await refreshButton();
  await user.click(screen.getByRole('link', { name: 'Funnels' }));
  await screen.findByRole('heading', { name: 'Funnel Management' });
  const before = lists().length;
  await sendLive({ type: 'refresh-completed', data: aStatus({ message: '3 new interviews' }) });
  await expectToast('Refresh Completed', '3 new interviews');
  await user.click(screen.getByRole('link', { name: 'Interviews' }));
  await waitFor(() => expect(lists().length).toBeGreaterThan(before));
});

test('the Refresh button names the active funnel, and switches it for everyone', async () => {
  const funnels = [aFunnel(), aFunnel({ id: 2, name: 'Support', isActive: false })];
  const activated = Promise.withResolvers<object>();
  const { user, seen } = openDashboard([anInterview()], {
    'GET /api/funnels': () => funnels,
    'POST /api/funnels/2/activate': () => activated.promise,
  });
  await user.click(await screen.findByRole('button', { name: 'Active funnel: Nursing' }));
  const choices = await screen.findAllByRole('menuitemradio');
  expect(choices.map((choice) => [choice.textContent, choice.getAttribute('aria-checked')])).toEqual([
    ['Nursing', 'true'],
    ['Support', 'false'],
  ]);
  expect(screen.getByText('Changes it for everyone')).toBeTruthy();
  await user.click(screen.getByRole('menuitemradio', { name: 'Support' }));
  // Before the server responds, because the outcome is known.
  const button = await screen.findByRole('button', { name: 'Active funnel: Support' });
  expect(document.activeElement).toBe(button);
  for (const funnel of funnels) funnel.isActive = !funnel.isActive;
  activated.resolve(aFunnel({ id: 2 }));
  await expectToast('Funnel activated', 'Funnel has been set as active.');
  expect(seen.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual(['/api/funnels/2/activate']);
});

test('the active funnel follows a switch by a colleague', async () => {
  let name = 'Nursing';
  openDashboard([anInterview()], { 'GET /api/funnels': () => [aFunnel({ name })] });
  await screen.findByRole('button', { name: 'Active funnel: Nursing' });
  name = 'Support';
  await sendLive({ type: 'funnels-changed' });
  expect(await screen.findByRole('button', { name: 'Active funnel: Support' })).toBeTruthy();
});

test('without an active funnel the menu offers the funnels', async () => {
  const { user } = openDashboard([anInterview()], {
    'GET /api/funnels': [aFunnel({ isActive: false })],
    'GET /api/funnels/active': () => null,
  });
  await user.click(await screen.findByRole('button', { name: 'No active funnel' }));
  expect(await screen.findByRole('menuitemradio', { name: 'Nursing' })).toBeTruthy();
});

test('Refresh all jobs shows one progress for all of them', async () => {
  const status = { ...RUNNING, queue: { position: 3, total: 4 } };
  const { user } = openDashboard([anInterview()], {
    'POST /api/interviews/sync/all': { message: 'Refreshing 4 jobs.', status },
  });
  await user.click(await screen.findByRole('button', { name: 'Active funnel: Nursing' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Refresh all jobs' }));
  await expectToast('Refresh Started', 'Refreshing 4 jobs.');
  expect(screen.getByText('Refresh in Progress - 58%')).toBeTruthy();
  expect(screen.getByText('Job 3 of 4 · Processing interviews...')).toBeTruthy();
  // The next one starts: the refresh has not ended.
  await sendLive({ type: 'refresh-progress', data: { ...status, processed: 0, queue: { position: 4, total: 4 } } });
  expect(await screen.findByText('Refresh in Progress - 75%')).toBeTruthy();
  expect(screen.queryByText('Refresh Completed')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Active funnel: Nursing' }));
  expect((await screen.findByRole('menuitem', { name: 'Refresh all jobs' })).getAttribute('aria-disabled')).toBe(
    'true',
  );
});

test('Refresh is not shown next to Upload for a funnel of uploads', async () => {
  const uploads = aFunnel({ source: 'upload' });
  openDashboard([anInterview()], { 'GET /api/funnels/active': uploads, 'GET /api/funnels': [uploads] });
  expect(await screen.findByRole('button', { name: 'Upload recordings' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Refresh' })).toBeNull();
});

test('Review is the loudest button while something is unwatched, and Refresh otherwise', async () => {
  let unwatched = 3;
  openDashboard([anInterview()], {
    'GET /api/review': () => ({ unwatched, withoutTranscript: null, seconds: null }),
  });
  const isLoud = (button: HTMLElement) => /\bbg-accent\b/.test(button.className);
  expect(isLoud(await screen.findByRole('button', { name: /^Review 3/ }))).toBe(true);
  expect(isLoud(await refreshButton())).toBe(false);
  unwatched = 0;
  await sendLive({ type: 'funnels-changed' });
  await waitFor(async () => expect(isLoud(await refreshButton())).toBe(true));
});

test('Refresh Options stay open when someone else starts a refresh', async () => {
  const { user } = openDashboard([anInterview()]);
  await waitFor(async () => expect(await refreshButton()).toHaveProperty('disabled', false));
  await user.click(await refreshButton());
  const dialog = await screen.findByRole('dialog', { name: 'Refresh Options' });
  await sendLive({ type: 'refresh-status', data: RUNNING });
  await screen.findByText(/^Refresh in Progress/);
  expect(dialog.isConnected).toBe(true);
});

test('the upload of recordings stays open when a refresh starts', async () => {
  openDashboard(
    [anInterview()],
    {
      'GET /api/funnels/active': aFunnel({ source: 'upload' }),
      'GET /api/uploads': [],
    },
    '/?dialog=upload&id=1',
  );
  const dialog = await screen.findByRole('dialog', { name: /^Upload recordings/ });
  await sendLive({ type: 'refresh-status', data: RUNNING });
  await screen.findByText(/^Refresh in Progress/);
  expect(dialog.isConnected).toBe(true);
});
