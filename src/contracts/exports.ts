import type { z } from 'zod';
import { InterviewId, repeatable } from './fields.ts';
import { ListQuery } from './interviews.ts';

/**
 * Not in the specification. The query of `/api/interviews.csv`: that of the list, whose page is
 * ignored. With `id`, only these of its interviews.
 */
export const ExportQuery = ListQuery.extend({ id: repeatable(InterviewId) });
export type ExportQuery = z.output<typeof ExportQuery>;
