import { type RawBuilder, sql } from 'kysely';
import type { AtsPush } from '#contracts/ats-pushes.ts';
import type { Executor } from '#server/db/database.ts';

/** The push of an interview that was requested last. `connection` is the name of the ATS. */
export type StoredPush = AtsPush & { connection: string };

/**
 * The current push of the interview with this alias. A verdict whose link was deleted counts as it
 * was sent.
 */
export const pushOf = (interview: string): RawBuilder<StoredPush | null> => {
  const column = (name: string) => sql.ref(`${interview}.${name}`);
  return sql`(
    SELECT jsonb_build_object('connection', push.connection_id, 'state', push.state, 'url', push.parts -> 'url',
      'error', push.error, 'sentAt', push.sent_at,
      'isChanged', push.sent_at IS NOT NULL AND (push.state <> 'sent' OR push.content_hash <> ats_content_hash(
        ${column('title')}, ${column('destination_id')}, push_text.summary_text,
        coalesce(item.verdict, push.verdict ->> 'verdict'),
        CASE WHEN item.verdict IS NULL THEN push.verdict ->> 'note' ELSE item.verdict_note END)))
    FROM ats_push AS push
    LEFT JOIN interview_text AS push_text ON push_text.interview_id = push.interview_id
    LEFT JOIN share_item AS item ON item.share_id = (push.verdict ->> 'shareId')::integer AND item.interview_id = push.interview_id
    WHERE push.interview_id = ${column('id')} AND push.is_current
  )`;
};

export async function findPush(db: Executor, interviewId: string): Promise<StoredPush | null> {
  const { rows } = await sql<{ push: StoredPush | null }>`
    SELECT ${pushOf('i')} AS push FROM interview AS i WHERE i.id = ${interviewId}
  `.execute(db);
  return rows[0]?.push ?? null;
}
