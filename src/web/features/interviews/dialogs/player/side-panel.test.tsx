import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Interview } from '#contracts/interviews.ts';
import { anInterview, openDashboard, sendLive } from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';

const VIDEO = { videoUrl: null, videoFile: 'v.mp4', hasLocalCopy: true, candidateName: null, candidateEmail: null };
const QUESTIONS = [
  { position: 0, question: 'Why <b>us</b>?' },
  { position: 1, question: 'Why now?' },
  { position: 2, question: 'Why not?' },
];

async function play(part: Partial<Interview> = {}, answers: Parameters<typeof openDashboard>[1] = {}) {
  const dashboard = openDashboard(
    [anInterview({ processingStatus: { questions: QUESTIONS }, ...part })],
    {
      'GET /api/interviews/int-1/video': VIDEO,
      'GET /api/interviews/int-1/answers': { answers: [{ position: 1, startSeconds: 30.5 }] },
      'POST /api/interviews/int-1/answers': { message: 'Saved' },
      'POST /api/interviews/int-1/transcribe': { message: 'Started' },
      ...answers,
    },
    '/?interview=int-1',
  );
  await waitFor(() => expect(document.querySelector('video')).toBeTruthy());
  return {
    ...dashboard,
    video: document.querySelector('video') as HTMLVideoElement,
    dialog: within(screen.getByRole('dialog')),
  };
}

/** The value of the seek bar at this time of the video. */
function chapterAt(video: HTMLVideoElement, seconds: number) {
  video.currentTime = seconds;
  fireEvent.timeUpdate(video);
  return screen.getByRole('slider', { name: 'Seek' }).getAttribute('aria-valuetext');
}

test('questions with a time are played by a click and a digit, and are chapters of the seek bar', async () => {
  const { user, video, dialog } = await play();
  await user.click(dialog.getByRole('tab', { name: 'Questions' }));
  await user.click(await dialog.findByRole('button', { name: 'Play answer 2 at 0:30' }));
  expect(video.currentTime).toBe(30.5);
  video.currentTime = 0;
  await user.keyboard('2');
  expect(video.currentTime).toBe(30.5);
  expect([chapterAt(video, 29), chapterAt(video, 31)]).toEqual(['0:29 of 2:05', '0:31 of 2:05, 2. Why now?']);
  fireEvent.change(dialog.getByRole('slider', { name: 'Seek' }), { target: { value: '12' } });
  expect(video.currentTime).toBe(12);
});

test('a summary that arrives while the player is open brings the starts of the answers', async () => {
  const answers: { position: number; startSeconds: number }[] = [];
  const { video, seen } = await play({}, { 'GET /api/interviews/int-1/answers': () => ({ answers }) });
  await waitFor(() => expect(seen.map(({ path }) => path)).toContain('/api/interviews/int-1/answers'));
  answers.push({ position: 0, startSeconds: 7 });
  await sendLive({ type: 'summary-completed', data: { interviewId: 'int-1', message: 'The summary is ready.' } });
  await waitFor(() => expect(chapterAt(video, 8)).toBe('0:08 of 2:05, 1. Why us?'));
});

test('the start of an answer is marked by hand when it is unknown, and can be corrected', async () => {
  const answers = [{ position: 1, startSeconds: 30.5 }];
  const { user, video, dialog, seen } = await play(
    {},
    {
      'GET /api/interviews/int-1/answers': () => ({ answers }),
      'POST /api/interviews/int-1/answers': ({ body }) => {
        answers.push(body as (typeof answers)[number]);
        return { message: 'Saved' };
      },
    },
  );
  await waitFor(() => expect(chapterAt(video, 61)).toBe('1:01 of 2:05, 2. Why now?'));
  await user.keyboard('3');
  await user.click(dialog.getByRole('button', { name: 'Mark start of answer 3' }));
  await waitFor(() =>
    expect(seen.find(({ method }) => method === 'POST')?.body).toEqual({ position: 2, startSeconds: 61 }),
  );
  // The button keeps the focus while its meaning changes.
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Play answer 3 at 1:01'));
  video.currentTime = 58;
  await user.click(dialog.getByRole('button', { name: 'Move start of answer 3 to the current moment' }));
  await waitFor(() =>
    expect(seen.findLast(({ method }) => method === 'POST')?.body).toEqual({ position: 2, startSeconds: 58 }),
  );
});

test('S shows at once that the summary is requested, for this interview only', async () => {
  const answer = Promise.withResolvers<object>();
  const other = anInterview({ id: 'int-2', title: 'Ben for Nursing' });
  const { user, dialog } = await play(
    {},
    {
      'GET /api/interviews': { interviews: [anInterview(), other], total: 2 },
      'GET /api/interviews/int-2/video': VIDEO,
      'POST /api/interviews/int-1/summarize': () => answer.promise,
    },
  );
  await user.keyboard('s');
  expect(await dialog.findByRole('button', { name: 'Processing...' })).toBeTruthy();
  await user.keyboard('n');
  const next = within(await screen.findByRole('dialog', { name: 'Ben for Nursing' }));
  expect(await next.findByRole('button', { name: 'Generate Summary' })).toBeTruthy();
  answer.resolve({ message: 'Started' });
  await expectToast('Summary Generation Started', 'Started');
});

test('the summary appears in the player when its end takes the interview off the filtered list', async () => {
  const started = anInterview({ transcriptionStatus: 'completed', summaryStatus: 'in-progress' });
  const ended = anInterview({ transcriptionStatus: 'completed', summaryStatus: 'completed' });
  let hasEnded = false;
  const { user, dialog } = await play(
    {},
    {
      'GET /api/interviews': () => (hasEnded ? { interviews: [], total: 0 } : { interviews: [started], total: 1 }),
      'GET /api/interviews/int-1': () => ended,
      'GET /api/interviews/int-1/summary': { summaryText: 'Plans ahead.', version: 'a', structure: null },
    },
  );
  await user.click(dialog.getByRole('tab', { name: 'Summary' }));
  expect(await dialog.findByRole('button', { name: 'Processing...' })).toBeTruthy();
  hasEnded = true;
  await sendLive({ type: 'summary-completed', data: { interviewId: 'int-1', message: 'Done.' } });
  expect(await dialog.findByText('Plans ahead.')).toBeTruthy();
});

test('without a transcript the panel offers to generate it', async () => {
  const { user, dialog, seen } = await play();
  await user.click(dialog.getByRole('button', { name: 'Generate Transcript' }));
  await waitFor(() => expect(seen.map(({ path }) => path)).toContain('/api/interviews/int-1/transcribe'));
});

test('S shows the summary, and its quotes are played', async () => {
  const structure = {
    method: 'model',
    overview: 'Good.',
    expectations: [
      {
        field: 'skills',
        expectation: 'Care',
        verdict: 'met',
        note: null,
        quotes: [{ text: 'I care a lot', startSeconds: 12 }],
      },
    ],
    openQuestions: [],
  };
  const { user, video, dialog, seen } = await play(
    { summaryStatus: 'completed' },
    { 'GET /api/interviews/int-1/summary': { summaryText: 'Good.', version: '0', structure } },
  );
  await user.keyboard('s');
  await user.click(await dialog.findByRole('button', { name: /I care a lot/ }));
  expect(video.currentTime).toBe(12);
  expect(seen.some(({ method }) => method === 'POST')).toBe(false);
});
