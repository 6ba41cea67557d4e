import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '#web/testing/render-app.tsx';
import { json, serve } from '#web/testing/server-edge.ts';

/** Opens the dialog of a new funnel. `responses` adds responses of the server. */
async function openDialog(sources: string[], responses: Parameters<typeof serve>[0] = {}, first = '') {
  const seen = serve({
    'GET /api/user': { id: 1, username: 'dana' },
    'GET /api/funnels': () => [],
    'GET /api/setup': { sources },
    ...responses,
  });
  const user = renderApp(`/funnels?dialog=create-funnel${first && `&id=${first}`}`);
  const dialog = within(await screen.findByRole('dialog'));
  const bodies = (path: string) => seen.filter((request) => request.path === path).map(({ body }) => body);
  return { user, dialog, bodies };
}

test('the dialog asks for no source when there is only one', async () => {
  const { dialog } = await openDialog(['rest']);
  await dialog.findByRole('button', { name: 'Test connection' });
  expect(dialog.queryByLabelText('Source')).toBeNull();
  expect(dialog.queryByRole('button', { name: 'List positions' })).toBeNull();
});

test('sources that an admin has not connected are listed and cannot be chosen', async () => {
  const { dialog } = await openDialog(['hireflix', 'upload']);
  const options = within(await dialog.findByLabelText('Source')).getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual([
    'Interview service – ask an admin',
    'Hireflix',
    'VideoAsk – ask an admin',
    'Uploaded recordings',
  ]);
  expect(options.map((option) => (option as HTMLOptionElement).disabled)).toEqual([true, false, true, false]);
});

test('the form starts with the source of its link', async () => {
  const { dialog } = await openDialog(['rest', 'hireflix', 'upload'], {}, 'upload');
  expect(await dialog.findByLabelText('Source')).toHaveProperty('value', 'upload');
  expect(dialog.queryByLabelText(/API Key/)).toBeNull();
});

test('a position of the chosen source is picked from its list and saved with its source', async () => {
  const positions = [
    { id: 'pos_1', name: 'Designer', isArchived: false },
    { id: 'pos_2', name: 'Office Manager', isArchived: true },
  ];
  const { user, dialog, bodies } = await openDialog(['rest', 'hireflix'], {
    'POST /api/funnels/positions': { positions },
    'POST /api/funnels': (request) => json(request.body, 201),
  });
  await user.selectOptions(await dialog.findByLabelText('Source'), 'Hireflix');
  await user.type(dialog.getByLabelText(/API Key/), 'key');
  await user.click(dialog.getByRole('button', { name: 'List positions' }));
  const picker = await dialog.findByLabelText('Position');
  expect(
    within(picker)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Choose a position', 'Designer', 'Office Manager (archived)']);
  await user.selectOptions(picker, 'Designer');
  expect(dialog.getByLabelText(/Funnel Name/)).toHaveProperty('value', 'Designer');
  await user.click(dialog.getByRole('button', { name: 'Create Funnel' }));
  expect(bodies('/api/funnels/positions')).toEqual([{ source: 'hireflix', apiKey: 'key' }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const saved = { source: 'hireflix', apiKey: 'key', funnelId: 'pos_1', name: 'Designer' };
  expect(bodies('/api/funnels').filter(Boolean)).toMatchObject([saved]);
});

test('a test of the connection shows what it found, or the refusal, until the form changes', async () => {
  const responses = [json({ name: 'Designer', interviews: 1_200 }), json({ message: 'The key is wrong.' }, 409)];
  const { user, dialog, bodies } = await openDialog(['rest'], {
    'POST /api/funnels/check': () => responses.shift() ?? json({}, 500),
  });
  await user.type(dialog.getByLabelText(/API Key/), 'key');
  await user.type(dialog.getByLabelText(/Funnel ID/), 'ext');
  const test = () => user.click(dialog.getByRole('button', { name: 'Test connection' }));
  await test();
  expect((await dialog.findByRole('status')).textContent).toBe('Connected to Designer: 1,200 interviews');
  expect(bodies('/api/funnels/check')).toEqual([{ source: 'rest', apiKey: 'key', funnelId: 'ext' }]);

  await user.type(dialog.getByLabelText(/Funnel ID/), '2');
  expect(dialog.queryByRole('status')).toBeNull();
  await test();
  expect((await dialog.findByRole('alert')).textContent).toContain('The key is wrong.');
});
