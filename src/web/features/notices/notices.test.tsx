import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Notice } from '#contracts/notices.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { FakeSocket } from '#web/testing/fake-socket.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { json, serve } from '#web/testing/server-edge.ts';

const NOTICE: Notice = {
  ...{ id: 1, kind: 'mention', interviewId: 'BUB-7', shareId: null, actor: 'ben', readAt: null },
  createdAt: '2026-03-05T12:00:00.000Z',
};
const OPENED: Notice = { ...NOTICE, id: 2, kind: 'opened', interviewId: null, shareId: 4, actor: 'Ann Lee' };
const SETTINGS = { opened: 'now', verdict: 'now', mention: 'now', expiring: 'now' };

function open(path: string, responses: Parameters<typeof serve>[0] = {}) {
  const seen = serve({
    'GET /api/user': { id: 1, username: 'dana', role: 'administrator', allFunnels: true, funnelIds: [] },
    'GET /api/funnels': [],
    'GET /api/user/notices': SETTINGS,
    ...responses,
  });
  return { user: renderApp(path), seen };
}

test('the bell counts unread notices, follows live messages, and is cleared by reading them', async () => {
  let notifications = [NOTICE];
  const unread = () => notifications.filter(({ readAt }) => readAt === null).length;
  const { user, seen } = open('/funnels', {
    'GET /api/notifications': () => ({ notifications, unread: unread() }),
    'POST /api/notifications/read': () => {
      notifications = notifications.map((notice) => ({ ...notice, readAt: NOTICE.createdAt }));
      return { unread: 0 };
    },
  });
  await screen.findByRole('button', { name: 'Notices, 1 unread' });
  notifications = [OPENED, NOTICE];
  act(() => void FakeSocket.all.at(-1)?.receive({ type: 'notices-changed' }));
  await user.click(await screen.findByRole('button', { name: 'Notices, 2 unread' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Notices' }));
  const link = dialog.getByRole('link', { name: 'ben mentioned you in a comment' });
  expect(link.getAttribute('href')).toBe('/?interview=BUB-7');
  expect(dialog.getByText('Ann Lee opened your link')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Mark all as read' }));
  await waitFor(() => expect(dialog.queryByRole('button', { name: /^Mark as read/ })).toBeNull());
  expect(seen.filter(({ method }) => method === 'POST')).toMatchObject([{ body: {} }]);
});

test('without notices, the dialog explains what will appear', async () => {
  open('/funnels?dialog=notices', { 'GET /api/notifications': { notifications: [], unread: 0 } });
  const dialog = within(await screen.findByRole('dialog', { name: 'Notices' }));
  expect(await dialog.findByText('No notices yet')).toBeTruthy();
  expect(dialog.getByRole('button', { name: 'Mark all as read' })).toHaveProperty('disabled', true);
});

test('each choice in the settings is saved immediately', async () => {
  const { user, seen } = open('/funnels?dialog=notice-settings', {
    'GET /api/notifications': { notifications: [], unread: 0 },
    'PUT /api/user/notices': { ...SETTINGS, mention: 'daily' },
  });
  const choice = await screen.findByRole('combobox', { name: 'A colleague mentions you' });
  await user.selectOptions(choice, 'Once a day');
  await waitFor(() => expect(seen.some(({ method }) => method === 'PUT')).toBe(true));
  expect(seen.find(({ method }) => method === 'PUT')).toMatchObject({ body: { ...SETTINGS, mention: 'daily' } });
  expect(choice).toHaveProperty('value', 'daily');
});

test('choices made in quick succession are saved in their order', async () => {
  const firstSave = Promise.withResolvers<void>();
  const { user, seen } = open('/funnels?dialog=notice-settings', {
    'GET /api/notifications': { notifications: [], unread: 0 },
    'PUT /api/user/notices': async ({ body }) => {
      await firstSave.promise;
      return body as object;
    },
  });
  const saved = () => seen.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  const choice = await screen.findByRole('combobox', { name: 'A colleague mentions you' });
  await user.selectOptions(choice, 'Once a day');
  await user.selectOptions(choice, 'Off');
  expect(choice).toHaveProperty('value', 'off');
  expect(saved()).toEqual([{ ...SETTINGS, mention: 'daily' }]);
  firstSave.resolve();
  await waitFor(() => expect(saved()).toHaveLength(2));
  expect(saved()[1]).toEqual({ ...SETTINGS, mention: 'off' });
  expect(choice).toHaveProperty('value', 'off');
});

test('a choice that could not be saved is replaced by the stored one', async () => {
  const { user } = open('/funnels?dialog=notice-settings', {
    'GET /api/notifications': { notifications: [], unread: 0 },
    'PUT /api/user/notices': () => json({ message: 'Not now.' }, 503),
  });
  const choice = await screen.findByRole('combobox', { name: 'A colleague mentions you' });
  await user.selectOptions(choice, 'Once a day');
  await expectToast('Error', "Couldn't save: Not now.", 'destructive');
  await waitFor(() => expect(choice).toHaveProperty('value', 'now'));
});

test('a reviewer reads and chooses only what concerns a reviewer', async () => {
  const responses = {
    'GET /api/user': { id: 2, username: 'casey', role: 'reviewer', allFunnels: true, funnelIds: [] },
    'GET /api/notifications': { notifications: [], unread: 0 },
  };
  const { user } = open('/funnels?dialog=notices', responses);
  await screen.findByText("You'll see here when a colleague mentions you.");
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await screen.findByRole('combobox', { name: 'A colleague mentions you' });
  expect(screen.getAllByRole('combobox')).toHaveLength(1);
});

test('a test mail shows an administrator whether mail works', async () => {
  const { user } = open('/funnels?dialog=notice-settings', {
    'GET /api/notifications': { notifications: [], unread: 0 },
    'POST /api/mail/test': () => json({ message: "Mail isn't set up.", code: 'not_configured' }, 409),
  });
  await user.type(await screen.findByLabelText('Send a test mail to'), 'ann@example.com');
  await user.click(screen.getByRole('button', { name: 'Send a test' }));
  expect(await screen.findByText("Mail isn't set up.")).toBeTruthy();
});
