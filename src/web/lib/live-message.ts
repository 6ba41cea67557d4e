import { z } from 'zod';
import {
  BulkMessage,
  InterviewSignal,
  type LiveMessage,
  LogMessage,
  type RefreshMessageType,
  Signal,
} from '#contracts/live.ts';
import { LogEntry } from '#contracts/logs.ts';
import { STEP_MESSAGE_TYPES } from '#contracts/rules/steps.ts';
import { RefreshStatus } from '#contracts/sync.ts';

/** A message whose type is not in our contract. */
export interface OtherMessage {
  type: 'other';
  /** The type that was received. */
  name: string;
  message: string;
}
export type ReceivedMessage = LiveMessage | OtherMessage;

/** Missing and unreadable fields have defaults. */
function refreshMessage<T extends RefreshMessageType>(type: T, { inProgress, error }: Partial<RefreshStatus>) {
  const absent: RefreshStatus = {
    inProgress: inProgress ?? false,
    processed: 0,
    total: 0,
    downloadedFiles: 0,
    totalFiles: 0,
    current: null,
    error: error ?? null,
    message: null,
    cancelRequested: false,
    funnelId: null,
    timeframe: null,
    queue: null,
  };
  const { shape } = RefreshStatus;
  const data = z.object({
    inProgress: shape.inProgress.catch(absent.inProgress),
    processed: shape.processed.catch(absent.processed),
    total: shape.total.catch(absent.total),
    downloadedFiles: shape.downloadedFiles.catch(absent.downloadedFiles),
    totalFiles: shape.totalFiles.catch(absent.totalFiles),
    current: shape.current.catch(absent.current),
    error: shape.error.catch(null).transform((text) => text || absent.error),
    message: shape.message.catch(absent.message),
    cancelRequested: shape.cancelRequested.catch(absent.cancelRequested),
    funnelId: shape.funnelId.catch(absent.funnelId),
    timeframe: shape.timeframe.catch(absent.timeframe),
    queue: shape.queue.catch(absent.queue),
  });
  return z.object({ type: z.literal(type), data: data.catch(absent) });
}

const stepMessage = z.object({
  type: z.enum(STEP_MESSAGE_TYPES),
  data: z
    .object({
      interviewId: z.string().catch(''),
      message: z.string().catch(''),
      progress: z.number().optional().catch(undefined),
      youtubeUrl: z.string().optional().catch(undefined),
      isGrouped: z.boolean().optional().catch(undefined),
    })
    .catch({ interviewId: '', message: '' }),
});

/** Defaults of fields that the specification does not have, or that may be missing. */
const NOT_SPECIFIED = { actor: null, details: null, metadata: null, isShortened: false };
const logMessage = LogMessage.extend({
  payload: z.preprocess((payload) => ({ ...NOT_SPECIFIED, ...Object(payload) }), LogEntry),
});

const KNOWN = z.union([
  // A status without `inProgress` is taken for a running refresh: polling then reads the full one.
  refreshMessage('refresh-status', { inProgress: true }),
  refreshMessage('refresh-progress', { inProgress: true }),
  refreshMessage('refresh-completed', {}),
  refreshMessage('refresh-error', { error: 'An unknown error occurred' }),
  stepMessage,
  logMessage,
  Signal,
  InterviewSignal,
  BulkMessage,
]);

const message = z.string().catch('');
const OTHER = z
  .object({ type: z.string(), message, data: z.object({ message }).catch({ message: '' }) })
  .transform(
    ({ type, message, data }): OtherMessage => ({ type: 'other', name: type, message: data.message || message }),
  );

/**
 * Reads a message tolerantly, because section 4 of the specification leaves its shape open.
 * @throws when it is not JSON, has no type, or is a log entry or an edit that cannot be read
 */
export function readLiveMessage(text: string): ReceivedMessage {
  const json: unknown = JSON.parse(text);
  const known = KNOWN.safeParse(json);
  if (known.success) return known.data;
  const other = OTHER.parse(json);
  if (STRICT.includes(other.name)) throw known.error;
  return other;
}

const STRICT: readonly string[] = ['system-log', 'interview-edited'];
