import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json } from '#web/testing/server-edge.ts';
import { anInterview, card, findCard, openDashboard } from './testing/open-dashboard.ts';

const VIDEO = { videoUrl: null, videoFile: 'v.mp4', hasLocalCopy: true, candidateName: null, candidateEmail: null };
const REVIEW = { unwatched: 15, withoutTranscript: null, seconds: null };

const player = async () => {
  await waitFor(() => expect(document.querySelector('video')).toBeTruthy());
  return document.querySelector('video') as HTMLVideoElement;
};

function playTo(video: HTMLVideoElement, seconds: number) {
  Object.defineProperty(video, 'duration', { value: 100, configurable: true });
  video.currentTime = seconds;
  fireEvent.timeUpdate(video);
}

test('an interview is marked as watched once, after nine tenths of it', async () => {
  const { user, seen } = openDashboard(
    [anInterview()],
    {
      'GET /api/interviews/int-1/video': VIDEO,
      'POST /api/interviews/int-1/watched': { message: 'Marked as watched' },
    },
    '/?interview=int-1',
  );
  const video = await player();
  const marks = () => seen.filter(({ path }) => path.endsWith('/watched'));
  playTo(video, 89);
  // A request would have been sent.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(marks()).toEqual([]);
  for (const seconds of [90, 91, 95]) playTo(video, seconds);
  await waitFor(() => expect(marks()).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(await card().findByText('Watched')).toBeTruthy();
});

test('an interview that is archived in the player counts as watched', async () => {
  const { user, seen } = openDashboard(
    [anInterview()],
    {
      'GET /api/interviews/int-1/video': VIDEO,
      'POST /api/interviews/int-1/watched': { message: 'Marked as watched' },
      'POST /api/interviews/int-1/archive': { message: 'Archived' },
    },
    '/?interview=int-1',
  );
  await screen.findByText('1 of 1');
  await user.keyboard('e');
  await waitFor(() =>
    expect(seen.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      '/api/interviews/int-1/watched',
      '/api/interviews/int-1/archive',
    ]),
  );
});

test('Review 15 unwatched opens the player on the unwatched interviews, and the filter ends when it closes', async () => {
  const { user, seen, lists } = openDashboard(
    [anInterview()],
    { 'GET /api/review': REVIEW, 'GET /api/interviews/int-1/video': VIDEO },
    '/?status=new',
  );
  await user.click(await screen.findByRole('button', { name: 'Review 15 unwatched' }));
  await player();
  expect(location.search).toBe('?status=new&interview=int-1&review=1');
  const { query } = lists().at(-1) ?? {};
  expect([query?.get('unwatched'), query?.get('status')]).toEqual(['1', 'new']);
  expect(Date.parse(query?.get('asOf') ?? '')).toBeGreaterThan(Date.now() - 60_000);
  expect(seen.find(({ path }) => path === '/api/review')?.query.get('status')).toBe('new');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(location.search).toBe('?status=new'));
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Unwatched' }).getAttribute('aria-pressed')).toBe('false'),
  );
});

test('the menu of a watched interview marks it as unwatched', async () => {
  const { user, seen } = openDashboard([anInterview({ watched: true })], {
    'DELETE /api/interviews/int-1/watched': { message: 'Marked as unwatched' },
  });
  await user.click((await findCard()).getByRole('button', { name: /^Actions for/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Mark as unwatched' }));
  await expectToast('Marked as unwatched');
  expect(seen.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

test('a review that cannot start shows why, and can be tried again', async () => {
  let isDown = true;
  const { user, lists } = openDashboard([anInterview()], {
    'GET /api/review': REVIEW,
    'GET /api/interviews/int-1/video': VIDEO,
    'GET /api/interviews': ({ query }) =>
      isDown && query.has('unwatched')
        ? json({ message: 'The database is unavailable.' }, 503)
        : { interviews: [anInterview()], total: 1 },
  });
  const button = await screen.findByRole('button', { name: 'Review 15 unwatched' });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await user.click(button);
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
  // Reads of the list are tried four times.
  await act(() => vi.advanceTimersByTimeAsync(4_000));
  vi.useRealTimers();
  await expectToast('Error', "Couldn't start the review: The database is unavailable.", 'destructive');
  expect(lists().filter(({ query }) => query.has('unwatched'))).toHaveLength(4);
  isDown = false;
  await user.click(button);
  await player();
});

test('the filter Unwatched is part of the address and is cleared with the others', async () => {
  const { user } = openDashboard([anInterview({ watched: true })]);
  expect((await findCard()).getByText('Watched')).toBeTruthy();
  const toggle = screen.getByRole('button', { name: 'Unwatched' });
  await user.click(toggle);
  await waitFor(() => expect(location.search).toBe('?unwatched=1'));
  expect(toggle.getAttribute('aria-pressed')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(location.search).toBe(''));
});

test('the button to review is hidden when everything is watched', async () => {
  openDashboard([anInterview()]);
  await findCard();
  expect(screen.queryByRole('button', { name: /^Review/ })).toBeNull();
});

test('a search shows the line where it matched, and a click plays it with the words in the panel', async () => {
  const segments = [
    { startSeconds: 0, endSeconds: 3, text: 'Hello.' },
    { startSeconds: 3, endSeconds: 6, text: 'A browser test of the checkout.' },
  ];
  const match = { field: 'transcript', text: 'A browser test of the checkout.', startSeconds: 3.0412 } as const;
  const { user } = openDashboard(
    [anInterview({ match, transcriptionStatus: 'completed' })],
    {
      'GET /api/interviews/int-1/video': VIDEO,
      'GET /api/interviews/int-1/transcript': { transcriptionText: 'Hello.', source: 'transcription', segments },
      'GET /api/review': { ...REVIEW, withoutTranscript: 12 },
    },
    '/?search=checkout+browser',
  );
  const line = (await findCard()).getByRole('button', { name: /A browser test of the checkout/ });
  expect([...line.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['browser', 'checkout']);
  expect(await screen.findByText("Speech isn't searchable in 12 interviews without a transcript.")).toBeTruthy();
  await user.click(line);
  const video = await player();
  fireEvent.loadedMetadata(video);
  expect([video.currentTime, new URLSearchParams(location.search).get('at')]).toEqual([3, '3']);
  const panel = within(await screen.findByRole('region', { name: 'Transcript' }));
  expect(panel.getByRole('searchbox')).toHaveProperty('value', 'checkout browser');
  expect(panel.getByRole('status').textContent).toBe('1 of 1');
});

test('the compact layout shows the match and the watched mark as well', async () => {
  const match = { field: 'summary', text: 'Knows every browser.', startSeconds: null } as const;
  openDashboard([anInterview({ match, watched: true })], {}, '/?search=browser&layout=compact');
  const row = await findCard();
  expect(row.getByRole('button', { name: /Knows every/ })).toBeTruthy();
  expect(row.getAllByText('Watched').length).toBeGreaterThan(0);
});

test('the filter by the own review and its views ask for it, and a card shows the own decision', async () => {
  const { user, lists } = openDashboard([anInterview({ myRecommendation: 4 })]);
  expect((await findCard()).getByText('My review: Strong yes')).toBeTruthy();
  const filter = screen.getByRole('combobox', { name: 'My review' });
  await user.selectOptions(filter, 'My review missing');
  await waitFor(() => expect(lists().at(-1)?.query.get('unreviewed')).toBe('1'));
  expect(lists().at(-1)?.query.has('asOf')).toBe(true);
  expect(location.search).toBe('?unreviewed=1');
  await user.click(screen.getByRole('button', { name: 'Views: My review missing' }));
  await user.click(await screen.findByRole('menuitem', { name: 'My yes' }));
  await waitFor(() => expect(lists().at(-1)?.query.get('decision')).toBe('yes'));
  expect(lists().at(-1)?.query.has('unreviewed')).toBe(false);
});
