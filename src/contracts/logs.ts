import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Moment, PageNumber, PageSize, RowPath } from './fields.ts';

export const LOG_TYPES = ['refresh', 'auth', 'system', 'error'] as const;
export const LogType = z.enum(LOG_TYPES, { error: 'must be refresh, auth, system or error' });
export type LogType = z.infer<typeof LogType>;

export const LogStatus = z.enum(['success', 'error', 'warning', 'info']);
export type LogStatus = z.infer<typeof LogStatus>;

/** Values are stored: add new ones, never rename one. */
const LOG_ACTIONS = [
  'activate-funnel',
  'add-account',
  'add-comment',
  'archive-interview',
  'bulk-run',
  'cancel-bulk-run',
  'cancel-refresh',
  'cancel-upload',
  'change-link',
  'change-outgoing-webhook',
  'change-password',
  'convert-interview',
  'create-api-token',
  'create-funnel',
  'create-webhook',
  'database-full',
  'database-outage',
  'database-unwritable',
  'decide-link',
  'default-credentials',
  'delete-comment',
  'delete-funnel',
  'disable-account',
  'dismiss-failures',
  'enable-account',
  'erase-candidate',
  'expire-link',
  'export-candidate',
  'export-interviews',
  'export-transcript',
  'file-store-outage',
  'invite-account',
  'link-identity',
  'load-recording',
  'mail-failed',
  'ats-connected',
  'ats-disconnected',
  'make-backup',
  'mark-answer',
  'move-files',
  'no-worker',
  'open-link',
  'open-reviews',
  'pause-automation',
  'pause-outgoing-webhook',
  'play-recording',
  'print-interviews',
  'read-quota-exceeded',
  'read-quota-half-used',
  'read-transcript',
  'refuse-upload',
  'refused-event',
  'remove-account',
  'remove-ats-note',
  'remove-published-video',
  'reset-second-factor',
  'restore-backup',
  'restore-funnel',
  'resume-automation',
  'reveal-api-key',
  'reveal-webhook',
  'revoke-api-token',
  'rotate-keys',
  'second-factor',
  'send-to-ats',
  'session-expired',
  'set-destination',
  'share-interviews',
  'sign-in',
  'sign-out',
  'sign-out-everywhere',
  'source-changed',
  'start',
  'start-refresh',
  'submit-review',
  'summarize-interview',
  'sync-interviews',
  'transcribe-interview',
  'unarchive-interview',
  'update-account',
  'update-comment',
  'update-funnel',
  'update-scorecard',
  'update-summary',
  'update-transcript',
  'upgrade',
  'upload-folder',
  'upload-recording',
  'virus-found',
  'watch-link',
  'withdraw-review',
] as const;
export type LogAction = (typeof LOG_ACTIONS)[number];

/**
 * Who caused an entry. `anonymous` is a request without a session. `automation` keeps a funnel up
 * to date; its account is the one that set it up.
 */
export const Actor = z.object({
  kind: z.enum(['account', 'anonymous', 'command', 'system', 'automation']),
  accountId: z.int().nullable(),
  /** The username of the account, or the operating-system user of a command. */
  name: z.string().nullable(),
  /** The client's address, or its network in IPv6. */
  address: z.string().nullable(),
  requestId: z.string().nullable(),
});
export type Actor = z.infer<typeof Actor>;

/** Frequent entries about what users view. Lists contain them only on request. */
export const VIEW_ACTIONS: readonly string[] = [
  'load-recording',
  'play-recording',
  'read-transcript',
] satisfies LogAction[];

/**
 * `details` and `metadata` depend on the action: see `RefreshLogDetails` and `RefreshLogMetadata`.
 */
export const LogEntry = z.object({
  id: z.int(),
  type: LogType,
  /** A `LogAction`, or an action of an older release. */
  action: z.string(),
  status: LogStatus,
  summary: z.string(),
  createdAt: Moment,
  /**
   * Entries of jobs have the actor who started the job. Null in entries of releases that did not
   * record it.
   */
  actor: Actor.nullable(),
  details: z.record(z.string(), z.unknown()).nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  /**
   * True in lists and live messages when details and metadata are null because of their size:
   * `getLog` returns them.
   */
  isShortened: z.boolean(),
});
export type LogEntry = z.infer<typeof LogEntry>;

/**
 * `details` of a `sync-interviews` entry. Lists end after 500 interviews, or earlier in an entry of
 * 256 KB; the metadata has full counts.
 */
export interface RefreshLogDetails {
  funnelName: string;
  funnelId: number;
  funnelApiId: string;
  processingTimeMs: number;
  skippedInterviews: { interviewId: string; title: string; reason: string }[];
  detailedChanges: Record<
    string,
    { title: string; fields: Record<string, { oldValue: string | null; newValue: string | null }> }
  >;
}

/** `metadata` of a `sync-interviews` entry. */
export interface RefreshLogMetadata {
  count: number;
  newCount: number;
  updatedCount: number;
  archivedCount: number;
  downloadedFiles: number;
  failedFiles: number;
  timeframe: string;
  funnelDetails: { id: number; name: string; funnelId: string; clientName: string | null };
  detailedSummary: { totalFieldChanges: number; updatedInterviewIds: string[]; skippedInterviewCount: number };
}

export const listLogs = endpoint({
  method: 'GET',
  path: '/api/logs',
  summary: 'Log entries, newest first',
  role: 'recruiter',
  scope: 'logs',
  query: z.object({
    page: PageNumber,
    limit: PageSize,
    type: LogType.optional(),
    startDate: Moment.optional(),
    endDate: Moment.optional(),
    /** Not in the specification. Also lists the entries of `VIEW_ACTIONS`. */
    views: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
  }),
  response: z.object({ logs: z.array(LogEntry), total: z.int() }),
});

/** Not in the specification. */
export const getLog = endpoint({
  method: 'GET',
  path: '/api/logs/:id',
  summary: 'A log entry with all its details',
  role: 'recruiter',
  scope: 'logs',
  params: RowPath,
  response: LogEntry,
});
