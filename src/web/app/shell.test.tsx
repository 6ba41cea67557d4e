import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aFunnel } from '#web/testing/a-funnel.ts';
import { FakeSocket } from '#web/testing/fake-socket.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { json, serve } from '#web/testing/server-edge.ts';

const entry = {
  id: 1,
  type: 'auth',
  action: 'login',
  status: 'success',
  summary: 'dana signed in',
  createdAt: '2026-01-02T03:04:05.000Z',
  details: null,
  metadata: null,
  actor: null,
};
const signedIn = {
  'GET /api/user': { id: 1, username: 'dana' },
  'GET /api/funnels': [],
  'GET /api/logs': { logs: [entry], total: 1 },
};

/** Simulates a window of this width. */
function stubWidth(width: number) {
  vi.stubGlobal('matchMedia', () => ({ matches: width < 768, addEventListener() {}, removeEventListener() {} }));
}

test('an unknown path shows the Page Not Found card without sign-in', async () => {
  serve({});
  renderApp('/no/such/page');
  await screen.findByRole('heading', { name: 'Page Not Found' });
});

test('an unknown path shows a signed-in user the card below the navigation', async () => {
  serve(signedIn);
  renderApp('/no/such/page');
  await screen.findByRole('heading', { name: 'Page Not Found' });
  expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy();
});

test('the header shows Offline while the browser is offline', async () => {
  serve(signedIn);
  renderApp('/funnels');
  await screen.findByRole('navigation', { name: 'Main' });
  expect(screen.queryByText('Offline')).toBeNull();
  act(() => void dispatchEvent(new Event('offline')));
  expect(screen.getByText('Offline')).toBeTruthy();
  act(() => void dispatchEvent(new Event('online')));
  expect(screen.queryByText('Offline')).toBeNull();
});

test('the header shows the current page and user, and links to the system logs', async () => {
  serve(signedIn);
  const user = renderApp('/funnels');
  const navigation = within(await screen.findByRole('navigation', { name: 'Main' }));
  expect(navigation.getByRole('link', { name: 'Funnels' }).getAttribute('aria-current')).toBe('page');
  expect(navigation.getByRole('link', { name: 'Interviews' }).getAttribute('aria-current')).toBeNull();
  expect(screen.getByRole('button', { name: /dana\s*Admin/ })).toBeTruthy();

  await user.click(navigation.getByRole('button', { name: 'System' }));
  await user.click(await screen.findByRole('menuitem', { name: 'System Logs' }));
  await screen.findByText('dana signed in');
  expect(location.pathname).toBe('/system-logs');
});

test('the footer shows the year, the version and the date of the last update', async () => {
  serve(signedIn);
  renderApp('/funnels');
  const footer = within(await screen.findByRole('contentinfo'));
  footer.getByText(new RegExp(`© ${new Date().getFullYear()}`));
  footer.getByText('Version 2.0.0');
  footer.getByText(/^Last updated: \w+ \d+, \d{4}$/);
});

test('links from other pages return to the dashboard as it was left, but not after signing out', async () => {
  const interviews = { 'GET /api/interviews': { interviews: [], total: 0 }, 'GET /api/interviews/sync/status': null };
  serve({ ...signedIn, ...interviews, 'POST /api/logout': {}, 'POST /api/login': { id: 1, username: 'dana' } });
  const user = renderApp('/?search=okafor');
  const go = async (name: string) => user.click(await screen.findByRole('link', { name }));
  await go('Funnels');
  await go('Back to Dashboard');
  expect(location.search).toBe('?search=okafor');
  await go('Funnels');
  await go('Interviews');
  expect(location.search).toBe('?search=okafor');

  await user.click(screen.getByRole('button', { name: /dana/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  await user.type(await screen.findByLabelText('Username'), 'olga');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await screen.findByRole('heading', { name: 'Interviews' });
  expect(location.search).toBe('');
});

test('Logout ends the session and opens the login', async () => {
  serve({ ...signedIn, 'POST /api/logout': { message: 'Signed out' } });
  const user = renderApp('/funnels');
  await user.click(await screen.findByRole('button', { name: /dana/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  await waitFor(() => expect(location.pathname).toBe('/login'));
});

test('a logout that fails is only logged: the user stays', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  serve({ ...signedIn, 'POST /api/logout': () => json({ message: 'Broken' }, 500) });
  const user = renderApp('/funnels');
  await user.click(await screen.findByRole('button', { name: /dana/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  await waitFor(() => expect(logged).toHaveBeenCalled());
  logged.mockRestore();
  expect(location.pathname).toBe('/funnels');
  expect(screen.queryByRole('listitem')).toBeNull();
});

test('Sign out everywhere asks first, then opens the login', async () => {
  serve({ ...signedIn, 'POST /api/logout/everywhere': { message: 'Signed out everywhere' } });
  const user = renderApp('/funnels');
  await user.click(await screen.findByRole('button', { name: /dana/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Sign out everywhere' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Sign out everywhere?' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(location.pathname).toBe('/funnels');

  await user.click(screen.getByRole('button', { name: /dana/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Sign out everywhere' }));
  await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
  await waitFor(() => expect(location.pathname).toBe('/login'));
});

test('a failure to sign out everywhere shows an error, and the user stays signed in', async () => {
  stubWidth(767);
  serve({
    ...signedIn,
    'POST /api/logout/everywhere': () => json({ message: 'The database cannot be reached.' }, 503),
  });
  const user = renderApp('/funnels');
  await user.click(await screen.findByRole('button', { name: 'Open menu' }));
  await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Sign out everywhere?' }));
  await user.click(dialog.getByRole('button', { name: 'Sign out everywhere' }));
  await screen.findByText("Couldn't sign out everywhere: The database cannot be reached.");
  expect(location.pathname).toBe('/funnels');
});

test('below 768 px the navigation is a side menu with a Logout', async () => {
  stubWidth(767);
  serve(signedIn);
  const user = renderApp('/funnels');
  await user.click(await screen.findByRole('button', { name: 'Open menu' }));
  const menu = within(await screen.findByRole('dialog', { name: 'Menu' }));
  menu.getByRole('button', { name: 'Logout' });
  menu.getByRole('link', { name: 'Webhooks' });
  await user.click(menu.getByRole('link', { name: 'System Logs' }));
  await screen.findByText('dana signed in');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('? lists the keyboard shortcuts on every page, but not in a text field', async () => {
  serve({ ...signedIn, 'GET /api/funnels': [aFunnel()] });
  const user = renderApp('/funnels');
  await user.type(await screen.findByRole('searchbox'), 'why?');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(document.body);
  await user.keyboard('?');
  const sheet = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  expect(sheet.getByText('Search')).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: /dana/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Keyboard shortcuts' }));
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
});

test('/ moves the focus to the search box of the page', async () => {
  serve({ ...signedIn, 'GET /api/funnels': [aFunnel()] });
  const user = renderApp('/funnels');
  const box = await screen.findByRole('searchbox');
  await user.click(document.body);
  await user.keyboard('/');
  expect(document.activeElement).toBe(box);
  expect(box).toHaveProperty('value', '');
});

test('the logs show whether they are live, and a new entry appears automatically', async () => {
  const logs = [entry];
  serve({ ...signedIn, 'GET /api/logs': () => ({ logs, total: logs.length }) });
  renderApp('/system-logs');
  await screen.findByText('Disconnected');
  await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
  const [socket] = FakeSocket.all;
  socket?.accept();
  await screen.findByText('Real-time updates');
  expect(socket?.sent).toEqual([{ type: 'subscribe', channel: 'system-logs' }]);

  const created = { ...entry, id: 2, summary: 'A funnel was created' };
  logs.unshift(created);
  socket?.receive({ type: 'system-log', action: 'created', payload: created });
  await screen.findByRole('cell', { name: 'A funnel was created' });
});

test('everything is read again when the first connection succeeds late', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const seen = serve({ ...signedIn, 'GET /api/funnels': [aFunnel()] });
  renderApp('/funnels');
  await screen.findByRole('article', { name: 'Nursing' });
  const reads = () => seen.filter(({ path }) => path === '/api/funnels').length;
  act(() => FakeSocket.all[0]?.close(1006));
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  const before = reads();
  act(() => FakeSocket.all[1]?.accept());
  await waitFor(() => expect(reads()).toBe(before + 1));
});

test('the data of a user who signed out in another tab is not shown to the next one', async () => {
  let user = { id: 1, username: 'dana' };
  const seen = serve({ ...signedIn, 'GET /api/user': () => user, 'GET /api/funnels': [aFunnel()] });
  renderApp('/funnels');
  await screen.findByRole('article', { name: 'Nursing' });
  const reads = () => seen.filter(({ path }) => path === '/api/funnels').length;
  const before = reads();
  user = { id: 2, username: 'noor' };
  act(() => FakeSocket.all[0]?.accept());
  act(() => FakeSocket.all[0]?.close());
  await screen.findByRole('button', { name: /noor/ });
  await waitFor(() => expect(reads()).toBeGreaterThan(before));
});
