import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
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
const openMenu = async (user: UserEvent) => {
  await user.click(await screen.findByRole('button', { name: /^Views/ }));
  return screen.findByRole('menu');
};
/** The views in the menu, and which one is shown. */
const listed = (menu: HTMLElement) =>
  within(menu)
    .getAllByRole('menuitem')
    .filter((item) => item.hasAttribute('href'))
    .map((item) => [item.textContent, item.getAttribute('aria-current')]);

test('filters are saved under a name and shown in the menu of views', async () => {
  const { user, seen } = openWith([]);
  await findCard();
  expect(
    within(await openMenu(user))
      .getByRole('menuitem', { name: 'Save view' })
      .getAttribute('aria-disabled'),
  ).toBe('true');
  await user.keyboard('{Escape}');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'New');
  await user.click(within(await openMenu(user)).getByRole('menuitem', { name: 'Save view' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Save view' }));
  await user.keyboard('{Enter}');
  expect(dialog.getByRole('alert').textContent).toBe('Enter a name');
  await user.keyboard(' New ones {Enter}');
  await expectToast('View saved');
  expect(seen.find(({ method }) => method === 'POST')?.body).toEqual({ name: 'New ones', query: 'status=new' });
  await screen.findByRole('button', { name: 'Views: New ones' });
  const menu = await openMenu(user);
  expect(listed(menu)).toEqual([
    ['All interviews', null],
    ['My review missing', null],
    ['My yes', null],
    ['New ones', 'page'],
  ]);
  // They are saved already.
  expect(within(menu).queryByRole('menuitem', { name: 'Save view' })).toBeNull();
});

test('a view opens with its filters on its first page', async () => {
  const { user, lists } = openWith([NURSES], '/?page=3&search=x');
  await user.click(within(await openMenu(user)).getByRole('menuitem', { name: 'New nurses' }));
  expect(location.search).toBe('?status=new&funnel=1');
  await waitFor(() => expect(lists().at(-1)?.query.get('status')).toBe('new'));
  await screen.findByRole('button', { name: 'Views: New nurses' });
  await user.click(within(await openMenu(user)).getByRole('menuitem', { name: 'All interviews' }));
  expect(location.search).toBe('');
  expect(listed(await openMenu(user))).toContainEqual(['All interviews', 'page']);
});

test('a view is renamed from the menu', async () => {
  const { user } = openWith([{ ...NURSES }], `/?${NURSES.query}`);
  await user.click(await screen.findByRole('button', { name: 'Views: New nurses' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename view' }));
  const name = await screen.findByRole('textbox', { name: /Name/ });
  expect(document.activeElement).toBe(name);
  await user.clear(name);
  await user.keyboard('Nurses{Enter}');
  await expectToast('View renamed');
  await screen.findByRole('button', { name: 'Views: Nurses' });
});

test('a deleted view can be restored with Undo, and the filters stay', async () => {
  const { user } = openWith([NURSES, { id: 2, name: 'Sent', query: 'status=sent' }], `/?${NURSES.query}`);
  await user.click(await screen.findByRole('button', { name: 'Views: New nurses' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete view' }));
  await expectToast('View deleted', '"New nurses" is no longer in your views.');
  expect(location.search).toBe(`?${NURSES.query}`);
  expect(listed(await openMenu(user))).toEqual([
    ['All interviews', null],
    ['My review missing', null],
    ['My yes', null],
    ['Sent', null],
  ]);
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByRole('button', { name: 'Views: New nurses' });
});

test('a refused save shows the reason and keeps the dialog', async () => {
  const { user } = openDashboard(
    [anInterview()],
    { 'POST /api/saved-views': () => json({ message: 'You have 20 saved views. Delete one to save another.' }, 409) },
    '/?status=new',
  );
  await user.click(within(await openMenu(user)).getByRole('menuitem', { name: 'Save view' }));
  await screen.findByRole('dialog', { name: 'Save view' });
  await user.keyboard('One more{Enter}');
  await expectToast(
    'Error',
    "Couldn't save the view: You have 20 saved views. Delete one to save another.",
    'destructive',
  );
  expect(screen.getByRole('dialog', { name: 'Save view' })).toBeTruthy();
});
