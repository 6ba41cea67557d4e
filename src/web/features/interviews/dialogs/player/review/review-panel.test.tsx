import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { InterviewReviews, Review } from '#contracts/reviews.ts';
import { anInterview, openDashboard } from '#web/features/interviews/testing/open-dashboard.ts';
import { expectToast } from '#web/testing/expect-toast.ts';
import type { SeenRequest } from '#web/testing/server-edge.ts';

const CRITERIA = [{ key: 'care', label: 'Care', low: 'Rushes', middle: 'Listens', high: 'Explains' }];
const VIDEO = { videoUrl: null, videoFile: 'v.mp4', hasLocalCopy: true, candidateName: null, candidateEmail: null };
const aReview = (author: string, content: Partial<Review['content']>) => ({
  ...{ author, submittedAt: '2026-03-05T12:00:00.000Z', afterReading: false },
  content: { criteria: CRITERIA, ratings: {}, recommendation: 3, note: '', firstRatings: {}, ...content },
});

test('a draft saves itself, colleagues stay hidden until the review is submitted, and then show with the average', async () => {
  const ann = aReview('ann', { ratings: { care: 5 }, recommendation: 4, note: 'Calm.' });
  let reviews: InterviewReviews = { mine: null, others: [{ ...ann, content: null }], count: 1, average: null };
  const save = ({ body }: SeenRequest) => {
    const { submit, ...content } = body as { submit: boolean };
    const mine = aReview('admin', content);
    if (submit) reviews = { mine, others: [ann], count: 1, average: { ratings: { care: 4.5 }, count: 2 } };
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
