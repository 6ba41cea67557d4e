import { sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { WrittenNote } from '#server/ports/ats.ts';

/** A note that is still in the ATS; `failure` is the reason why it could not be removed. */
export interface PendingNote {
  id: number;
  connectionId: string;
  url: string | null;
  failure: string | null;
}

/** A search may find a note for the first time this long after its creation. */
const SEARCH_MINUTES = 5;

/** Blocks workers that are about to write notes about these interviews. */
export const lockPushes = (tx: Executor, interviewIds: readonly string[]) =>
  sql`SELECT FROM ats_push WHERE interview_id = ANY(${interviewIds}::text[]) ORDER BY id FOR UPDATE`.execute(tx);

/** The notes about these interviews that are or may be in the ATS, by interview. */
export async function listWrittenNotes(db: Executor, interviewIds: readonly string[]) {
  const { rows } = await sql<{ id: string; notes: WrittenNote[] }>`
    SELECT interview_id AS id, jsonb_agg(jsonb_build_object('connectionId', connection_id, 'target', target,
      'noteId', parts ->> 'noteId', 'url', parts ->> 'url', 'marker', 'vim:' || interview_id,
      'writeBeganAt', write_began_at) ORDER BY ats_push.id) AS notes
    FROM ats_push
    WHERE interview_id = ANY(${interviewIds}::text[]) AND (parts IS NOT NULL OR write_began_at IS NOT NULL)
    GROUP BY interview_id ORDER BY interview_id
  `.execute(db);
  return new Map(rows.map(({ id, notes }) => [id, notes]));
}

/** Returns the ids of the removals. */
export async function insertRemovals(tx: Executor, notes: readonly WrittenNote[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO ats_removal (connection_id, target, note_id, marker, url, search_until)
    SELECT DISTINCT ON ("connectionId", coalesce("noteId", target::text)) "connectionId", target, "noteId", marker, url,
      coalesce("writeBeganAt", now()) + make_interval(mins => ${SEARCH_MINUTES})
    FROM jsonb_to_recordset(${JSON.stringify(notes)}::jsonb)
      AS note ("connectionId" text, target jsonb, "noteId" text, marker text, url text, "writeBeganAt" timestamptz)
    ON CONFLICT (connection_id, note_id) WHERE note_id IS NOT NULL DO UPDATE SET failure = NULL
    RETURNING id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

export interface RemovalRow extends WrittenNote, PendingNote {
  /** False once a note that is not found can be considered not stored. */
  maySearch: boolean;
}

const COLUMNS = sql`id, connection_id AS "connectionId", target, note_id AS "noteId", marker, url, failure,
  now() < search_until AS "maySearch"`;

export async function findRemoval(db: Executor, id: number): Promise<RemovalRow | undefined> {
  const { rows } = await sql<RemovalRow>`SELECT ${COLUMNS} FROM ats_removal WHERE id = ${id}`.execute(db);
  return rows[0];
}

export async function listRemovals(db: Executor): Promise<RemovalRow[]> {
  const { rows } = await sql<RemovalRow>`SELECT ${COLUMNS} FROM ats_removal ORDER BY id`.execute(db);
  return rows;
}

export const deleteRemoval = (tx: Executor, id: number) => tx.deleteFrom('ats_removal').where('id', '=', id).execute();

/** Returns false if the same failure is already stored. */
export async function updateRemovalFailure(tx: Executor, id: number, failure: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('ats_removal')
    .set({ failure })
    .where('id', '=', id)
    .where('failure', 'is distinct from', sql<string>`${failure}`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
