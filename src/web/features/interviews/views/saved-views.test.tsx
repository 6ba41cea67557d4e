import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SavedView } from '#contracts/saved-views.ts';
import { anInterview, findCard, openDashboard } from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json, type SeenRequest } from '#web/testing/server-edge.ts';

/** A server with these views. */
function openWith(views: SavedView[], path = '/') {
  let lastId = 100;
  return openDashboard(
    [anInterview()],
    {
      'GET /api/saved-views': () => [...views],
      'POST /api/saved-views': ({ body }: SeenRequest) => {
        lastId += 1;
        const view = { id: lastId, ...(body as { name: string; query: string }) };
        views.push(view);
        return json(view, 201);
      },
      'PUT /api/saved-views/1': ({ body }: SeenRequest) => Object.assign(views[0] ?? {}, body),
      'DELETE /api/saved-views/1': () => {
        views.shift();
        return { message: 'View deleted' };
      },
    },
    path,
  );
}
const NURSES = { id: 1, name: 'New nurses', query: 'status=new&funnel=1' };
const tabs = async () =>
  within(await screen.findByRole('navigation', { name: 'Saved views' }))
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('aria-current')]);

test('filters are saved under a name and shown as a tab, and nothing is shown before', async () => {
  const { user, seen } = openWith([]);
  await findCard();
  expect(screen.queryByRole('navigation', { name: 'Saved views' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Save view' })).toBeNull();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'New');
  await user.click(await screen.findByRole('button', { name: 'Save view' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Save view' }));
  await user.keyboard('{Enter}');
  expect(dialog.getByRole('alert').textContent).toBe('Enter a name');
  await user.keyboard(' New ones {Enter}');
  await expectToast('View saved');
  expect(seen.find(({ method }) => method === 'POST')?.body).toEqual({ name: 'New ones', query: 'status=new' });
  expect(await tabs()).toEqual([
    ['All interviews', null],
    ['New ones', 'page'],
  ]);
  // They are saved already.
  expect(screen.queryByRole('button', { name: 'Save view' })).toBeNull();
});

test('a view opens with its filters on its first page', async () => {
  const { user, lists } = openWith([NURSES], '/?page=3&search=x');
  await user.click(await screen.findByRole('link', { name: 'New nurses' }));
  expect(location.search).toBe('?status=new&funnel=1');
  await waitFor(() => expect(lists().at(-1)?.query.get('status')).toBe('new'));
  expect(await tabs()).toContainEqual(['New nurses', 'page']);
  await user.click(screen.getByRole('link', { name: 'All interviews' }));
  expect(location.search).toBe('');
  expect(await tabs()).toContainEqual(['All interviews', 'page']);
});

test('a view is renamed from the menu of its tab', async () => {
  const { user } = openWith([{ ...NURSES }], `/?${NURSES.query}`);
  await user.click(await screen.findByRole('button', { name: 'Actions for the view New nurses' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
  const name = await screen.findByRole('textbox', { name: /Name/ });
  expect(document.activeElement).toBe(name);
  await user.clear(name);
  await user.keyboard('Nurses{Enter}');
  await expectToast('View renamed');
  expect(await tabs()).toContainEqual(['Nurses', 'page']);
});

test('a deleted view can be restored with Undo, and the filters stay', async () => {
  const { user } = openWith([NURSES, { id: 2, name: 'Sent', query: 'status=sent' }], `/?${NURSES.query}`);
  await user.click(await screen.findByRole('button', { name: 'Actions for the view New nurses' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await expectToast('View deleted', '"New nurses" is no longer in your views.');
  expect(await tabs()).toEqual([
    ['All interviews', null],
    ['Sent', null],
  ]);
  expect(location.search).toBe(`?${NURSES.query}`);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(async () => expect(await tabs()).toContainEqual(['New nurses', 'page']));
});

test('a refused save shows the reason and keeps the dialog', async () => {
  const { user } = openDashboard(
    [anInterview()],
    { 'POST /api/saved-views': () => json({ message: 'You have 20 saved views. Delete one to save another.' }, 409) },
    '/?status=new',
  );
  await user.click(await screen.findByRole('button', { name: 'Save view' }));
  await screen.findByRole('dialog', { name: 'Save view' });
  await user.keyboard('One more{Enter}');
  await expectToast(
    'Error',
    "Couldn't save the view: You have 20 saved views. Delete one to save another.",
    'destructive',
  );
  expect(screen.getByRole('dialog', { name: 'Save view' })).toBeTruthy();
});
