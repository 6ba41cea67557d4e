import { z } from 'zod';
import { BulkRun } from './bulk.ts';
import { LogEntry } from './logs.ts';
import { STEP_MESSAGE_TYPES } from './rules/steps.ts';
import { RefreshStatus } from './sync.ts';

/**
 * From the browser over `/ws`. Refresh and step messages go to all browsers without a subscription.
 */
export const ClientMessage = z.object({ type: z.literal('subscribe'), channel: z.enum(['system-logs']) });
export type Channel = z.infer<typeof ClientMessage>['channel'];

const refreshTypes = ['refresh-status', 'refresh-progress', 'refresh-completed', 'refresh-error'] as const;
const RefreshMessage = z.object({ type: z.enum(refreshTypes), data: RefreshStatus });
/**
 * `progress` messages are not in the specification. A step is running: `message` is its note or
 * empty, `progress` the percentage of a conversion.
 */
export const StepMessage = z.object({
  type: z.enum(STEP_MESSAGE_TYPES),
  data: z.object({
    interviewId: z.string(),
    message: z.string(),
    progress: z.number().optional(),
    /** The URL of the video, when a conversion has completed. */
    youtubeUrl: z.string().optional(),
    /**
     * True for a step of a bulk run. Messages of the run report it together with the other steps.
     */
    isGrouped: z.boolean().optional(),
  }),
});
export type StepMessage = z.infer<typeof StepMessage>;
export const LogMessage = z.object({ type: z.literal('system-log'), action: z.literal('created'), payload: LogEntry });

/** A message without data. */
export const Signal = z.object({
  type: z.enum([
    /** Interviews were deleted, or many were changed: browsers read their lists again. */
    'interviews-changed',
    /** A funnel was created, changed, activated or deleted. */
    'funnels-changed',
    /** A link was created or changed, or its recipient opened, watched, decided or commented. */
    'shares-changed',
    /** The account has signed in or out on a device. Only its own browsers receive it. */
    'devices-changed',
    /** The account has new notices, or has read some. Only its own browsers receive it. */
    'notices-changed',
  ]),
});

/** Browsers that show the interview reload what has changed. */
export const InterviewSignal = z.object({
  type: z.enum([
    /**
     * The interview was edited, linked, archived or unarchived, or the browser's account has
     * reviewed it or marked it as unwatched.
     */
    'interview-edited',
    /** A review was submitted or changed. */
    'reviews-changed',
    /** A comment was added, changed or deleted. */
    'comments-changed',
  ]),
  data: z.object({ interviewId: z.string() }),
});

/** The progress or the end of a bulk run. */
export const BulkMessage = z.object({ type: z.literal('bulk-run'), data: BulkRun });

/** From the server over `/ws`. */
export const LiveMessage = z.union([RefreshMessage, StepMessage, LogMessage, Signal, InterviewSignal, BulkMessage]);
export type LiveMessage = z.infer<typeof LiveMessage>;
export type RefreshMessageType = (typeof refreshTypes)[number];
