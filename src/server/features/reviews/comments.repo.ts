import type { Insertable, Selectable } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

export type CommentRow = Selectable<DB['comment']>;

/** Ordered by the moment in the recording, then by creation. */
export const listComments = (db: Executor, interviewId: string): Promise<CommentRow[]> =>
  db
    .selectFrom('comment')
    .selectAll()
    .where('interview_id', '=', interviewId)
    .orderBy('at_seconds')
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export async function countComments(tx: Executor, interviewId: string): Promise<number> {
  const { n } = await tx
    .selectFrom('comment')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('interview_id', '=', interviewId)
    .executeTakeFirstOrThrow();
  return n;
}

export const findComment = (db: Executor, id: string): Promise<CommentRow | undefined> =>
  db.selectFrom('comment').selectAll().where('id', '=', id).executeTakeFirst();

export const insertComment = (tx: Executor, comment: Insertable<DB['comment']>) =>
  tx.insertInto('comment').values(comment).returningAll().executeTakeFirstOrThrow();

/** Returns undefined if the comment was deleted in the meantime. */
export const updateComment = (tx: Executor, id: string, { body, atSeconds }: { body: string; atSeconds: number }) =>
  tx
    .updateTable('comment')
    .set({ body, at_seconds: atSeconds, edited_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

/** Returns false if the comment was deleted in the meantime. */
export async function deleteComment(tx: Executor, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('comment').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}
