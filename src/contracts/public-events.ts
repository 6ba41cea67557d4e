import { z } from 'zod';
import { STEP_NAMES } from './rules/steps.ts';
import { CLIENT_VERDICTS } from './shares.ts';

const id = z.int();
const count = z.int();

/** Only for webhooks with personal data. */
const personal = {
  interview: {
    title: z.string().optional(),
    candidate: z.object({ name: z.string(), email: z.string() }).partial().optional(),
  },
  /** The error message, which may quote an external service. */
  failure: { error: z.string().optional() },
  /** The name of the link's recipient. */
  share: { recipient: z.string().optional() },
};

/** The names of all personal fields. No other field has one of them. */
export const PERSONAL_FIELDS = Object.values(personal).flatMap((fields) => Object.keys(fields));

/** The page about the event. Absent without PUBLIC_URL. */
const link = z.url().optional();
const interview = { interviewId: z.string(), funnelId: id, link, ...personal.interview };
const step = { ...interview, step: z.enum(STEP_NAMES) };
const refresh = { funnelId: id, runId: z.string(), cause: z.enum(['user', 'schedule', 'event']), link };
const share = { shareId: id, link, ...personal.share };
/** `ats` is the name of the system. */
const ats = { ...interview, ats: z.string() };

const publicEvent = <Data extends z.ZodObject>(summary: string, data: Data) => ({ summary, data });

/**
 * The events that outgoing webhooks report. Names and fields are public: add new ones, never rename
 * one. `compose-events.ts` maps internal events to them.
 */
export const PUBLIC_EVENTS = {
  'interview.added': publicEvent('An interview was added to a funnel.', z.object(interview)),
  'interview.edited': publicEvent(
    'A user wrote the transcript or the summary.',
    z.object({ ...interview, text: z.enum(['transcript', 'summary']) }),
  ),
  'interview.archived': publicEvent('A user archived an interview.', z.object(interview)),
  'interview.sent': publicEvent(
    'A user set the destination of an interview.',
    z.object({ ...interview, destinationId: z.string() }),
  ),
  'step.completed': publicEvent('Converting, transcribing or summarizing an interview succeeded.', z.object(step)),
  'step.failed': publicEvent(
    'Converting, transcribing or summarizing an interview failed.',
    z.object({ ...step, ...personal.failure }),
  ),
  'refresh.completed': publicEvent(
    'A refresh of a funnel ended.',
    z.object({ ...refresh, counts: z.object({ processed: count, new: count, updated: count, skipped: count }) }),
  ),
  'refresh.failed': publicEvent(
    'A refresh of a funnel failed or was canceled.',
    z.object({ ...refresh, isCanceled: z.boolean(), ...personal.failure }),
  ),
  'review.submitted': publicEvent(
    'A colleague submitted or changed a review. `isFirst` is false for a change.',
    z.object({ ...interview, isFirst: z.boolean() }),
  ),
  'share.opened': publicEvent(
    'The recipient of a link opened it. `isFirst` is true only the first time.',
    z.object({ ...share, isFirst: z.boolean() }),
  ),
  'share.decided': publicEvent(
    'The recipient of a link decided on a candidate.',
    z.object({ ...interview, ...share, verdict: z.enum(CLIENT_VERDICTS) }),
  ),
  'ats.sent': publicEvent(
    'The note about an interview was stored in the ATS. `isUpdate` is true for an update.',
    z.object({ ...ats, isUpdate: z.boolean() }),
  ),
  'ats.failed': publicEvent(
    'Writing the note about an interview to the ATS failed. If `isUnclear`, it may have been stored.',
    z.object({ ...ats, isUnclear: z.boolean(), ...personal.failure }),
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
