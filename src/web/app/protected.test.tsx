import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { currentToasts } from '#web/lib/toast.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { json, serve } from '#web/testing/server-edge.ts';

const hint = { 'GET /api/login/hint': { signedIn: false, defaultCredentials: null } };
const signedIn = {
  'GET /api/user': { id: 7, username: 'lena' },
  'GET /api/funnels': [],
  'GET /api/funnels/active': () => null,
  'GET /api/interviews': { interviews: [], total: 0 },
  'GET /api/interviews/sync/status': () => null,
  'GET /api/logs': { logs: [], total: 0 },
};

for (const path of ['/', '/funnels', '/system-logs', '/test-destination']) {
  test(`${path} is shown between the header and the footer`, async () => {
    serve(signedIn);
    renderApp(path);
    expect((await screen.findByRole('banner')).textContent).toContain('Video Interview Management');
    expect(screen.getByRole('contentinfo').textContent).toContain('Version 2.0.0');
    await screen.findByRole('heading', { level: 1 });
  });

  test(`${path} redirects an anonymous user to the login`, async () => {
    serve({ ...hint, 'GET /api/user': () => json({ message: 'Sign in first' }, 401) });
    renderApp(path);
    await screen.findByRole('button', { name: 'Sign in' });
    expect(location.pathname).toBe('/login');
    expect(currentToasts()).toEqual([]);
  });
}

test('only a spinner is shown while the user is loading', async () => {
  const response = Promise.withResolvers<object>();
  const seen = serve({ ...signedIn, 'GET /api/user': () => response.promise });
  renderApp('/funnels');
  expect((await screen.findByRole('status')).textContent).toBe('Loading');
  expect(screen.queryByRole('banner')).toBeNull();
  expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/user']);
  response.resolve(signedIn['GET /api/user']);
  await screen.findByRole('heading', { name: 'Funnel Management' });
});

test('a signed-in user is redirected from the login to the dashboard', async () => {
  serve({ ...signedIn, 'GET /api/login/hint': { signedIn: true, defaultCredentials: null } });
  renderApp('/login');
  await screen.findByRole('heading', { name: 'Interviews' });
  expect(location.pathname).toBe('/');
});

test('a failed session check redirects to the login without a message', async () => {
  serve({ ...hint, 'GET /api/user': () => json({ message: 'The database is down' }, 503) });
  renderApp('/');
  await screen.findByRole('button', { name: 'Sign in' });
  expect(location.pathname).toBe('/login');
  expect(document.body.textContent).not.toContain('The database is down');
  expect(currentToasts()).toEqual([]);
});

test('every signed-in user sees the refresh, the funnels and the logs', async () => {
  serve(signedIn);
  const user = renderApp('/');
  await screen.findByRole('button', { name: 'Refresh' });
  expect(screen.getByRole('button', { name: /lena\s*Admin/ })).toBeTruthy();
  await user.click(screen.getByRole('link', { name: 'Funnels' }));
  await screen.findAllByRole('button', { name: 'Add New Funnel' });
  await user.click(screen.getByRole('button', { name: 'System' }));
  await user.click(await screen.findByRole('menuitem', { name: 'System Logs' }));
  await waitFor(() => expect(location.pathname).toBe('/system-logs'));
  await screen.findByRole('heading', { name: 'System Logs' });
});
