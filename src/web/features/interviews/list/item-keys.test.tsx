import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anInterview, findCard, openDashboard, READY } from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json } from '#web/testing/server-edge.ts';

const BEN = { id: 'int-2', title: 'Ben for Nursing' };
const paths = (seen: readonly { method: string; path: string }[]) =>
  seen.filter(({ method }) => method === 'POST').map(({ path }) => path);

test('E, S and D archive, summarize and send the interview that has the focus', async () => {
  const { user, seen } = openDashboard([anInterview(), anInterview({ ...BEN, ...READY })], {
    'POST /api/interviews/int-1/summarize': () => json({ message: 'It is queued.' }, 202),
    'POST /api/interviews/int-1/archive': { message: 'Archived' },
  });
  await findCard();
  await user.keyboard('{ArrowDown}d');
  await expectToast('Convert the video and generate the transcript and summary first.', '', 'warning');
  await user.keyboard('s');
  await expectToast('Summary Generation Started', 'It is queued.');
  await user.keyboard('e');
  await waitFor(() => expect(paths(seen)).toContain('/api/interviews/int-1/archive'));
  // The next one has the focus.
  await user.keyboard('d');
  expect(await screen.findByRole('dialog', { name: 'Set Destination' })).toBeTruthy();
});

test('while interviews are selected, the letters act on all of them', async () => {
  const { user, seen } = openDashboard([anInterview(), anInterview(BEN)], {
    'POST /api/bulk/check': { withDestination: 0 },
  });
  await findCard();
  await user.keyboard('{ArrowDown}x');
  await screen.findByRole('region', { name: '1 selected' });
  await user.keyboard('d');
  const dialog = await screen.findByRole('dialog', { name: 'Set Destination' });
  expect(within(dialog).getByText(/1 interview/)).toBeTruthy();
  expect(paths(seen)).not.toContain('/api/interviews/int-1/destination');
});

test('the bulk bar follows the list in the order of the focus', async () => {
  const { user } = openDashboard([anInterview()]);
  await findCard();
  await user.keyboard('{ArrowDown}x');
  const bar = await screen.findByRole('region', { name: '1 selected' });
  const last = within(screen.getByRole('article')).getAllByRole('button').at(-1);
  last?.focus();
  await user.tab();
  expect(bar.contains(document.activeElement)).toBe(true);
});

test('Down and Enter in the search box move the focus to the first result', async () => {
  const { user } = openDashboard([anInterview()]);
  await findCard();
  for (const key of ['{ArrowDown}', '{Enter}']) {
    await user.click(screen.getByRole('searchbox', { name: 'Search interviews' }));
    await user.keyboard(key);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Play Amara for Nursing' }));
  }
});

test('the order is stored in the address and sent to the server', async () => {
  const { user, lists } = openDashboard([anInterview()]);
  await findCard();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'Oldest unwatched');
  expect(location.search).toBe('?unwatched=1&sort=oldest');
  await waitFor(() => expect(lists().at(-1)?.query.get('sort')).toBe('oldest'));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'Longest first');
  expect(location.search).toBe('?unwatched=1&sort=longest');
  await waitFor(() => expect(lists().at(-1)?.query.get('sort')).toBe('longest'));
});

test('a card shows the name first, the title without it, and the job and the worst badge once', async () => {
  openDashboard([
    anInterview({ title: 'Nursing – Amara Okafor', candidateName: 'Amara Okafor', youtubeStatus: 'failed' }),
  ]);
  const shown = await findCard('Nursing – Amara Okafor');
  const visible = (text: string) => shown.getByText(text, { ignore: '.sr-only, .sr-only *' });
  expect(visible('Amara Okafor').compareDocumentPosition(shown.getByRole('heading'))).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  );
  expect(shown.getByRole('heading').firstChild?.textContent).toBe('Nursing');
  expect(shown.getByTitle('Nursing').className).toContain('sr-only');
  expect(visible('Error').compareDocumentPosition(visible('New'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('the compact list has heads above its columns', async () => {
  openDashboard([anInterview()], {}, '/?layout=compact');
  await findCard();
  for (const head of ['YT', 'Text', 'Sum', 'Dest']) expect(screen.getByText(head)).toBeTruthy();
});

test('a key that is held down acts once', async () => {
  const { user, seen } = openDashboard([anInterview(), anInterview(BEN)], {
    'POST /api/interviews/int-1/archive': { message: 'Archived' },
    'POST /api/interviews/int-2/archive': { message: 'Archived' },
  });
  await findCard();
  await user.keyboard('{ArrowDown}{e>3/}');
  await waitFor(() => expect(paths(seen)).toEqual(['/api/interviews/int-1/archive']));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(paths(seen)).toHaveLength(1);
});

test('Oldest unwatched leaves out what was watched since the page was opened', async () => {
  const { user, lists } = openDashboard([anInterview()]);
  await findCard();
  const before = Date.now();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'Oldest unwatched');
  await waitFor(() => expect(lists().at(-1)?.query.get('sort')).toBe('oldest'));
  expect(Date.parse(lists().at(-1)?.query.get('asOf') ?? '')).toBeGreaterThanOrEqual(before);
});
