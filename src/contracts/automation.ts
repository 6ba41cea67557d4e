import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MessageAnswer, Moment, RowPath } from './fields.ts';

/** What happened to a funnel without a user. Its settings are fields of the funnel. */
export const Automation = z.object({
  /** Our id of the funnel. */
  funnelId: z.int(),
  /** The end of the last complete refresh. */
  lastRefreshAt: Moment.nullable(),
  /** Why the last refresh failed. Null after a complete one. */
  lastError: z.string().nullable(),
  /** Automatic refreshes wait for `resumeAutomation`, a change of the funnel or a complete refresh. */
  pausedReason: z.string().nullable(),
  /** New interviews that wait for the next day because of the daily limit. */
  awaitingInterviews: z.int(),
});
export type Automation = z.infer<typeof Automation>;

export const listAutomations = endpoint({
  method: 'GET',
  path: '/api/automations',
  summary: 'What keeps each funnel up to date, and what failed',
  response: z.array(Automation),
});

export const resumeAutomation = endpoint({
  method: 'POST',
  path: '/api/funnels/:id/resume',
  summary: 'Resumes the automatic refreshes of a funnel and starts one now',
  params: RowPath,
  response: MessageAnswer,
});
