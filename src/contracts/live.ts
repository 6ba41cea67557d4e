import { z } from 'zod';
import { LogEntry } from './logs.ts';
import { STEP_MESSAGE_TYPES } from './rules/step-message-types.ts';
import { RefreshStatus } from './sync.ts';

/** Channels a browser may subscribe to. Refresh and step messages go to everybody without a subscription. */
export const CHANNELS = ['system-logs'] as const;
export type Channel = (typeof CHANNELS)[number];

/** What a browser sends over `/ws`. */
export const ClientMessage = z.object({ type: z.literal('subscribe'), channel: z.enum(CHANNELS) });

const refreshTypes = ['refresh-status', 'refresh-progress', 'refresh-completed', 'refresh-error'] as const;
export const RefreshMessage = z.object({ type: z.enum(refreshTypes), data: RefreshStatus });
/** `progress` messages (ours) say that a step is under way: `message` is its note, empty for none, `progress` the percent of a conversion. */
export const StepMessage = z.object({
  type: z.enum(STEP_MESSAGE_TYPES),
  data: z.object({ interviewId: z.string(), message: z.string(), progress: z.number().optional() }),
});
export type StepMessage = z.infer<typeof StepMessage>;
export const LogMessage = z.object({ type: z.literal('system-log'), action: z.literal('created'), payload: LogEntry });

/** Interviews have gone: whatever is shown of any is to be read again. */
export const InterviewsMessage = z.object({ type: z.literal('interviews-changed') });
/** Somebody has edited, linked or archived an interview, or taken it back: whoever shows it reads it again. */
export const EditMessage = z.object({
  type: z.literal('interview-edited'),
  data: z.object({ interviewId: z.string() }),
});
/** A funnel was made, changed, activated or deleted. */
export const FunnelsMessage = z.object({ type: z.literal('funnels-changed') });

/** Everything the server sends over `/ws`. */
export const LiveMessage = z.union([
  RefreshMessage,
  StepMessage,
  LogMessage,
  InterviewsMessage,
  EditMessage,
  FunnelsMessage,
]);
export type LiveMessage = z.infer<typeof LiveMessage>;
export type RefreshMessageType = (typeof refreshTypes)[number];
