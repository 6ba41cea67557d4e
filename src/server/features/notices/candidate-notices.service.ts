import type { Executor } from '#server/db/database.ts';
import { listNoticesAbout, type NoticeAbout } from './notices.repo.ts';

export type { NoticeAbout } from './notices.repo.ts';

/** The notices that colleagues received about interviews. */
export const findNoticesAbout = (db: Executor, interviewIds: readonly string[]): Promise<NoticeAbout[]> =>
  listNoticesAbout(db, interviewIds);
