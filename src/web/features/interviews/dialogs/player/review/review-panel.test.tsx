import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { InterviewReviews, Review } from '#contracts/reviews.ts';
import { anInterview, openDashboard, sendLive } from '#web/features/interviews/testing/open-dashboard.ts';
import { openDialog } from '#web/lib/use-dialog.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import { json, type SeenRequest } from '#web/testing/server-edge.ts';

const CRITERIA = [{ key: 'care', label: 'Care', low: 'Rushes', middle: 'Listens', high: 'Explains' }];
const VIDEO = { videoUrl: null, videoFile: 'v.mp4', hasLocalCopy: true, candidateName: null, candidateEmail: null };
const aReview = (author: string, content: Partial<Review['content']>) => ({
  ...{ author, submittedAt: '2026-03-05T12:00:00.000Z', afterReading: false },
  content: { criteria: CRITERIA, ratings: {}, recommendation: 3, note: '', firstRatings: {}, ...content },
});

test("a draft is saved automatically; submitting the review reveals colleagues' reviews and the average", async () => {
  const ann = aReview('ann', { ratings: { care: 5 }, recommendation: 4, note: 'Calm.' });
  let reviews: InterviewReviews = { mine: null, others: [{ ...ann, content: null }], count: 1, average: null };
  const save = ({ body }: SeenRequest) => {
    const { submit, ...content } = body as { submit: boolean };
    const mine = aReview('admin', content);
    if (!submit) return { ...mine, submittedAt: null };
    reviews = { mine, others: [ann], count: 1, average: { ratings: { care: 4.5 }, count: 2 } };
    return mine;
  };
  const { user, seen } = openDashboard(
    [anInterview()],
    {
      'GET /api/interviews/int-1/video': VIDEO,
      'GET /api/interviews/int-1/reviews': () => reviews,
      'GET /api/funnels/1/scorecard': { criteria: CRITERIA },
      'PUT /api/interviews/int-1/review': save,
    },
    '/?interview=int-1',
  );
  const sent = () => seen.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  await waitFor(() => expect(document.querySelector('video')).toBeTruthy());
  await user.click(screen.getByRole('button', { name: 'Review with scorecard' }));
  const form = within(await screen.findByRole('form', { name: 'My review' }));
  expect(screen.getByText('1 colleague has reviewed')).toBeTruthy();
  await user.click(within(form.getByRole('group', { name: 'Care' })).getByRole('radio', { name: '4' }));
  await waitFor(
    () => expect(sent()).toEqual([{ ratings: { care: 4 }, recommendation: null, note: '', submit: false }]),
    {
      timeout: 3_000,
    },
  );
  expect(screen.queryByText('Calm.')).toBeNull();
  await user.click(form.getByRole('radio', { name: 'Yes' }));
  await user.click(form.getByRole('button', { name: 'Submit review' }));
  await expectToast('Review submitted');
  expect(sent().at(-1)).toEqual({ ratings: { care: 4 }, recommendation: 3, note: '', submit: true });
  expect(await screen.findByText('Calm.')).toBeTruthy();
  expect(screen.getByText('Average of 2 independent reviews: Care 4.5')).toBeTruthy();
});

const NO_REVIEWS = { mine: null, others: [], count: 0, average: null };
const never = new Promise<never>(() => {});

/** Responds to the first read of the reviews only, like a server that is slow afterwards. */
function readOnce() {
  let isRead = false;
  return () => {
    if (isRead) return never;
    isRead = true;
    return NO_REVIEWS;
  };
}

/** Two unwatched interviews with a scorecard of two criteria. */
function openTwo(path: string) {
  const two = [1, 2].map((n) => anInterview({ id: `iv-${n}`, interviewId: `iv-${n}`, title: `Candidate ${n}` }));
  const criteria = [...CRITERIA, { key: 'speed', label: 'Speed', low: '', middle: '', high: '' }];
  const served = two.flatMap(({ id }) => [
    [`GET /api/interviews/${id}/video`, VIDEO],
    [`GET /api/interviews/${id}/reviews`, readOnce()],
    [
      `PUT /api/interviews/${id}/review`,
      ({ body }: SeenRequest) => aReview('admin', body as Partial<Review['content']>),
    ],
    [`POST /api/interviews/${id}/watched`, { message: 'Marked as watched' }],
  ]);
  const responses = { ...Object.fromEntries(served), 'GET /api/funnels/1/scorecard': { criteria } };
  const { user, seen } = openDashboard(two, responses, path);
  /** Merges like the server: omitted fields keep their value. */
  const storedReview = (id: string) =>
    Object.assign(
      {},
      ...seen.filter(({ method, path }) => method === 'PUT' && path.includes(id)).map(({ body }) => body),
    );
  return { user, storedReview };
}

test('the keyboard alone is enough: R focuses the first criterion, digits rate, Y submits and continues', async () => {
  const { user, storedReview } = openTwo('/?interview=iv-1');
  await screen.findByText('1 of 2');
  await user.keyboard('r');
  const focused = () => document.activeElement?.closest('fieldset')?.querySelector('legend')?.textContent;
  await waitFor(() => expect(focused()).toBe('Care'));
  await user.keyboard('4');
  await user.tab();
  expect(focused()).toBe('Speed');
  await user.keyboard('5y');
  await screen.findByRole('dialog', { name: 'Candidate 2' });
  await waitFor(() => expect(focused()).toBe('Care'));
  await user.keyboard('2x');
  await screen.findByText('2 reviewed');
  const submitted = (ratings: object, recommendation: number) => ({ ratings, recommendation, note: '', submit: true });
  await waitFor(() => expect(storedReview('iv-1')).toEqual(submitted({ care: 4, speed: 5 }, 3)));
  await waitFor(() => expect(storedReview('iv-2')).toEqual(submitted({ care: 2 }, 2)));
});

test('a quick decision is not undone by an earlier draft', async () => {
  const { user, storedReview } = openTwo('/?interview=iv-1&scorecard=1');
  const form = within(await screen.findByRole('form', { name: 'My review' }));
  await user.click(form.getByRole('radio', { name: 'Strong no' }));
  await user.type(form.getByRole('textbox', { name: 'Note' }), 'Calm.');
  await user.click(screen.getByRole('button', { name: 'Yes' }));
  await screen.findByRole('dialog', { name: 'Candidate 2' });
  // Longer than a draft waits.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(storedReview('iv-1')).toEqual({ ratings: {}, recommendation: 3, note: 'Calm.', submit: true });
});

test('a quick decision and its ratings are shown when the scorecard opens again, before the server responds', async () => {
  const { user } = openTwo('/?interview=iv-1&scorecard=1');
  const findForm = async () => within(await screen.findByRole('form', { name: 'My review' }));
  await user.click(within((await findForm()).getByRole('group', { name: 'Care' })).getByRole('radio', { name: '4' }));
  await user.keyboard('y');
  await screen.findByRole('dialog', { name: 'Candidate 2' });
  await findForm();
  await user.keyboard('p');
  await screen.findByRole('dialog', { name: 'Candidate 1' });
  const form = await findForm();
  expect(form.getByText('Submitted')).toBeTruthy();
  expect(form.getByRole('radio', { name: '4', checked: true })).toBeTruthy();
  expect(form.getByRole('radio', { name: 'Yes', checked: true })).toBeTruthy();
});

test('a review that is being written stays when the reviews cannot be read again', async () => {
  let isDown = false;
  const { user, seen } = openDashboard(
    [anInterview()],
    {
      'GET /api/interviews/int-1/video': VIDEO,
      'GET /api/interviews/int-1/reviews': () =>
        isDown
          ? json({ message: 'Not now.' }, 503)
          : { mine: aReview('dana', { note: 'Calm' }), others: [], count: 0, average: null },
      'GET /api/funnels/1/scorecard': { criteria: CRITERIA },
    },
    '/?interview=int-1&scorecard=1',
  );
  const note = within(await screen.findByRole('form', { name: 'My review' })).getByRole('textbox', { name: 'Note' });
  await user.type(note, ' and clear');
  isDown = true;
  const reads = () => seen.filter(({ path }) => path.endsWith('/reviews')).length;
  const before = reads();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await sendLive({ type: 'reviews-changed', data: { interviewId: 'int-1' } });
  await waitFor(() => expect(reads()).toBe(before + 1));
  // Reads are tried four times.
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(reads()).toBe(before + 4);
  expect(note.isConnected).toBe(true);
  expect(note).toHaveProperty('value', 'Calm and clear');
});

test('a click on Submit review while the draft is being saved submits after it', async () => {
  const draft = Promise.withResolvers<object>();
  const { user, seen } = openDashboard(
    [anInterview()],
    {
      'GET /api/interviews/int-1/video': VIDEO,
      'GET /api/interviews/int-1/reviews': { mine: null, others: [], count: 0, average: null },
      'GET /api/funnels/1/scorecard': { criteria: CRITERIA },
      'PUT /api/interviews/int-1/review': ({ body }) =>
        (body as { submit: boolean }).submit ? aReview('dana', {}) : draft.promise,
    },
    '/?interview=int-1&scorecard=1',
  );
  const sent = () =>
    seen.filter(({ method }) => method === 'PUT').map(({ body }) => (body as { submit: boolean }).submit);
  const form = within(await screen.findByRole('form', { name: 'My review' }));
  await user.click(form.getByRole('radio', { name: 'Yes' }));
  await waitFor(() => expect(sent()).toEqual([false]));
  await user.click(form.getByRole('button', { name: 'Submit review' }));
  draft.resolve(aReview('dana', {}));
  await expectToast('Review submitted');
  expect(sent()).toEqual([false, true]);
});

/** Opens the scorecard of an interview whose review cannot be saved while `isDown` returns true. */
function openFailing(
  mine: Review | null,
  isDown: () => boolean | Promise<boolean>,
  { myRecommendation = null, reads }: { myRecommendation?: number | null; reads?: () => object } = {},
) {
  let stored = mine;
  const { user, seen } = openDashboard(
    [anInterview({ myRecommendation })],
    {
      'GET /api/interviews/int-1/video': VIDEO,
      'GET /api/interviews/int-1/reviews': reads ?? (() => ({ ...NO_REVIEWS, mine: stored })),
      'GET /api/funnels/1/scorecard': { criteria: CRITERIA },
      'PUT /api/interviews/int-1/review': async ({ body }) => {
        if (await isDown()) return json({ message: 'Not now.' }, 503);
        stored = { ...aReview('dana', body as object), submittedAt: null };
        return stored;
      },
    },
    '/?interview=int-1&scorecard=1',
  );
  const findNote = async () =>
    within(await screen.findByRole('form', { name: 'My review' })).getByRole('textbox', { name: 'Note' });
  const close = async () => {
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('form', { name: 'My review' })).toBeNull());
  };
  const reopen = () => act(() => openDialog({ name: 'video', id: 'int-1', scorecard: true }));
  return { user, seen, findNote, close, reopen };
}

const keptDrafts = () => Object.keys(sessionStorage).filter((key) => key.startsWith('draft '));

test('a draft that could not be saved when the player closed is saved when it opens again', async () => {
  let isDown = true;
  const { user, seen, findNote, close, reopen } = openFailing(null, () => isDown);
  await user.type(await findNote(), 'Calm');
  await close();
  await expectToast('Error', 'Failed to save the review: Not now.', 'destructive');
  isDown = false;
  const drafts = () => seen.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  const before = drafts().length;
  reopen();
  expect(await findNote()).toHaveProperty('value', 'Calm');
  await waitFor(() => expect(drafts().length).toBeGreaterThan(before));
  expect(drafts().at(-1)).toMatchObject({ note: 'Calm', submit: false });
  await waitFor(() => expect(keptDrafts()).toEqual([]));
});

test('a draft that could not be saved does not replace what was written since', async () => {
  const first = Promise.withResolvers<void>();
  let isFirst = true;
  const { user, seen, findNote, close, reopen } = openFailing(null, async () => {
    if (!isFirst) return false;
    isFirst = false;
    await first.promise;
    return true;
  });
  const notes = () => seen.filter(({ method }) => method === 'PUT').map(({ body }) => (body as { note: string }).note);
  const note = await findNote();
  await user.type(note, 'Calm');
  await waitFor(() => expect(notes()).toEqual(['Calm']), { timeout: 3_000 });
  await user.type(note, ' and clear');
  await close();
  first.resolve();
  await waitFor(() => expect(notes()).toEqual(['Calm', 'Calm and clear']));
  await waitFor(() => expect(keptDrafts()).toEqual([]));
  reopen();
  expect(await findNote()).toHaveProperty('value', 'Calm and clear');
  expect(notes()).toHaveLength(2);
});

test('a recommendation that could not be saved keeps the ratings and the note', async () => {
  const { user, findNote } = openFailing(null, () => true);
  await user.type(await findNote(), 'Calm');
  await user.click(screen.getByRole('button', { name: 'Yes' }));
  await expectToast('Error', 'Failed to save the review: Not now.', 'destructive');
  const kept = () => Object.values(sessionStorage).map((text) => JSON.parse(text));
  await waitFor(() => expect(kept()).toContainEqual({ ratings: {}, recommendation: 3, note: 'Calm' }));
});

test('a saved draft is there when the scorecard opens again before the server responds, and stays', async () => {
  const { user, seen, findNote, close, reopen } = openFailing(null, () => false, { reads: readOnce() });
  const drafts = () => seen.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  const written = await findNote();
  await user.click(screen.getByRole('radio', { name: '4' }));
  await user.type(written, 'Calm');
  await close();
  await waitFor(() => expect(keptDrafts()).toEqual([]));
  reopen();
  const note = await findNote();
  expect(note).toHaveProperty('value', 'Calm');
  await user.type(note, ' and clear');
  await waitFor(() => expect(drafts().at(-1)).toMatchObject({ ratings: { care: 4 }, note: 'Calm and clear' }), {
    timeout: 3_000,
  });
});

test('a quick decision and its note are also saved when the page is closed or reloaded at once', async () => {
  const { user, seen, findNote } = openFailing(null, () => never);
  await user.type(await findNote(), 'Calm');
  await user.click(screen.getByRole('button', { name: 'Yes' }));
  const body = { ratings: {}, recommendation: 3, note: 'Calm', submit: true };
  await waitFor(() => expect(seen).toContainEqual(expect.objectContaining({ body, outlivesPage: true })));
});

test('changes of a submitted review are there again when the player opens again, and can be discarded', async () => {
  const { user, seen, findNote, close, reopen } = openFailing(aReview('dana', { note: 'Calm' }), () => false);
  await user.type(await findNote(), ' and clear');
  await close();
  reopen();
  expect(await findNote()).toHaveProperty('value', 'Calm and clear');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(await findNote()).toHaveProperty('value', 'Calm');
  expect(seen.filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('changes that the closed scorecard hides are not part of a quick decision', async () => {
  const { user, seen, findNote } = openFailing(aReview('dana', { note: 'Calm' }), () => false, {
    myRecommendation: 3,
  });
  await user.type(await findNote(), ' and clear');
  await user.click(screen.getByRole('button', { name: 'Review with scorecard' }));
  await user.click(screen.getByRole('button', { name: 'Strong yes' }));
  const sent = () => seen.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  await waitFor(() => expect(sent()).toEqual([{ recommendation: 4, submit: true }]));
});
