import { type RawBuilder, sql } from 'kysely';
import type { AtsPush } from '#contracts/ats-pushes.ts';
import type { Executor } from '#server/db/database.ts';
import type { WrittenNote } from '#server/features/ats-pushes/note-removal.service.ts';

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

/** The notes about an interview that are or may be in the ATS. `id` is the column with its id. */
export const writtenNotes = (id: string): RawBuilder<WrittenNote[]> => sql`coalesce((
  SELECT jsonb_agg(jsonb_build_object('connectionId', push.connection_id, 'target', push.target,
    'noteId', push.parts ->> 'noteId', 'url', push.parts ->> 'url', 'marker', 'vim:' || push.interview_id,
    'writeBeganAt', push.write_began_at) ORDER BY push.id)
  FROM ats_push AS push
  WHERE push.interview_id = ${sql.ref(id)} AND (push.parts IS NOT NULL OR push.write_began_at IS NOT NULL)), '[]')`;

/** Blocks workers that are about to write notes about these interviews. */
export const lockPushes = (tx: Executor, interviewIds: RawBuilder<unknown>) =>
  sql`SELECT FROM ats_push WHERE interview_id IN (${interviewIds}) ORDER BY id FOR UPDATE`.execute(tx);
