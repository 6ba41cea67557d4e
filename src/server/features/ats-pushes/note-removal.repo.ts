import { sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { AtsTarget } from '#server/ports/ats.ts';

/** A note that is or may be in the ATS. */
export interface WrittenNote {
  connectionId: string;
  target: AtsTarget;
  /** Null if it is unknown whether the note was stored. */
  noteId: string | null;
  marker: string;
  url: string | null;
  /** When its creation began, if the outcome is unknown. ISO 8601. */
  writeBeganAt: string | null;
}

/** A note that is still in the ATS; `failure` is the reason why it could not be removed. */
export interface PendingNote {
  id: number;
  connectionId: string;
  url: string | null;
  failure: string | null;
}

/** A search may find a note for the first time this long after its creation. */
const SEARCH_MINUTES = 5;

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
