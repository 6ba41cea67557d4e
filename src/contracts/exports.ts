import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { InterviewId, MessageResponse, repeatable } from './fields.ts';
import { ListQuery } from './interviews.ts';

/**
 * Not in the specification. The query of `/api/interviews.csv`: that of the list, whose page is
 * ignored. With `id`, only these of its interviews.
 */
export const ExportQuery = ListQuery.extend({ id: repeatable(InterviewId) });
export type ExportQuery = z.output<typeof ExportQuery>;

/** Interviews that are printed or compared together. */
export const MAX_COMPARED = 4;

/** Not in the specification. Pages are printed by browsers, so they report it. */
export const recordPrinting = endpoint({
  method: 'POST',
  path: '/api/prints',
  summary: 'Records in the System Logs that the account of the caller prints interviews with their reviews',
  role: 'reviewer',
  scope: 'read',
  body: z.object({
    interviewIds: z
      .array(InterviewId)
      .min(1, 'must contain at least one id')
      .max(MAX_COMPARED, `must contain at most ${MAX_COMPARED} ids`),
  }),
  response: MessageResponse,
});
