import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MessageResponse, Moment, RowPath } from './fields.ts';

/** The state of a funnel's automation. Its settings are fields of the funnel. */
export const Automation = z.object({
  /** Our id of the funnel. */
  funnelId: z.int(),
  /** The end of the last complete refresh. */
  lastRefreshAt: Moment.nullable(),
  /** True when the service can announce changed interviews of the funnel. */
  hasWebhook: z.boolean(),
  /** When the service last announced a change. */
  lastEventAt: Moment.nullable(),
  /** Why the last refresh failed. Null after a complete one. */
  lastError: z.string().nullable(),
  /**
   * Why automatic refreshes are paused. `resumeAutomation`, a change of the funnel or a complete
   * refresh ends the pause. Null when they are not paused.
   */
  pausedReason: z.string().nullable(),
  /** New interviews that wait for the next day because of the daily limit. */
  awaitingInterviews: z.int(),
});
export type Automation = z.infer<typeof Automation>;

export const listAutomations = endpoint({
  method: 'GET',
  path: '/api/automations',
  summary: 'The automation of each funnel: last refresh, last event, and what failed',
  role: 'recruiter',
  scope: 'read',
  response: z.array(Automation),
});

export const resumeAutomation = endpoint({
  method: 'POST',
  path: '/api/funnels/:id/resume',
  summary: 'Resumes the automatic refreshes of a funnel and starts one now',
  role: 'recruiter',
  scope: 'process',
  params: RowPath,
  response: MessageResponse,
});
