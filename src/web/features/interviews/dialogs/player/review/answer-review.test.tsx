import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { anInterview, openDashboard } from '#web/features/interviews/testing/open-dashboard.ts';
import { json, type SeenRequest } from '#web/testing/server-edge.ts';

const VIDEO = { videoUrl: null, videoFile: 'v.mp4', hasLocalCopy: true, candidateName: null, candidateEmail: null };
const QUESTIONS = ['Who are you?', 'Why <b>nursing</b>?', 'When can you start?'].map((question, position) => ({
  ...{ position, question },
}));
const candidate = (n: number) =>
  anInterview({
    ...{ id: `iv-${n}`, interviewId: `iv-${n}`, title: `Candidate ${n}`, candidateName: `Candidate ${n}` },
    processingStatus: { questions: QUESTIONS },
  });

/** Opens `path` with three unwatched candidates, whose answers start at 10, 60 and 90 s. */
function openAnswers(path: string, responses: Parameters<typeof openDashboard>[1] = {}) {
  const all = [1, 2, 3].map(candidate);
  const answers = [10, 60, 90].map((startSeconds, position) => ({ position, startSeconds }));
  const served = Object.fromEntries(
    all.flatMap(({ id }) => [
      [`GET /api/interviews/${id}/video`, VIDEO],
      [`GET /api/interviews/${id}/answers`, { answers }],
      [`POST /api/interviews/${id}/watched`, { message: 'Marked as watched' }],
      [`PUT /api/interviews/${id}/review`, ({ body }: SeenRequest) => ({ content: body as object })],
      [`DELETE /api/interviews/${id}/review`, { message: 'Review undone' }],
      [`DELETE /api/interviews/${id}/watched`, { message: 'Marked as unwatched' }],
    ]),
  );
  const review = { unwatched: 3, withoutTranscript: null, seconds: null };
  return openDashboard(all, { ...served, 'GET /api/review': review, ...responses }, path);
}

const shown = (title: string) => screen.findByRole('dialog', { name: title });
const findVideo = () => waitFor(() => document.querySelector('video') ?? expect.fail('no video'));

/** Sets the time of a playing video. */
function playTo(video: HTMLVideoElement, seconds: number) {
  video.currentTime = seconds;
  fireEvent.timeUpdate(video);
}

test('the key A chooses a job and a question, and the review plays its unwatched interviews', async () => {
  const { user, seen } = openAnswers('/');
  await screen.findByRole('article', { name: 'Candidate 1' });
  await user.keyboard('a');
  const dialog = within(await shown('Review answer by answer'));
  expect(await dialog.findByText('3 unwatched interviews.')).toBeTruthy();
  expect(dialog.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)).toEqual([
    '1. Who are you?',
    '2. Why nursing?',
    '3. When can you start?',
  ]);
  await user.selectOptions(dialog.getByLabelText('Job'), 'Support');
  await user.click(await dialog.findByRole('radio', { name: '2. Why nursing?' }));
  await user.click(dialog.getByRole('button', { name: 'Start' }));
  await shown('Candidate 1');
  expect(location.search).toBe('?interview=iv-1&review=1&answer=2&job=2');
  const list = seen.filter(({ path }) => path === '/api/interviews').at(-1)?.query;
  expect([list?.get('funnelId'), list?.get('unwatched')]).toEqual(['2', '1']);
  await user.keyboard('n');
  await shown('Candidate 2');
  expect(location.search).toBe('?interview=iv-2&review=1&answer=2&job=2');
});

test('the menu of Review and the command palette open the choice of a question', async () => {
  const { user } = openAnswers('/');
  await user.click(await screen.findByRole('button', { name: 'More ways to review' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Answer by answer' }));
  await shown('Review answer by answer');
  await user.keyboard('{Escape}{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox'), 'answer by answer');
  await user.keyboard('{Enter}');
  await shown('Review answer by answer');
});

test('each video starts at the answer and pauses at its end, and the user can keep playing', async () => {
  openAnswers('/?interview=iv-1&review=1&answer=2&job=1');
  const video = await findVideo();
  await waitFor(() => expect(video.currentTime).toBe(60));
  expect(screen.getByText('Question 2:').parentElement?.textContent).toBe('Question 2: Why nursing?');
  await video.play();
  playTo(video, 89.8);
  expect(video.paused).toBe(false);
  playTo(video, 90.1);
  expect(video.paused).toBe(true);
  await video.play();
  playTo(video, 90.4);
  expect(video.paused).toBe(false);
  // Jumps are not the end of the answer.
  playTo(video, 20);
  playTo(video, 100);
  expect(video.paused).toBe(false);
});

test('the keys decide or continue; the last answer ends with what was decided, and N leaves candidates unwatched', async () => {
  const { user, seen } = openAnswers('/?interview=iv-1&review=1&answer=3&job=1');
  const changes = () =>
    seen
      .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/played'))
      .map(({ method, path }) => `${method} ${path}`);
  await screen.findByText('1 of 3');
  const video = await findVideo();
  Object.defineProperty(video, 'duration', { configurable: true, value: 100 });
  playTo(video, 99);
  await user.keyboard('n');
  await shown('Candidate 2');
  expect(changes()).toEqual([]);
  await user.keyboard('y');
  await shown('Candidate 3');
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await screen.findByText('3 answers to question 3 · 1 reviewed');
  const decided = within(screen.getByRole('list', { name: 'My reviews' }));
  expect(decided.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Candidate 2Yes']);
  expect(changes().toSorted()).toEqual(['POST /api/interviews/iv-2/watched', 'PUT /api/interviews/iv-2/review']);
  await user.keyboard('u');
  await shown('Candidate 3');
  expect(location.search).toContain('answer=3');
});

test('an interview without the question or with an unknown start shows an explanation', async () => {
  const { user } = openAnswers('/?interview=iv-1&review=1&answer=2&job=1', {
    'GET /api/interviews/iv-1/answers': { answers: [] },
    'GET /api/interviews': () => ({
      interviews: [candidate(1), { ...candidate(2), processingStatus: { questions: [] } }],
      total: 2,
    }),
  });
  expect(await screen.findByText(/The start of its answer is unknown/)).toBeTruthy();
  await user.keyboard('n');
  expect(await screen.findByText('This interview has no question 2.')).toBeTruthy();
});

test('a job without unwatched interviews cannot be started', async () => {
  const { user } = openAnswers('/', { 'GET /api/interviews': { interviews: [], total: 0 } });
  await screen.findByText('No interviews found');
  await user.keyboard('a');
  const dialog = within(await shown('Review answer by answer'));
  expect(await dialog.findByText('This job has no unwatched interviews.')).toBeTruthy();
  expect(dialog.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', true);
});

test('questions that cannot be read show the error, not that everything is watched', async () => {
  const { user } = openAnswers('/', {
    'GET /api/interviews': ({ query }) =>
      query.has('unwatched') ? json({ message: 'Not now.' }, 503) : { interviews: [candidate(1)], total: 1 },
  });
  await screen.findByRole('article', { name: 'Candidate 1' });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await user.keyboard('a');
  const dialog = within(await shown('Review answer by answer'));
  // Reads of the list are tried four times.
  await act(() => vi.advanceTimersByTimeAsync(4_000));
  expect(await dialog.findByText("Couldn't load the questions")).toBeTruthy();
  expect(dialog.queryByText('This job has no unwatched interviews.')).toBeNull();
});
