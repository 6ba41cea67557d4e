import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { InterviewId, MessageResponse, repeatable } from './fields.ts';
import { ListQuery } from './interviews.ts';

/**
 * Not in the specification. The query of `/api/interviews.csv`. It is the query of the list, except
 * that the page is ignored. `id` limits the export to these interviews of the list.
 */
export const ExportQuery = ListQuery.extend({ id: repeatable(InterviewId) });
export type ExportQuery = z.output<typeof ExportQuery>;

/** The most interviews that are printed or compared together. */
export const MAX_COMPARED = 4;

/** Not in the specification. Browsers print pages, so they report it. */
export const recordPrinting = endpoint({
  method: 'POST',
  path: '/api/prints',
  summary: 'Records in the System Logs that the caller prints interviews with their reviews',
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
