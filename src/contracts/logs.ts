import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Moment, PageNumber, PageSize } from './fields.ts';

export const LOG_TYPES = ['refresh', 'auth', 'system', 'error'] as const;
export const LogType = z.enum(LOG_TYPES, { error: 'must be refresh, auth, system or error' });
export type LogType = z.infer<typeof LogType>;

export const LOG_STATUSES = ['success', 'error', 'warning', 'info'] as const;
export const LogStatus = z.enum(LOG_STATUSES);
export type LogStatus = z.infer<typeof LogStatus>;

/** What happened, for people. `details` and `metadata` are open objects; a refresh fills the ones of `RefreshLogDetails`. */
export const LogEntry = z.object({
  id: z.int(),
  type: LogType,
  action: z.string(),
  status: LogStatus,
  summary: z.string(),
  createdAt: Moment,
  details: z.record(z.string(), z.unknown()).nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
});
export type LogEntry = z.infer<typeof LogEntry>;

/** `details` of a `sync-interviews` entry. The lists are cut at 500 interviews; the counts of the metadata are always whole. */
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
  query: z.object({
    page: PageNumber,
    limit: PageSize,
    type: LogType.optional(),
    startDate: Moment.optional(),
    endDate: Moment.optional(),
  }),
  response: z.object({ logs: z.array(LogEntry), total: z.int() }),
});
