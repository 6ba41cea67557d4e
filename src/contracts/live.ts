import { z } from 'zod';
import { BulkRun } from './bulk.ts';
import { LogEntry } from './logs.ts';
import { STEP_MESSAGE_TYPES } from './rules/steps.ts';
import { RefreshStatus } from './sync.ts';

/**
 * Channels to subscribe to. Refresh and step messages go to all browsers without a subscription.
 */
export const CHANNELS = ['system-logs'] as const;
export type Channel = (typeof CHANNELS)[number];

/** From the browser over `/ws`. */
export const ClientMessage = z.object({ type: z.literal('subscribe'), channel: z.enum(CHANNELS) });

const refreshTypes = ['refresh-status', 'refresh-progress', 'refresh-completed', 'refresh-error'] as const;
export const RefreshMessage = z.object({ type: z.enum(refreshTypes), data: RefreshStatus });
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
    /** The address of the video, when a conversion has completed. */
    youtubeUrl: z.string().optional(),
    /**
     * True for a step of a bulk run. Messages of the run report it together with the other steps.
     */
    isGrouped: z.boolean().optional(),
  }),
});
export type StepMessage = z.infer<typeof StepMessage>;
export const LogMessage = z.object({ type: z.literal('system-log'), action: z.literal('created'), payload: LogEntry });

/** Interviews were deleted, or many were changed: browsers read their lists again. */
export const InterviewsMessage = z.object({ type: z.literal('interviews-changed') });
/**
 * An interview was edited, linked, archived or unarchived, or the browser's account has reviewed it
 * or marked it as unwatched. Browsers that show it reload it.
 */
export const EditMessage = z.object({
  type: z.literal('interview-edited'),
  data: z.object({ interviewId: z.string() }),
});
/** A review was submitted or changed. Browsers that show the interview's reviews reload them. */
export const ReviewsMessage = z.object({
  type: z.literal('reviews-changed'),
  data: z.object({ interviewId: z.string() }),
});
/**
 * A comment was added, changed or deleted. Browsers that show the interview's comments reload them.
 */
export const CommentsMessage = z.object({
  type: z.literal('comments-changed'),
  data: z.object({ interviewId: z.string() }),
});
/** A funnel was created, changed, activated or deleted. */
export const FunnelsMessage = z.object({ type: z.literal('funnels-changed') });

/** A link was created or changed, or its recipient opened, watched, decided or commented. */
export const SharesMessage = z.object({ type: z.literal('shares-changed') });

/** The account has signed in or out on a device. Only its own browsers receive it. */
export const DevicesMessage = z.object({ type: z.literal('devices-changed') });

/** The account has new notices, or has read some. Only its own browsers receive it. */
export const NoticesMessage = z.object({ type: z.literal('notices-changed') });

/** The progress or the end of a bulk run. */
export const BulkMessage = z.object({ type: z.literal('bulk-run'), data: BulkRun });

/** From the server over `/ws`. */
export const LiveMessage = z.union([
  RefreshMessage,
  StepMessage,
  LogMessage,
  InterviewsMessage,
  EditMessage,
  ReviewsMessage,
  CommentsMessage,
  BulkMessage,
  FunnelsMessage,
  DevicesMessage,
  SharesMessage,
  NoticesMessage,
]);
export type LiveMessage = z.infer<typeof LiveMessage>;
export type RefreshMessageType = (typeof refreshTypes)[number];
