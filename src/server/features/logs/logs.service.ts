import type { Answer, HandlerInput } from '#contracts/endpoint.ts';
import type { LogEntry, listLogs } from '#contracts/logs.ts';
import type { Database, Executor } from '../../db/database.ts';
import { announce } from '../../live/bus.ts';
import { deleteLogsBefore, findLog, insertLog, readLogs } from './logs.repo.ts';
import { viewLogEntry } from './logs.view.ts';
import type { NewLogEntry } from './new-log-entry.ts';

const DAY_MS = 86_400_000;

export type { NewLogEntry };

/** The system log: what happened, for the staff. */
export interface Logs {
  /** Writes with the surrounding transaction, and tells every browser that watches once it is committed. */
  write(db: Executor, entry: NewLogEntry): Promise<void>;
  list(query: HandlerInput<typeof listLogs>['query']): Promise<Answer<typeof listLogs>>;
  find(id: number): Promise<LogEntry | null>;
  /** Removes what is older than the retention. */
  sweep(): Promise<void>;
}

export function openLogs(db: Database, retentionDays: number): Logs {
  return {
    async write(executor, entry) {
      const id = await insertLog(executor, entry);
      await announce(executor, 'log', String(id));
    },
    list: (query) => readLogs(db, query),
    async find(id) {
      const row = await findLog(db, id);
      return row ? viewLogEntry(row) : null;
    },
    sweep: () => deleteLogsBefore(db, new Date(Date.now() - retentionDays * DAY_MS)),
  };
}
