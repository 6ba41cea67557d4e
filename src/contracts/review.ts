import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Offset } from './fields.ts';
import { ListQuery } from './interviews.ts';

/** Not in the specification. */
export const getReview = endpoint({
  method: 'GET',
  path: '/api/review',
  summary: 'What is left to watch of the interviews that a filter finds',
  query: ListQuery.omit({ page: true, limit: true, texts: true }).extend({ skip: Offset.optional() }),
  response: z.object({
    /**
     * The length of the interviews after the first `skip`, without those of unknown duration. Null
     * without `skip`, and when more than 1,000 are left.
     */
    seconds: z.int().nullable(),
  }),
});
