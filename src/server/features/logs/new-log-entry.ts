import type { LogStatus, LogType } from '#contracts/logs.ts';

/** What a feature says of something that happened. Never a password, key, cookie or transcript. */
export interface NewLogEntry {
  type: LogType;
  action: string;
  status: LogStatus;
  summary: string;
  details?: object | null;
  metadata?: object | null;
}
