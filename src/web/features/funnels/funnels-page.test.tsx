import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Funnel } from '#contracts/funnels.ts';
import { aStatus } from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { FakeSocket } from '#web/testing/fake-socket.ts';
import type { renderApp } from '#web/testing/render-app.tsx';
import { json } from '#web/testing/server-edge.ts';
import { cardOf, changesIn, numberedFunnel, openFunnels } from './testing/open-funnels.ts';

/** The file is long because its tests share one page of funnels and its dialogs. */
const names = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);

async function submitNewFunnel(user: ReturnType<typeof renderApp>): Promise<void> {
  await user.click((await screen.findAllByRole('button', { name: 'Add New Funnel' }))[0] as HTMLElement);
  for (const label of [/Funnel Name/, /API Key/, /Funnel ID/])
    await user.type(await screen.findByLabelText(label), 'x');
  await user.click(screen.getByRole('button', { name: 'Create Funnel' }));
}

test('a card shows the facts of a funnel and names missing values', async () => {
  openFunnels([
    numberedFunnel(1),
    numberedFunnel(2, { isActive: true, clientName: 'Acme', description: 'Lead role', interviewCount: 12 }),
    numberedFunnel(3, { interviewCount: 1 }),
  ]);
  await screen.findByRole('article', { name: 'Funnel 1' });
  for (const text of ['Inactive', 'No description', 'N/A', 'ext-1', 'No interviews yet', 'Set Active']) {
    expect(cardOf('Funnel 1').getByText(text)).toBeTruthy();
  }
  for (const text of ['Active', 'Lead role', 'Acme', '12 interviews'])
    expect(cardOf('Funnel 2').getByText(text)).toBeTruthy();
  expect(cardOf('Funnel 2').queryByRole('button', { name: 'Set Active' })).toBeNull();
  for (const name of ['Edit', 'Set Active', 'Delete'])
    expect(cardOf('Funnel 1').getByRole('button', { name, description: 'Funnel 1' })).toBeTruthy();
  expect(cardOf('Funnel 3').getByText('1 interview')).toBeTruthy();
  expect(document.title).toBe('Funnel Management · Video Interview Management');
});

test('a page shows nine funnels; page, search and order are stored in the address', async () => {
  const { user } = openFunnels(Array.from({ length: 11 }, (_, index) => numberedFunnel(index + 1)));
  await screen.findByText('Showing 1 to 9 of 11 results');
  await user.click(screen.getByRole('button', { name: 'Page 2' }));
  expect(names()).toEqual(['Funnel 2', 'Funnel 1']);
  expect(location.search).toBe('?page=2');

  await user.selectOptions(screen.getByLabelText('Sort'), 'Oldest first');
  expect(location.search).toBe('?sort=oldest');
  expect(names()[0]).toBe('Funnel 1');

  await user.type(screen.getByLabelText('Search funnels'), 'funnel 11');
  expect(names()).toEqual(['Funnel 11']);
});

test('search covers name, client and description; the status filter narrows the list', async () => {
  const { user } = openFunnels([
    numberedFunnel(1, { clientName: 'Zebra Inc' }),
    numberedFunnel(2, { description: 'about zebras', isActive: true }),
    numberedFunnel(3, { name: 'The zebra' }),
    numberedFunnel(4),
  ]);
  await user.type(await screen.findByLabelText('Search funnels'), 'ZEBRA');
  expect(names()).toEqual(['The zebra', 'Funnel 2', 'Funnel 1']);
  await user.selectOptions(screen.getByLabelText('Status'), 'Active only');
  expect(names()).toEqual(['Funnel 2']);
  await user.clear(screen.getByLabelText('Search funnels'));
  await user.type(screen.getByLabelText('Search funnels'), 'nothing like it');
  await screen.findByText('No funnels found');
  expect(screen.getByText('Try adjusting your search or filters.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(names()).toHaveLength(4);
});

test('the filters offer three statuses and two orders', async () => {
  openFunnels([numberedFunnel(1)]);
  const options = (name: string) =>
    within(screen.getByLabelText(name))
      .getAllByRole('option')
      .map((option) => option.textContent);
  await screen.findByLabelText('Status');
  expect(options('Status')).toEqual(['All statuses', 'Active only', 'Inactive only']);
  expect(options('Sort')).toEqual(['Newest first', 'Oldest first']);
});

const NARROWINGS: Record<string, (user: ReturnType<typeof renderApp>) => Promise<void>> = {
  'the search': (user) => user.type(screen.getByLabelText('Search funnels'), 'f'),
  'the status filter': (user) => user.selectOptions(screen.getByLabelText('Status'), 'Inactive only'),
  'the sort': (user) => user.selectOptions(screen.getByLabelText('Sort'), 'Oldest first'),
};
for (const [what, narrow] of Object.entries(NARROWINGS)) {
  test(`a change of ${what} starts at the first page`, async () => {
    const { user } = openFunnels(
      Array.from({ length: 20 }, (_, index) => numberedFunnel(index + 1)),
      {},
      '/funnels?page=2',
    );
    await screen.findByText('Showing 10 to 18 of 20 results');
    await narrow(user);
    await screen.findByText('Showing 1 to 9 of 20 results');
  });
}

test('loading funnels reads Loading funnels...', async () => {
  openFunnels([], { 'GET /api/funnels': () => new Promise(() => {}) });
  await screen.findByText('Loading funnels...');
});

test('a failed request shows Error Loading Funnels and can be retried', async () => {
  const down = vi.fn((): unknown => json({ message: 'Not today.' }, 400));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { user } = openFunnels([], { 'GET /api/funnels': down });
  await waitFor(() => expect(down).toHaveBeenCalled());
  await act(() => vi.advanceTimersByTimeAsync(8_000));
  vi.useRealTimers();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Error Loading Funnels');
  expect(alert.textContent).toContain('Not today.');
  down.mockImplementation(() => [numberedFunnel(1)]);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('article', { name: 'Funnel 1' });
});

test('the direct link is copied', async () => {
  const { user } = openFunnels([numberedFunnel(1, { directLink: 'https://interviews.example.com/1' })]);
  await user.click(await screen.findByRole('button', { name: 'Copy link' }));
  await expectToast('Link copied');
  expect(await navigator.clipboard.readText()).toBe('https://interviews.example.com/1');
});

test('without funnels the page offers to create the first one', async () => {
  openFunnels([]);
  await screen.findByText('No funnels found');
  expect(screen.getByText('Create your first funnel to start fetching interviews.')).toBeTruthy();
  expect(screen.queryByLabelText('Search funnels')).toBeNull();
});

test('creating a funnel validates every field and shows the tab with the first error', async () => {
  const { user, seen } = openFunnels([], { 'POST /api/funnels': () => json(numberedFunnel(1), 201) });
  await user.click((await screen.findAllByRole('button', { name: 'Add New Funnel' }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog'));

  await user.type(dialog.getByLabelText(/Funnel Name/), '  Designer ');
  await user.type(dialog.getByLabelText(/API Key/), 'k');
  await user.click(dialog.getByRole('tab', { name: 'Description' }));
  await user.type(dialog.getByRole('textbox', { name: 'Description' }), 'Hello');
  expect(dialog.getByText('5/2000')).toBeTruthy();

  await user.click(dialog.getByRole('button', { name: 'Create Funnel' }));
  expect(dialog.getByText('Funnel ID is required')).toBeTruthy();
  expect(document.activeElement).toHaveProperty('name', 'funnelId');
  expect(changesIn(seen)).toEqual([]);

  await user.type(dialog.getByLabelText(/Funnel ID/), 'ext-9');
  expect(dialog.queryByText('Funnel ID is required')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Create Funnel' }));

  await expectToast('Funnel created', 'New funnel has been created successfully.');
  expect(changesIn(seen)).toMatchObject([
    { method: 'POST', body: { name: 'Designer', apiKey: 'k', funnelId: 'ext-9', description: 'Hello', skills: null } },
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('editing starts with the values of the funnel and hides the key until it is revealed', async () => {
  const { user, seen } = openFunnels([numberedFunnel(5)], {
    'PUT /api/funnels/5': numberedFunnel(5),
    'POST /api/funnels/5/reveal-api-key': { apiKey: 'secret-key' },
  });
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const key = await screen.findByLabelText(/API Key/);
  expect(key).toMatchObject({ type: 'password', value: 'secret-key' });
  await user.click(screen.getByRole('button', { name: 'Reveal' }));
  await waitFor(() => expect(key).toHaveProperty('type', 'text'));

  await user.type(screen.getByLabelText('Client Name'), 'Acme');
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await expectToast('Funnel updated', 'Funnel has been updated successfully.');
  expect(changesIn(seen)).toMatchObject([
    { path: '/api/funnels/5/reveal-api-key' },
    { path: '/api/funnels/5', body: { name: 'Funnel 5', clientName: 'Acme' } },
  ]);
});

test('a stored key stays hidden when its reveal cannot be recorded', async () => {
  const { user } = openFunnels([numberedFunnel(5)], {
    'POST /api/funnels/5/reveal-api-key': () => json({ message: 'Not now' }, 400),
  });
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  await user.click(await screen.findByRole('button', { name: 'Reveal' }));
  await expectToast('Error', "Couldn't show the API key: Not now", 'destructive');
  expect(screen.getByLabelText(/API Key/)).toHaveProperty('type', 'password');
});

test('both dialogs have the tabs Basic Settings, Description and Expectations', async () => {
  const { user } = openFunnels([numberedFunnel(5)]);
  for (const [button, title] of [
    ['Add New Funnel', 'Add New Funnel'],
    ['Edit', 'Edit Funnel'],
  ] as const) {
    await user.click(await screen.findByRole('button', { name: button }));
    const dialog = within(await screen.findByRole('dialog', { name: title }));
    expect(dialog.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Basic Settings',
      'Description',
      'Expectations',
    ]);
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  }
});

test('the toast of a new funnel offers Set Active while no funnel is active', async () => {
  const stored: Funnel[] = [];
  const { user, seen } = openFunnels(stored, {
    'POST /api/funnels': () => {
      const created = numberedFunnel(stored.length + 1);
      stored.push(created);
      return json(created, 201);
    },
    'POST /api/funnels/1/activate': () => {
      stored[0] = numberedFunnel(1, { isActive: true });
      return stored[0];
    },
  });
  const create = async () => {
    await submitNewFunnel(user);
    await expectToast('Funnel created', 'New funnel has been created successfully.');
  };
  const offer = () => document.querySelector('[data-swipe-direction]')?.textContent?.includes('Set Active');
  await create();
  await user.click(within(document.querySelector('[data-swipe-direction]') as HTMLElement).getByText('Set Active'));
  await expectToast('Funnel activated', 'Funnel has been set as active.');
  expect(changesIn(seen).map(({ path }) => path)).toEqual(['/api/funnels', '/api/funnels/1/activate']);
  await create();
  expect(offer()).toBe(false);
});

const CHANGES: Record<string, (user: ReturnType<typeof renderApp>) => Promise<void>> = {
  'a creation': async (user) => {
    await submitNewFunnel(user);
    await expectToast('Funnel created', 'New funnel has been created successfully.');
  },
  'an update': async (user) => {
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    await user.click(await screen.findByRole('button', { name: 'Save Changes' }));
    await expectToast('Funnel updated', 'Funnel has been updated successfully.');
  },
  'a deletion': async (user) => {
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    await expectToast('Funnel deleted', 'Funnel has been deleted successfully.');
  },
  'an activation': async (user) => {
    await user.click(screen.getByRole('button', { name: 'Set Active' }));
    await expectToast('Funnel activated', 'Funnel has been set as active.');
  },
};
for (const [change, make] of Object.entries(CHANGES)) {
  test(`the list of funnels reloads after ${change}`, async () => {
    const { user, seen } = openFunnels([numberedFunnel(1)], {
      'POST /api/funnels': () => json(numberedFunnel(2), 201),
      'PUT /api/funnels/1': numberedFunnel(1),
      'DELETE /api/funnels/1': { message: 'Deleted', publishedVideos: 0 },
      'POST /api/funnels/1/activate': numberedFunnel(1, { isActive: true }),
    });
    const reads = () => seen.filter(({ method, path }) => method === 'GET' && path === '/api/funnels');
    await screen.findByRole('article', { name: 'Funnel 1' });
    expect(reads()).toHaveLength(1);
    await make(user);
    await waitFor(() => expect(reads()).toHaveLength(2));
  });
}

test('a failed creation or deletion shows the reason', async () => {
  const { user } = openFunnels([numberedFunnel(1)], {
    'POST /api/funnels': () => json({ message: 'The disk is full' }, 503),
    'DELETE /api/funnels/1': () => json({ message: 'The disk is stuck' }, 503),
  });
  await submitNewFunnel(user);
  await expectToast('Error', 'Failed to create funnel: The disk is full', 'destructive');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Discard' }));

  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  await expectToast('Error', 'Failed to delete funnel: The disk is stuck', 'destructive');
});

test('a failed update keeps the dialog and its text', async () => {
  const { user } = openFunnels([numberedFunnel(5)], {
    'PUT /api/funnels/5': () => json({ message: 'Name is taken' }, 409),
  });
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  await user.click(await screen.findByRole('button', { name: 'Save Changes' }));
  await expectToast('Error', 'Failed to update funnel: Name is taken', 'destructive');
  expect(screen.getByRole('dialog')).toBeTruthy();
});

test('closing a changed dialog asks first, and the focus returns to its button', async () => {
  const { user } = openFunnels([numberedFunnel(5)]);
  const edit = await screen.findByRole('button', { name: 'Edit' });
  await user.click(edit);
  await user.type(await screen.findByLabelText('Client Name'), 'x');
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(screen.getByLabelText('Client Name')).toHaveProperty('value', 'x');

  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(edit));
});

test('unsaved text survives the end of the session, except for the key', async () => {
  const { user } = openFunnels([numberedFunnel(1)], {
    'PUT /api/funnels/1': () => json({ message: 'Please sign in' }, 401),
    'POST /api/login': { id: 1, username: 'dana' },
    'GET /api/interviews': { interviews: [], total: 0 },
    'GET /api/interviews/sync/status': aStatus(),
    'GET /api/funnels/active': null,
  });
  await user.click((await screen.findAllByRole('button', { name: 'Edit' }))[0] as HTMLElement);
  await user.type(await screen.findByLabelText(/Client Name/), 'Acme');
  await user.type(screen.getByLabelText(/API Key/), '-new');
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await user.type(await screen.findByLabelText('Username'), 'dana');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await user.click(await screen.findByRole('link', { name: 'Funnels' }));
  await user.click((await screen.findAllByRole('button', { name: 'Edit' }))[0] as HTMLElement);
  expect(await screen.findByText(/restored your unsaved changes/)).toBeTruthy();
  expect(screen.getByLabelText(/Client Name/)).toHaveProperty('value', 'Acme');
  expect(screen.getByLabelText(/API Key/)).toHaveProperty('value', 'secret-key');
  expect(JSON.stringify(sessionStorage)).not.toContain('secret-key');
});

test('a change by a colleague appears without a reload, even while the form is open', async () => {
  const funnels = [numberedFunnel(1)];
  const { user } = openFunnels(funnels);
  await user.click((await screen.findAllByRole('button', { name: 'Edit' }))[0] as HTMLElement);
  await user.type(await screen.findByLabelText(/Client Name/), 'Acme');
  funnels[0] = numberedFunnel(1, { name: 'Renamed' });
  for (const socket of FakeSocket.all) socket.receive({ type: 'funnels-changed' });
  expect(await screen.findByText(/Someone else edited this funnel/)).toBeTruthy();
  expect(screen.getByLabelText(/Client Name/)).toHaveProperty('value', 'Acme');
  expect(screen.getByRole('article', { name: 'Renamed', hidden: true })).toBeTruthy();
});

test('deleting reports how many published videos are being removed', async () => {
  const { user } = openFunnels([numberedFunnel(1)], {
    'DELETE /api/funnels/1': { message: 'Deleted', publishedVideos: 2 },
  });
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  await expectToast('Funnel deleted', 'Funnel has been deleted successfully. 2 published videos are being removed.');
});

test('deleting asks for confirmation by name, then removes the card', async () => {
  const funnels = [numberedFunnel(1), numberedFunnel(2)];
  const { user, seen } = openFunnels(funnels, {
    'GET /api/funnels/2/contents': { interviews: 10, recordings: 1 },
    'DELETE /api/funnels/2': () => {
      funnels.pop();
      return { message: 'Deleted', publishedVideos: 0 };
    },
  });
  await user.click((await screen.findAllByRole('button', { name: 'Delete' }))[0] as HTMLElement);
  const asked = within(await screen.findByRole('alertdialog', { name: 'Are you sure?' }));
  asked.getByText(
    'This will permanently delete the funnel "Funnel 2" and all its associated data. This action cannot be undone.',
  );
  expect(await asked.findByText('10 interviews, 1 recording')).toBeTruthy();
  expect(asked.queryByRole('textbox')).toBeNull();
  await user.click(asked.getByRole('button', { name: 'Delete' }));
  await expectToast('Funnel deleted', 'Funnel has been deleted successfully.');
  expect(names()).toEqual(['Funnel 1']);
  expect(changesIn(seen)).toHaveLength(1);
});

test('a funnel with more than ten interviews is deleted only after its name is typed', async () => {
  const { user, seen } = openFunnels([numberedFunnel(1)], {
    'GET /api/funnels/1/contents': { interviews: 40, recordings: 40 },
    'DELETE /api/funnels/1': { message: 'Deleted', publishedVideos: 0 },
  });
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  const asked = within(await screen.findByRole('alertdialog', { name: 'Are you sure?' }));
  expect(await asked.findByText('40 interviews, 40 recordings')).toBeTruthy();
  expect(asked.getByRole('button', { name: 'Delete' })).toHaveProperty('disabled', true);
  await user.type(asked.getByLabelText("Type the funnel's name to delete it"), 'Funnel 1');
  await user.click(asked.getByRole('button', { name: 'Delete' }));
  await expectToast('Funnel deleted', 'Funnel has been deleted successfully.');
  expect(changesIn(seen)).toHaveLength(1);
});

test('Set Active is shown immediately and undone when it fails', async () => {
  const gate = Promise.withResolvers<Response>();
  const { user } = openFunnels([numberedFunnel(1, { isActive: true }), numberedFunnel(2)], {
    'POST /api/funnels/2/activate': () => gate.promise,
  });
  await user.click(await screen.findByRole('button', { name: 'Set Active' }));
  await waitFor(() => expect(cardOf('Funnel 2').getByText('Active')).toBeTruthy());
  expect(cardOf('Funnel 1').getByText('Inactive')).toBeTruthy();

  gate.resolve(json({ message: 'It is gone' }, 404));
  await expectToast('Error', 'Failed to activate funnel: It is gone', 'destructive');
  expect(cardOf('Funnel 1').getByText('Active')).toBeTruthy();
});

test('an expired session opens the login without a toast', async () => {
  const { user } = openFunnels([numberedFunnel(1)], {
    'POST /api/funnels/1/activate': () => json({ message: 'x' }, 401),
  });
  await user.click(await screen.findByRole('button', { name: 'Set Active' }));
  await waitFor(() => expect(location.pathname).toBe('/login'));
  expect(screen.queryByText('Funnel activated')).toBeNull();
});

test('Ctrl+Enter while a funnel is being created does not create another one', async () => {
  const { user, seen } = openFunnels([], { 'POST /api/funnels': () => new Promise(() => {}) });
  await user.click((await screen.findAllByRole('button', { name: 'Add New Funnel' }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'Add New Funnel' }));
  await user.type(dialog.getByLabelText(/^API Key/), 'key');
  await user.type(dialog.getByLabelText(/^Funnel ID/), 'ext');
  await user.type(dialog.getByLabelText(/^Funnel Name/), 'Nursing');
  await user.click(dialog.getByRole('tab', { name: 'Description' }));
  await user.click(dialog.getByRole('textbox', { name: 'Description' }));
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(changesIn(seen)).toHaveLength(1));
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Create Funnel', busy: true })).toBeTruthy());
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(changesIn(seen)).toHaveLength(1);
});
