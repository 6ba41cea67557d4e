import { type Insertable, type Selectable, sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

export type DeletedInterviewRow = Selectable<DB['deleted_interview']>;

export const insertDeletedInterviews = (tx: Executor, rows: readonly Insertable<DB['deleted_interview']>[]) =>
  tx.insertInto('deleted_interview').values(rows).execute();

/** Oldest first. */
export const listDeletedInterviews = (
  db: Executor,
  { ids, emailMarks }: { ids: readonly string[]; emailMarks: readonly Buffer[] },
): Promise<DeletedInterviewRow[]> =>
  db
    .selectFrom('deleted_interview')
    .selectAll()
    .where((q) =>
      q.or([
        q('interview_id', '=', sql<string>`ANY(${ids}::text[])`),
        q('email_mark', '=', sql<Buffer>`ANY(${emailMarks}::bytea[])`),
      ]),
    )
    .orderBy('id')
    .execute();

/** In the order of their deletion, after `last`. */
export const listDeletedInterviewsAfter = (db: Executor, last: number, limit: number): Promise<DeletedInterviewRow[]> =>
  db.selectFrom('deleted_interview').selectAll().where('id', '>', last).orderBy('id').limit(limit).execute();

export const deleteDeletedInterviews = (tx: Executor, rowIds: readonly number[]) =>
  tx.deleteFrom('deleted_interview').where('id', '=', sql<number>`ANY(${rowIds}::bigint[])`).execute();

export const deleteDeletedInterviewsBefore = (db: Executor, moment: Date) =>
  db.deleteFrom('deleted_interview').where('deleted_at', '<', moment).execute();
