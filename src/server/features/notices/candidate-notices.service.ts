import type { Executor } from '#server/db/database.ts';
import { listNoticesAbout, type NoticeAbout } from './notices.repo.ts';

export type { NoticeAbout } from './notices.repo.ts';

/** What colleagues were told about interviews. */
export const findNoticesAbout = (db: Executor, interviewIds: readonly string[]): Promise<NoticeAbout[]> =>
  listNoticesAbout(db, interviewIds);
