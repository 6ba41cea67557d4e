import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { InterviewReviews } from '#contracts/reviews.ts';
import { anInterview, aSummary, openDashboard, sendLive } from '#web/features/interviews/testing/open-dashboard.ts';
import { json } from '#web/testing/server-edge.ts';

const SKILL = { key: 'skills', label: 'Forklift skills', low: 'none', middle: '', high: 'many' };
const content = (rating: number, recommendation: number) => ({
  ...{ criteria: [SKILL], ratings: { skills: rating }, recommendation, note: '', firstRatings: { skills: rating } },
});
const aReview = (author: string) => ({ author, submittedAt: '2026-03-05T12:00:00.000Z', afterReading: false });
const NO_REVIEWS: InterviewReviews = { mine: null, others: [], count: 0, average: null };
const BLIND: InterviewReviews = { ...NO_REVIEWS, others: [{ ...aReview('ann'), content: null }], count: 1 };
const OPEN: InterviewReviews = {
  mine: { ...aReview('dana'), content: content(3, 4) },
  others: [{ ...aReview('ann'), content: content(5, 2) }],
  ...{ count: 1, average: { ratings: { skills: 4 }, count: 2 } },
};

const AMARA = anInterview();
const BEN = anInterview({ id: 'int-2', title: 'Ben for Nursing', candidateName: 'Ben' });
const VIDEO = { videoUrl: null, videoFile: 'v.mp4', hasLocalCopy: true, candidateName: null, candidateEmail: null };

function open(path: string, responses: Parameters<typeof openDashboard>[1] = {}) {
  const interviews = [AMARA, BEN, anInterview({ id: 'other', title: 'Other job', funnelIdNum: 2 })];
  return openDashboard(
    [],
    {
      ...Object.fromEntries(interviews.map((one) => [`GET /api/interviews/${one.id}`, { ...one, segments: [] }])),
      'GET /api/interviews/int-1/summary': { summaryText: 'x', version: '', structure: aSummary() },
      'GET /api/interviews/int-2/summary': { summaryText: null, version: '', structure: null },
      'GET /api/interviews/int-1/reviews': OPEN,
      'GET /api/interviews/int-2/reviews': BLIND,
      'GET /api/interviews/int-1/video': VIDEO,
      'GET /api/interviews/int-2/video': { ...VIDEO, videoFile: 'ben.mp4' },
      'GET /api/funnels/1/scorecard': { criteria: [SKILL] },
      'POST /api/interviews/int-1/played': { message: 'Recorded as played' },
      'POST /api/prints': { message: 'Recorded as printed' },
      ...responses,
    },
    path,
  );
}

const cells = async (row: string) =>
  within(await screen.findByRole('region', { name: row }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

test('two interviews are compared by expectations and criteria, with the reviews that may be read', async () => {
  open('/compare?ids=int-1,int-2');
  await waitFor(async () =>
    expect(await cells('Skills')).toEqual([
      'Amara OkaforPartly metPlanning was shown.“We plan every shift”1:04',
      'BenNo structured summary',
    ]),
  );
  expect(await cells('Culture Expectations')).toEqual(['Amara OkaforNot mentioned', 'BenNo structured summary']);
  expect(await cells('Forklift skills')).toEqual(['Amara OkaforYou: 3ann 5Average 4.0', 'BenNot rated by you']);
  expect(await cells('Recommendation')).toEqual([
    'Amara OkaforYou: Strong yesann: No',
    'BenNot reviewed by you1 colleague has reviewed. Submit your review to read theirs.',
  ]);
});

test('clicking or pressing a quote plays the video at its moment, and pauses the other video', async () => {
  const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  const pause = vi.spyOn(HTMLMediaElement.prototype, 'pause');
  const { user } = open('/compare?ids=int-1,int-2');
  (await screen.findByRole('button', { name: 'Play Amara Okafor at 1:04' })).focus();
  await user.keyboard('{Enter}');
  const video = await screen.findByLabelText<HTMLVideoElement>('Video of Amara Okafor');
  await waitFor(() => expect(video.getAttribute('src')).toBe('/api/files/video/v.mp4'));
  expect([video.currentTime, play.mock.contexts]).toEqual([64.2, [video]]);
  await user.click(screen.getByRole('button', { name: 'Play Ben' }));
  const other = await screen.findByLabelText<HTMLVideoElement>('Video of Ben');
  await waitFor(() => expect(other.getAttribute('src')).toBe('/api/files/video/ben.mp4'));
  expect(pause.mock.contexts).toContain(video);
  vi.restoreAllMocks();
});

test('answers in separate recordings play one after another, without captions, which have other times', async () => {
  const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  const segments = ['a.mp4', 'b.mp4', 'c.mp4'].map((videoFile, position) => ({
    ...{ position, videoFile, question: null, durationSeconds: 60, startSeconds: null, isReady: true },
  }));
  const { user } = open('/compare?ids=int-1,int-2', {
    'GET /api/interviews/int-1': { ...AMARA, segments: [], transcriptionStatus: 'completed' },
    'GET /api/interviews/int-1/video': { ...VIDEO, videoFile: null, hasLocalCopy: false, segments },
  });
  await user.click(await screen.findByRole('button', { name: 'Play Amara Okafor at 1:04' }));
  const video = await screen.findByLabelText<HTMLVideoElement>('Video of Amara Okafor');
  await waitFor(() => expect(video.getAttribute('src')).toBe('/api/files/video/b.mp4'));
  fireEvent.loadedMetadata(video);
  expect(video.currentTime).toBeCloseTo(64.2);
  expect(video.querySelector('track')).toBeNull();
  play.mockClear();
  fireEvent.ended(video);
  expect(video.getAttribute('src')).toBe('/api/files/video/c.mp4');
  fireEvent.loadedMetadata(video);
  expect([video.currentTime, play.mock.contexts]).toEqual([120, [video]]);
  await user.click(screen.getByRole('button', { name: 'Play Amara Okafor at 1:04' }));
  expect(video.getAttribute('src')).toBe('/api/files/video/b.mp4');
  vi.restoreAllMocks();
});

test.each([
  ['/compare', 'Choose interviews to compare', 'Select two to four interviews of one job'],
  ['/compare?ids=int-1', 'Choose interviews to compare', 'Select two to four interviews of one job'],
  ['/compare?ids=a,b,c,d,e', '5 interviews are too many', 'At most 4 interviews can be compared.'],
  ['/compare?ids=int-1,other', 'These interviews belong to different jobs', 'Only interviews of one job'],
  ['/compare?ids=int-1&ids=int-2,b', "Couldn't compare the interviews", 'No interview with the id int-2,b exists'],
  ['/compare?ids=int-1,gone', "Couldn't compare the interviews", 'No interview with the id gone exists'],
])('%s explains %j', async (path, title, text) => {
  open(path);
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  expect(screen.getByText(text, { exact: false })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Back to the list' })).toBeTruthy();
});

test('printing a comparison is reported to the server with its interviews', async () => {
  const { seen } = open('/compare?ids=int-1,int-2');
  await cells('Recommendation');
  window.dispatchEvent(new Event('beforeprint'));
  await waitFor(() =>
    expect(seen.filter(({ path }) => path === '/api/prints').map(({ body }) => body)).toEqual([
      { interviewIds: ['int-1', 'int-2'] },
    ]),
  );
});

test('the print page shows the reviews that the user may read, and opens none', async () => {
  const { seen, user } = open('/print?id=int-1', {
    'GET /api/interviews/int-1': { ...AMARA, segments: [], transcriptionStatus: 'completed' },
    'GET /api/interviews/int-1/reviews': BLIND,
    'GET /api/interviews/int-1/transcript': {
      ...{ transcriptionText: 'Hello.', version: '', source: 'transcription' },
      segments: [{ startSeconds: 61, endSeconds: 62, text: 'Hello.' }],
    },
  });
  expect(await screen.findByText('1 colleague has reviewed. Submit your review to read theirs.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Amara for Nursing' })).toBeTruthy();
  expect(await screen.findByText('Planning was shown.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Read without reviewing' })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: 'With transcript' }));
  expect(await screen.findByText('1:01')).toBeTruthy();
  window.dispatchEvent(new Event('beforeprint'));
  await waitFor(() => expect(seen.at(-1)).toMatchObject({ path: '/api/prints', body: { interviewIds: ['int-1'] } }));
  expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('the print page of a missing interview shows an error', async () => {
  open('/print?id=gone', {
    'GET /api/interviews/gone': json({ message: 'This interview no longer exists.', code: 'not_found' }, 404),
  });
  expect(await screen.findByText('This interview no longer exists.')).toBeTruthy();
});

test('the comparison stays when an interview cannot be read again', async () => {
  let isDown = false;
  const { seen } = open('/compare?ids=int-1,int-2', {
    'GET /api/interviews/int-1': () => (isDown ? json({ message: 'Not now.' }, 503) : AMARA),
  });
  await cells('Recommendation');
  isDown = true;
  const reads = () => seen.filter(({ path }) => path === '/api/interviews/int-1').length;
  const before = reads();
  await sendLive({ type: 'interviews-changed' });
  await waitFor(() => expect(reads()).toBe(before + 1));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.getByRole('region', { name: 'Recommendation' })).toBeTruthy();
});
