import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { InterviewPath, integerFrom, MessageResponse, Offset, Seconds } from './fields.ts';
import { ListQuery } from './interviews.ts';

/** Not in the specification, like everything in this file. */
export const getReview = endpoint({
  method: 'GET',
  path: '/api/review',
  summary: 'What is left to watch of the interviews that a filter finds',
  role: 'reviewer',
  scope: 'read',
  query: ListQuery.omit({ page: true, limit: true, texts: true }).extend({ skip: Offset.optional() }),
  response: z.object({
    /** The number of interviews that the account of the caller has not watched. */
    unwatched: z.int(),
    /**
     * The number of interviews that a search cannot find by what was said. Null without a search.
     */
    withoutTranscript: z.int().nullable(),
    /**
     * The length of the interviews after the first `skip`, except for unknown durations. Null
     * without `skip`, and when more than 1,000 are left.
     */
    seconds: z.int().nullable(),
  }),
});

export const markWatched = endpoint({
  method: 'POST',
  path: '/api/interviews/:id/watched',
  summary: 'Remembers that the account of the caller has watched an interview',
  role: 'reviewer',
  scope: 'write',
  params: InterviewPath,
  response: MessageResponse,
});

export const unmarkWatched = endpoint({
  method: 'DELETE',
  path: '/api/interviews/:id/watched',
  summary: 'Forgets that the account of the caller has watched an interview',
  role: 'reviewer',
  scope: 'write',
  params: InterviewPath,
  response: MessageResponse,
});

export const recordPlaying = endpoint({
  method: 'POST',
  path: '/api/interviews/:id/played',
  summary: 'Records in the System Logs that the account of the caller plays the recording of an interview',
  role: 'reviewer',
  scope: 'read',
  params: InterviewPath,
  response: MessageResponse,
});

/** Where the answer to the question with this position starts. */
export const AnswerStart = z.object({ position: z.int(), startSeconds: z.number() });
export type AnswerStart = z.infer<typeof AnswerStart>;

export const getAnswers = endpoint({
  method: 'GET',
  path: '/api/interviews/:id/answers',
  summary: 'Where the answers to the questions start, if known',
  role: 'reviewer',
  scope: 'read',
  params: InterviewPath,
  response: z.object({ answers: z.array(AnswerStart) }),
});

const MAX_POSITION = 1_000_000;

export const markAnswer = endpoint({
  method: 'POST',
  path: '/api/interviews/:id/answers',
  summary: 'Stores where the answer to a question starts',
  role: 'recruiter',
  scope: 'write',
  params: InterviewPath,
  body: z.object({
    position: integerFrom(0, MAX_POSITION, `must be a whole number from 0 to ${MAX_POSITION}`),
    startSeconds: Seconds,
  }),
  response: MessageResponse,
});
