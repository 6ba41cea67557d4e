import { z } from 'zod';
import { STEP_NAMES } from './rules/steps.ts';
import { CLIENT_VERDICTS } from './shares.ts';

const id = z.int();
const count = z.int();

/** Only for webhooks with personal data. */
const personal = {
  interview: {
    title: z.string().optional().describe('The title of the interview'),
    candidate: z
      .object({ name: z.string(), email: z.string() })
      .partial()
      .optional()
      .describe('The candidate, without unknown fields'),
  },
  /** May quote an external service. */
  failure: { error: z.string().optional().describe('Why it failed') },
  share: { recipient: z.string().optional().describe("The recipient's name") },
};

/** The names of all personal fields. No other field has one of them. */
export const PERSONAL_FIELDS = Object.values(personal).flatMap((fields) => Object.keys(fields));

const link = z.url().optional().describe('The page of the event. Absent without `PUBLIC_URL`');
const interviewId = z.string().describe('The id of the interview');
const funnelId = id.describe('The id of the funnel in this product');
const interview = { interviewId, funnelId, link, ...personal.interview };
const step = { ...interview, step: z.enum(STEP_NAMES).describe('The processing step') };
const runId = z.string().describe('The id of the refresh');
const cause = z.enum(['user', 'schedule', 'event']).describe('What started it');
const refresh = { funnelId, runId, cause, link };
const share = { shareId: id.describe('The id of the link'), link, ...personal.share };
const ats = { ...interview, ats: z.string().describe('The applicant tracking system') };
const isFirst = z.boolean().describe('True only the first time');
const counts = z.object({ processed: count, new: count, updated: count, skipped: count });

const publicEvent = <Data extends z.ZodObject>(summary: string, data: Data) => ({ summary, data });

/**
 * The events that outgoing webhooks report. Names and fields are public: add new ones, never rename
 * one. `compose-events.ts` maps internal events to them.
 */
export const PUBLIC_EVENTS = {
  'interview.added': publicEvent('An interview was added to a funnel.', z.object(interview)),
  'interview.edited': publicEvent(
    'A user wrote the transcript or the summary.',
    z.object({ ...interview, text: z.enum(['transcript', 'summary']).describe('The edited text') }),
  ),
  'interview.archived': publicEvent('A user archived an interview.', z.object(interview)),
  'interview.sent': publicEvent(
    'A user set the destination of an interview.',
    z.object({ ...interview, destinationId: z.string().describe('The employer and the job that were set') }),
  ),
  'step.completed': publicEvent('Converting, transcribing or summarizing an interview succeeded.', z.object(step)),
  'step.failed': publicEvent(
    'Converting, transcribing or summarizing an interview failed.',
    z.object({ ...step, ...personal.failure }),
  ),
  'refresh.completed': publicEvent(
    'A refresh of a funnel ended.',
    z.object({ ...refresh, counts: counts.describe('Numbers of interviews') }),
  ),
  'refresh.failed': publicEvent(
    'A refresh of a funnel failed or was canceled.',
    z.object({ ...refresh, isCanceled: z.boolean().describe('True if a user canceled it'), ...personal.failure }),
  ),
  'review.submitted': publicEvent(
    'A colleague submitted or changed a review. `isFirst` is false for a change.',
    z.object({ ...interview, isFirst }),
  ),
  'share.opened': publicEvent(
    'The recipient of a link opened it. `isFirst` is true only the first time.',
    z.object({ ...share, isFirst }),
  ),
  'share.decided': publicEvent(
    'The recipient of a link decided on a candidate.',
    z.object({ ...interview, ...share, verdict: z.enum(CLIENT_VERDICTS).describe("The recipient's decision") }),
  ),
  'ats.sent': publicEvent(
    'The note about an interview was stored in the ATS. `isUpdate` is true for an update.',
    z.object({ ...ats, isUpdate: z.boolean().describe('True if an existing note was updated') }),
  ),
  'ats.failed': publicEvent(
    'Writing the note about an interview to the ATS failed. If `isUnclear`, it may have been stored.',
    z.object({
      ...ats,
      isUnclear: z.boolean().describe('True if the system may have stored the note'),
      ...personal.failure,
    }),
  ),
} as const;

export type PublicEventName = keyof typeof PUBLIC_EVENTS;
export const PUBLIC_EVENT_NAMES = Object.keys(PUBLIC_EVENTS) as [PublicEventName, ...PublicEventName[]];
export type PublicEventData<Name extends PublicEventName> = z.infer<(typeof PUBLIC_EVENTS)[Name]['data']>;

/** The event of "Send a test". No webhook subscribes to it. */
export const TEST_EVENT = 'webhook.test';

/** Who caused an event. */
export const PublicActor = z.object({
  kind: z.enum(['account', 'anonymous', 'command', 'system', 'automation']),
  /** The account's id. */
  id: id.nullable(),
  /** The account's username, or the operating-system user who ran a command. */
  name: z.string().nullable(),
});
export type PublicActor = z.infer<typeof PublicActor>;
