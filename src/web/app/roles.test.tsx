import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { API } from '#contracts/api.ts';
import type { Interview } from '#contracts/interviews.ts';
import { hasRole, type Role } from '#contracts/rules/roles.ts';
import { openFunnels } from '#web/features/funnels/testing/open-funnels.ts';
import { anInterview, findCard, openDashboard, READY } from '#web/features/interviews/testing/open-dashboard.ts';
import { aFunnel } from '#web/testing/a-funnel.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json, type SeenRequest } from '#web/testing/server-edge.ts';

const signedIn = (role: Role, funnelIds?: number[]) => ({
  'GET /api/user': {
    id: 1,
    username: 'casey',
    role,
    allFunnels: funnelIds === undefined,
    funnelIds: funnelIds ?? [],
  },
});

/** The calls that the server would have rejected because of the role. */
const deniedIn = (seen: readonly SeenRequest[], role: Role) =>
  seen
    .filter(({ method, path }) =>
      API.some(
        (endpoint) =>
          endpoint.method === method &&
          new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path) &&
          endpoint.role !== 'open' &&
          !hasRole(role, endpoint.role) &&
          !API.some((other) => other.method === method && other.path === path && other !== endpoint),
      ),
    )
    .map(({ method, path }) => `${method} ${path}`);

const openAs = (role: Role, interview: Partial<Interview> = {}, path = '/') =>
  openDashboard([anInterview(interview)], signedIn(role), path);

const namesOf = (role: 'button' | 'menuitem' | 'tab' | 'option') =>
  screen.queryAllByRole(role).map((element) => element.getAttribute('aria-label') ?? element.textContent);

test('a reviewer sees the list without refreshes, steps and system pages', async () => {
  const { user, seen } = openAs('reviewer');
  const card = await findCard();
  expect(card.getByText('Not on YouTube yet.')).toBeTruthy();
  for (const [tab, text] of [
    ['Transcript', 'No transcript yet.'],
    ['Summary', 'No summary yet.'],
    ['Destination', 'No destination yet.'],
  ] as const) {
    await user.click(card.getByRole('tab', { name: tab }));
    expect(card.getByText(text)).toBeTruthy();
  }
  expect(screen.queryByRole('group', { name: 'Refresh' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'System' })).toBeNull();
  await user.click(card.getByRole('button', { name: /^Actions for/ }));
  expect(namesOf('menuitem')).toEqual(['View Questions', 'Copy link', 'Export']);
  expect(deniedIn(seen, 'reviewer')).toEqual([]);
});

test('a reviewer selects interviews only to compare and to export them', async () => {
  const interviews = ['int-1', 'int,2'].map((id) => anInterview({ id, title: `Nurse ${id}` }));
  const { user, seen } = openDashboard(interviews, signedIn('reviewer'));
  for (const box of await screen.findAllByRole('checkbox', { name: /^Select Nurse/ })) await user.click(box);
  const bar = within(await screen.findByRole('region', { name: '2 selected' }));
  expect(
    bar.getAllByRole('button').map((element) => element.getAttribute('aria-label') ?? element.textContent),
  ).toEqual(['Clear selection', 'Compare']);
  expect(bar.getByRole('link', { name: 'Export' })).toBeTruthy();
  await user.keyboard('eds');
  await user.click(bar.getByRole('button', { name: 'Compare' }));
  expect(location.pathname + location.search).toBe('/compare?ids=int-1&ids=int%2C2');
  expect(deniedIn(seen, 'reviewer')).toEqual([]);
});

test('a reviewer sees the results of all steps, and the reason for a failure', async () => {
  const { user } = openAs('reviewer', {
    ...READY,
    summaryStatus: 'failed',
    destinationId: 'BUB-1-2',
    processingStatus: { questions: [], summary: { status: 'failed', updatedAt: '', error: 'No words.' } },
  });
  const card = await findCard();
  expect(card.getByText('No words.')).toBeTruthy();
  expect(card.queryByRole('button', { name: /Generate|Dismiss|Write/ })).toBeNull();
  await user.click(card.getByRole('tab', { name: 'YouTube' }));
  expect(card.getByRole('link', { name: 'View on YouTube' })).toBeTruthy();
  await user.click(card.getByRole('tab', { name: 'Destination' }));
  expect(card.getByRole('link', { name: 'View Application' })).toBeTruthy();
  expect(card.queryByRole('button', { name: 'Update' })).toBeNull();
});

test('the keys of a reviewer change nothing in the list and in the player', async () => {
  const { user, seen } = openDashboard([anInterview()], {
    ...signedIn('reviewer'),
    'GET /api/interviews/int-1/video': { videoUrl: null, videoFile: 'v.mp4', hasLocalCopy: true },
  });
  (await findCard()).getByRole('button', { name: /^Play/ }).focus();
  await user.keyboard('xesd{Control>}a{/Control}');
  await user.keyboard('{Enter}');
  const player = within(await screen.findByRole('dialog', { name: 'Amara for Nursing' }));
  await waitFor(() => expect(document.querySelector('video')).toBeTruthy());
  Object.defineProperty(document.querySelector('video'), 'duration', { value: 99 });
  fireEvent.loadedMetadata(document.querySelector('video') as Element);
  expect(within(player.getByRole('group', { name: 'Actions' })).getAllByRole('button')).toHaveLength(5);
  expect(namesOf('tab')).toEqual(['Transcript', 'Questions', 'Summary', 'Comments']);
  await user.keyboard('esd');
  expect(player.getByText('No summary yet.')).toBeTruthy();
  expect(seen.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a reviewer reads a transcript and cannot edit or regenerate it', async () => {
  const path = '/?dialog=transcript&id=int-1';
  const transcript = { transcriptionText: 'Hello', version: 'a', segments: [] };
  openDashboard(
    [anInterview(READY)],
    { ...signedIn('reviewer'), 'GET /api/interviews/int-1/transcript': transcript },
    path,
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Transcript' }));
  await dialog.findByText('Hello');
  const buttons = dialog.getAllByRole('button').map((button) => button.textContent);
  expect(buttons.filter(Boolean)).toEqual(['Copy', 'Close']);
});

test('a reviewer sees the funnels without actions and their automation', async () => {
  const funnels = [aFunnel({ isActive: false, refreshMinutes: 60 })];
  const reviewer = openFunnels(funnels, signedIn('reviewer', [1]));
  const card = within(await screen.findByRole('article', { name: 'Nursing' }));
  expect(card.queryAllByRole('button')).toEqual([]);
  expect(screen.queryByRole('button', { name: 'Add New Funnel' })).toBeNull();
  expect(deniedIn(reviewer.seen, 'reviewer')).toEqual([]);
});

test.each([
  [[1], 0],
  [undefined, 1],
])('a recruiter who sees the funnels %s edits and activates them, and can add %d', async (funnelIds, added) => {
  openFunnels([aFunnel({ isActive: false })], signedIn('recruiter', funnelIds));
  const card = within(await screen.findByRole('article', { name: 'Nursing' }));
  expect(card.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Edit', 'Set Active']);
  expect(screen.queryAllByRole('button', { name: 'Add New Funnel' })).toHaveLength(added);
});

test('the palette offers the commands that the role allows', async () => {
  const { user } = openDashboard([anInterview()], signedIn('recruiter', [1, 2]));
  await findCard();
  await user.keyboard('{Control>}k{/Control}');
  await waitFor(() => expect(namesOf('option')).toContain('System Logs'));
  expect(namesOf('option')).toContain('Refresh all jobs');
  expect(namesOf('option')).toContain('SupportParcelbird');
  expect(namesOf('option')).not.toContain('Accounts');
  expect(namesOf('option')).not.toContain('Add New Funnel');
});

test('the palette of a reviewer has no refresh, no funnel to activate and no system page', async () => {
  const { user } = openAs('reviewer');
  await findCard();
  await user.keyboard('{Control>}k{/Control}');
  await waitFor(() => expect(namesOf('option')).toContain('Keyboard shortcuts'));
  expect(namesOf('option').filter((name) => /refresh|logs|accounts|support|funnel$/i.test(name ?? ''))).toEqual([]);
});

test('a reviewer sees only the shortcuts that work', async () => {
  openAs('reviewer', {}, '/?dialog=shortcuts');
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  expect(dialog.getByText('Show its summary')).toBeTruthy();
  expect(dialog.getByText('Undo the last decision')).toBeTruthy();
  expect(dialog.getByText('Select the interview')).toBeTruthy();
  expect(dialog.queryByText(/archive|destination|edits/i)).toBeNull();
});

test.each([
  ['reviewer', '/system-logs', 'As a reviewer you can’t open System Logs.'],
  ['recruiter', '/accounts', 'As a recruiter you can’t open Accounts.'],
] as const)('a link of a %s to %s explains itself and leads back', async (role, path, text) => {
  const { user, seen } = openAs(role, {}, path);
  await screen.findByRole('heading', { name: 'No access' });
  expect(document.body.textContent).toContain(text.replace('’', "'"));
  expect(deniedIn(seen, role)).toEqual([]);
  await user.click(screen.getByRole('link', { name: 'Go to the dashboard' }));
  await findCard();
});

test('a link to a dialog that the role cannot use opens the page with a message', async () => {
  openAs('reviewer', READY, '/?dialog=destination&id=int-1');
  await expectToast('No access', "Your account can't do this. If you need it, ask an administrator.", 'warning');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(location.search).toBe('');
});

test('a rejected call of a demoted recruiter updates the screen', async () => {
  let role: Role = 'recruiter';
  const { user } = openDashboard([anInterview()], {
    'GET /api/user': () => signedIn(role)['GET /api/user'],
    'POST /api/interviews/int-1/transcribe': () => {
      role = 'reviewer';
      return json({ message: 'This needs the role recruiter.', code: 'forbidden' }, 403);
    },
  });
  const card = await findCard();
  expect(screen.getByRole('group', { name: 'Refresh' })).toBeTruthy();
  await user.click(card.getByRole('tab', { name: 'Transcript' }));
  await user.click(card.getByRole('button', { name: 'Generate Transcript' }));
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Refresh' })).toBeNull());
  expect((await findCard()).getByText('No transcript yet.')).toBeTruthy();
  await expectToast('Your access has changed');
  expect(screen.getByRole('button', { name: /casey\s*Reviewer/ })).toBeTruthy();
});

test('a reviewer without funnels sees whom to ask', async () => {
  openDashboard([], { ...signedIn('reviewer', []), 'GET /api/funnels': [], 'GET /api/funnels/active': null });
  await screen.findByText("You don't see any funnels yet. Ask an administrator to add them to your account.");
});

test('the player of a reviewer opens at the play button, so that the space bar plays', async () => {
  const { user } = openDashboard([anInterview()], {
    ...signedIn('reviewer'),
    'GET /api/interviews/int-1/video': { videoUrl: null, videoFile: 'v.mp4', hasLocalCopy: true },
  });
  await user.click((await findCard()).getByRole('button', { name: /^Play/ }));
  await waitFor(() => expect(document.querySelector('video')).toBeTruthy());
  await waitFor(() => expect(document.activeElement?.getAttribute('title')).toBe('Play (K or Space)'));
});
