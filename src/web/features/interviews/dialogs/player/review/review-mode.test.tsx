import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Interview } from '#contracts/interviews.ts';
import type { Review } from '#contracts/reviews.ts';
import { anInterview, openDashboard, READY } from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import type { SeenRequest } from '#web/testing/server-edge.ts';

const VIDEO = { videoUrl: null, videoFile: 'v.mp4', hasLocalCopy: true, candidateName: null, candidateEmail: null };
const candidate = (n: number, part: Partial<Interview> = {}) =>
  anInterview({ id: `iv-${n}`, interviewId: `iv-${n}`, title: `Candidate ${n}`, ...part });

/**
 * A dashboard over `count` interviews in pages of ten. Archived ones leave the list, and further
 * pages arrive, once `isReady` resolves.
 */
function openList(
  count: number,
  path: string,
  part: Partial<Interview> = {},
  isReady?: Promise<void>,
  more: object = {},
) {
  let all = Array.from({ length: count }, (_, index) => candidate(index + 1, part));
  const pageOf = async ({ query }: SeenRequest) => {
    const from = (Number(query.get('page') ?? 1) - 1) * 10;
    if (from > 0) await isReady;
    return { interviews: all.slice(from, from + 10), total: all.length };
  };
  const responses = Object.fromEntries(
    all.flatMap((interview) => [
      [`GET /api/interviews/${interview.id}/video`, VIDEO],
      [`GET /api/interviews/${interview.id}`, interview],
      [`POST /api/interviews/${interview.id}/watched`, { message: 'Marked as watched' }],
      [`DELETE /api/interviews/${interview.id}/watched`, { message: 'Marked as unwatched' }],
      [
        `POST /api/interviews/${interview.id}/archive`,
        async () => {
          await isReady;
          all = all.filter(({ id }) => id !== interview.id);
          return { message: 'Archived' };
        },
      ],
      [
        `POST /api/interviews/${interview.id}/unarchive`,
        () => {
          all = [interview, ...all];
          return { message: 'Restored' };
        },
      ],
    ]),
  );
  return openDashboard(
    [],
    { ...responses, ...more, 'GET /api/interviews': pageOf, 'GET /api/review': { seconds: 3_690 } },
    path,
  );
}

const shown = (title: string) => screen.findByRole('dialog', { name: title });
const place = () => within(screen.getByRole('dialog')).getByText(/^\d+ of \d+$/).textContent;
const params = () => new URLSearchParams(location.search);

test('N and P go through the list in its order, across pages, and the address follows', async () => {
  const { user } = openList(12, '/?interview=iv-9');
  await shown('Candidate 9');
  expect(await screen.findByText('9 of 12')).toBeTruthy();
  await user.keyboard('n');
  await shown('Candidate 10');
  await user.keyboard('n');
  await shown('Candidate 11');
  await waitFor(() => expect(place()).toBe('11 of 12'));
  expect([params().get('interview'), params().get('page')]).toEqual(['iv-11', '2']);
  await user.keyboard('n');
  await shown('Candidate 12');
  await user.keyboard('p');
  await shown('Candidate 11');
  await user.keyboard('p');
  await shown('Candidate 10');
  await waitFor(() => expect(place()).toBe('10 of 12'));
  expect([params().get('interview'), params().get('page')]).toEqual(['iv-10', null]);
});

test('the player shows how long the rest of the list takes at the chosen speed', async () => {
  const { user, seen } = openList(12, '/?status=new&interview=iv-3');
  await screen.findByText('1 h 2 min left');
  const asked = seen.find(({ path, query }) => path === '/api/review' && query.has('skip'))?.query;
  expect([asked?.get('skip'), asked?.get('status')]).toEqual(['2', 'new']);
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Speed' }), '1.5×');
  expect(screen.getByText('41 min left')).toBeTruthy();
});

test('what is left to watch follows the order of the list', async () => {
  const { seen } = openList(3, '/?sort=oldest&interview=iv-2');
  await screen.findByText('1 h 2 min left');
  const asked = seen.filter(({ path, query }) => path === '/api/review' && query.has('skip'));
  expect(asked.map(({ query }) => query.get('sort'))).toEqual(['oldest']);
});

test('the data of the next interview is requested in advance, without playing or reading it', async () => {
  const { seen } = openList(12, '/?interview=iv-9');
  await screen.findByText('9 of 12');
  await waitFor(() => {
    const paths = seen.map(({ path, query }) => `${path} ${query.get('page') ?? ''}`.trim());
    expect(paths).toContain('/api/interviews/iv-10/video');
    expect(paths).toContain('/api/interviews/iv-10/answers');
    expect(paths).toContain('/api/interviews 2');
  });
  // The server records these as viewings.
  const viewed = seen.filter(({ path }) => /iv-10\/(transcript|played)/.test(path));
  expect(viewed).toEqual([]);
});

test('E archives and continues with the next interview, and U undoes it', async () => {
  const { user, seen } = openList(12, '/?interview=iv-10');
  await screen.findByText('10 of 12');
  await user.keyboard('e');
  await shown('Candidate 11');
  await expectToast('Interview Archived', '"Candidate 10" will not be updated on future syncs.');
  await waitFor(() => expect(place()).toBe('10 of 11'));
  await user.keyboard('e');
  await shown('Candidate 12');
  await waitFor(() => expect(place()).toBe('10 of 10'));
  await user.keyboard('u');
  await expectToast('Interview Restored', '"Candidate 11" is back in the list.');
  const posts = seen.filter(({ method, path }) => method === 'POST' && !path.endsWith('/watched'));
  expect(posts.map(({ path }) => path)).toEqual([
    '/api/interviews/iv-10/archive',
    '/api/interviews/iv-11/archive',
    '/api/interviews/iv-11/unarchive',
  ]);
});

test('N right after E waits for the server, which lists the archived interview until it has responded', async () => {
  const isReady = Promise.withResolvers<void>();
  const { user } = openList(12, '/?interview=iv-9', {}, isReady.promise);
  await screen.findByText('9 of 12');
  await user.keyboard('e');
  await shown('Candidate 10');
  await user.keyboard('n');
  isReady.resolve();
  await shown('Candidate 11');
  await waitFor(() => expect(place()).toBe('10 of 11'));
});

test('a second E while the next interview is read archives nothing, and a closed player stays closed', async () => {
  const isReady = Promise.withResolvers<void>();
  const { user, seen } = openList(12, '/?interview=iv-9', {}, isReady.promise);
  await screen.findByText('9 of 12');
  await user.keyboard('e');
  await shown('Candidate 10');
  await user.keyboard('ee{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  isReady.resolve();
  await expectToast('Interview Archived', '"Candidate 10" will not be updated on future syncs.');
  expect(seen.filter(({ path }) => path === '/api/interviews/iv-10/archive')).toHaveLength(1);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('E that is held down archives one interview only', async () => {
  const { user, seen } = openList(12, '/?interview=iv-10');
  await screen.findByText('10 of 12');
  await user.keyboard('e');
  await shown('Candidate 11');
  for (const _ of [1, 2, 3]) fireEvent.keyDown(document.activeElement as Element, { key: 'e', repeat: true });
  await waitFor(() => expect(place()).toBe('10 of 11'));
  expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true);
  expect(seen.filter(({ path }) => path.endsWith('/archive'))).toHaveLength(1);
});

/** Requests that mark interviews as watched or unwatched. */
const marksOf = (seen: readonly SeenRequest[]) =>
  seen.filter(({ path }) => path.endsWith('/watched')).map(({ method, path }) => `${method} ${path.split('/').at(-2)}`);

test('Done marks an interview as watched and continues, the arrows only continue', async () => {
  const { user, seen } = openList(3, '/?interview=iv-1');
  await screen.findByText('1 of 3');
  await user.click(screen.getByRole('button', { name: 'Next interview' }));
  await shown('Candidate 2');
  await user.click(screen.getByRole('button', { name: 'Done' }));
  await shown('Candidate 3');
  await expectToast('Reviewed', '"Candidate 2" is marked as watched.');
  expect(marksOf(seen)).toEqual(['POST iv-2']);
});

test('U and Z undo Done one interview after the other, and show it again', async () => {
  const { user, seen } = openList(3, '/?interview=iv-1');
  await screen.findByText('1 of 3');
  await user.keyboard('n');
  await shown('Candidate 2');
  await user.keyboard('n');
  await shown('Candidate 3');
  await user.keyboard('z');
  await shown('Candidate 2');
  await expectToast('Undone', '"Candidate 2" is back in the review.');
  await user.keyboard('u');
  await shown('Candidate 1');
  await waitFor(() => expect(marksOf(seen)).toEqual(['POST iv-1', 'POST iv-2', 'DELETE iv-2', 'DELETE iv-1']));
});

test('Undo of Done keeps the mark of an interview that was watched before', async () => {
  const { user, seen } = openList(2, '/?interview=iv-1', { watched: true });
  await screen.findByText('1 of 2');
  await user.keyboard('n');
  await shown('Candidate 2');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await shown('Candidate 1');
  expect(marksOf(seen)).toEqual([]);
});

test('after the last interview the review shows its results, Undo returns to it, and a button opens the list', async () => {
  const { user, seen } = openList(3, '/?interview=iv-1', READY);
  await screen.findByText('1 of 3');
  await user.keyboard('n');
  await shown('Candidate 2');
  await user.keyboard('e');
  await shown('Candidate 3');
  await waitFor(() => expect(place()).toBe('2 of 2'));
  await user.keyboard('n');
  expect(await screen.findByText('3 reviewed · 1 archived · 2 to send')).toBeTruthy();
  expect(document.querySelector('video')).toBeNull();
  // Nothing is left to decide on.
  await user.keyboard('ned');
  await user.keyboard('u');
  await waitFor(() => expect(place()).toBe('2 of 2'));
  await user.keyboard('n');
  await user.click(await screen.findByRole('button', { name: 'Back to the list' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(params().has('interview')).toBe(false);
  expect(marksOf(seen)).toEqual(['POST iv-1', 'POST iv-2', 'POST iv-3', 'DELETE iv-3', 'POST iv-3']);
});

test('after the last interview E ends the review, and Undo in the toast restores the interview in it', async () => {
  const { user, seen } = openList(1, '/?interview=iv-1');
  await screen.findByText('1 of 1');
  await user.keyboard('e');
  expect(await screen.findByText('1 reviewed · 1 archived')).toBeTruthy();
  await expectToast('Interview Archived', '"Candidate 1" will not be updated on future syncs.');
  await user.click(screen.getAllByRole('button', { name: 'Undo' }).at(-1) as HTMLElement);
  await waitFor(() => expect(place()).toBe('1 of 1'));
  expect(marksOf(seen)).toEqual(['POST iv-1', 'DELETE iv-1']);
});

test('the head shows badge, job, client and date, and the menu can mark the interview as unwatched', async () => {
  const { user, seen } = openList(1, '/?interview=iv-1', { watched: true });
  const dialog = within(await shown('Candidate 1'));
  expect(dialog.getByText('New')).toBeTruthy();
  expect(await dialog.findByText('Nursing · St. Hedwig · Recorded: March 5, 2026')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Mark as unwatched' }));
  await expectToast('Marked as unwatched');
  expect(marksOf(seen)).toEqual(['DELETE iv-1']);
});

test('a link to an interview outside the page opens it, and N starts with the list', async () => {
  const { user } = openList(12, '/?interview=iv-12');
  await shown('Candidate 12');
  expect(screen.queryByText(/^\d+ of 12$/)).toBeNull();
  await user.keyboard('n');
  await shown('Candidate 1');
});

test('D opens the destination above the player once the interview is ready, S starts the summary', async () => {
  const { user, seen } = openList(2, '/?interview=iv-1');
  await screen.findByText('1 of 2');
  await user.keyboard('d');
  await expectToast('Convert the video and generate the transcript and summary first.', '', 'warning');
  await user.keyboard('s');
  await waitFor(() => expect(seen.map(({ path }) => path)).toContain('/api/interviews/iv-1/summarize'));
});

test('Escape in the destination dialog returns to the player', async () => {
  const { user } = openList(2, '/?interview=iv-1', READY);
  await screen.findByText('1 of 2');
  await user.keyboard('d');
  await shown('Set Destination');
  screen.getByRole('tab', { name: 'Application Details' }).focus();
  await user.keyboard('n{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Set Destination' })).toBeNull());
  expect(place()).toBe('1 of 2');
});

test('a link can start the video at a moment, and the next interview starts at its beginning', async () => {
  const { user } = openList(2, '/?interview=iv-1&at=42.5');
  await screen.findByText('1 of 2');
  const player = async () => {
    await waitFor(() => expect(document.querySelector('video')).toBeTruthy());
    return document.querySelector('video') as HTMLVideoElement;
  };
  const first = await player();
  fireEvent.loadedMetadata(first);
  expect(first.currentTime).toBe(42.5);
  await user.keyboard('n');
  await shown('Candidate 2');
  await waitFor(() => expect(document.querySelector('video')).not.toBe(first));
  const second = await player();
  fireEvent.loadedMetadata(second);
  expect(second.currentTime).toBe(0);
});

test('X, Y and T review with a recommendation alone and continue; the end lists them, and U undoes them', async () => {
  const saved = ({ body }: SeenRequest) => aReview(body as Partial<Review['content']>);
  const { user, seen } = openList(3, '/?interview=iv-1', { candidateName: null }, undefined, {
    ...Object.fromEntries([1, 2, 3].map((n) => [`PUT /api/interviews/iv-${n}/review`, saved])),
    'DELETE /api/interviews/iv-2/review': { message: 'Review undone' },
  });
  const reviews = () =>
    seen
      .filter(({ path, method }) => path.endsWith('/review') && method !== 'GET')
      .map(({ method, path, body }) => [method, path.split('/').at(-2), body ?? null]);
  await screen.findByText('1 of 3');
  await user.keyboard('x');
  await shown('Candidate 2');
  await expectToast('Reviewed: No', '"Candidate 1" is marked as watched.');
  await user.keyboard('y');
  await shown('Candidate 3');
  await user.keyboard('u');
  await shown('Candidate 2');
  await waitFor(() => expect(reviews().at(-1)).toEqual(['DELETE', 'iv-2', null]));
  await user.keyboard('t');
  await shown('Candidate 3');
  await user.click(screen.getByRole('button', { name: 'Yes' }));
  const decided = within(await screen.findByRole('list', { name: 'My reviews' }));
  expect(decided.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Candidate 1No',
    'Candidate 2Strong yes',
    'Candidate 3Yes',
  ]);
  expect(reviews()).toEqual([
    ['PUT', 'iv-1', { recommendation: 2, submit: true }],
    ['PUT', 'iv-2', { recommendation: 3, submit: true }],
    ['DELETE', 'iv-2', null],
    ['PUT', 'iv-2', { recommendation: 4, submit: true }],
    ['PUT', 'iv-3', { recommendation: 3, submit: true }],
  ]);
});

const aReview = (content: Partial<Review['content']>): Review => ({
  author: 'admin',
  submittedAt: '2026-03-05T12:00:00.000Z',
  afterReading: false,
  content: { criteria: [], ratings: {}, recommendation: 3, note: '', firstRatings: {}, ...content },
});

test('Undo of a decision restores the one before it', async () => {
  const { user, seen } = openList(2, '/?interview=iv-1', { myRecommendation: 4 }, undefined, {
    'PUT /api/interviews/iv-1/review': ({ body }: SeenRequest) => aReview(body as Partial<Review['content']>),
  });
  await screen.findByText('1 of 2');
  expect(screen.getByRole('button', { name: 'Strong yes' }).getAttribute('aria-pressed')).toBe('true');
  await user.keyboard('x');
  await shown('Candidate 2');
  await user.keyboard('z');
  await shown('Candidate 1');
  const sent = () => seen.filter(({ method, path }) => method === 'PUT' && path.endsWith('/review'));
  await waitFor(() =>
    expect(sent().map(({ body }) => (body as { recommendation: number }).recommendation)).toEqual([2, 4]),
  );
});
