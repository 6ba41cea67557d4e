import { type RawBuilder, sql } from 'kysely';
import type { PushState } from '#contracts/ats-pushes.ts';
import type { ClientVerdict } from '#contracts/shares.ts';
import type { Executor } from '#server/db/database.ts';
import type { AtsNote, AtsTarget, StoredNote } from '#server/ports/ats.ts';
import { type Attempt, lostAttempts, type ReleaseColumns, RunLost } from '#server/runs/run.ts';

/** A client's verdict as it appears in a note. */
export interface NoteVerdict {
  shareId: number;
  recipient: string;
  verdict: ClientVerdict;
  note: string | null;
}

/** The facts about an interview from which its note is written. */
export interface PushContent {
  interviewId: string;
  funnelId: number;
  title: string;
  recordedAt: Date;
  email: string | null;
  destinationId: string | null;
  summary: string | null;
  contentHash: string;
}

/** The hash covers `verdict`. Returns undefined if the interview does not exist. */
export async function findContent(db: Executor, interviewId: string, verdict: NoteVerdict | null) {
  const [content] = await listContents(db, [interviewId], verdict);
  return content;
}

/** Ordered by id. */
export async function listContents(db: Executor, interviewIds: readonly string[], verdict: NoteVerdict | null = null) {
  const { rows } = await sql<PushContent>`
    SELECT i.id AS "interviewId", i.funnel_id AS "funnelId", i.title, i.recorded_at AS "recordedAt",
      i.candidate_email AS email, i.destination_id AS "destinationId", t.summary_text AS summary,
      ats_content_hash(i.title, i.destination_id, t.summary_text, ${verdict?.verdict ?? null}, ${verdict?.note ?? null}) AS "contentHash"
    FROM interview AS i LEFT JOIN interview_text AS t ON t.interview_id = i.id
    WHERE i.id = ANY(${interviewIds}::text[]) ORDER BY i.id
  `.execute(db);
  return rows;
}

/** A note without its marker. */
export type NoteContent = Omit<AtsNote, 'marker'>;

export interface PushRow {
  id: number;
  interviewId: string;
  connectionId: string;
  target: AtsTarget;
  isChecked: boolean;
  verdict: NoteVerdict | null;
  contentHash: string;
  note: NoteContent | null;
  state: PushState;
  parts: { noteId: string; url: string | null } | null;
  attempts: number;
  checks: number;
  error: string | null;
  writeBeganAt: Date | null;
  dueAt: Date | null;
  requestedAt: Date;
  sentAt: Date | null;
}

const COLUMNS = sql`
  id, interview_id AS "interviewId", connection_id AS "connectionId", target, is_checked AS "isChecked", verdict,
  content_hash AS "contentHash", note, state, parts, attempts, checks, error, write_began_at AS "writeBeganAt",
  due_at AS "dueAt", requested_at AS "requestedAt", sent_at AS "sentAt"`;

export async function listCurrentPushes(db: Executor, interviewIds: readonly string[]): Promise<PushRow[]> {
  const { rows } = await sql<PushRow>`
    SELECT ${COLUMNS} FROM ats_push WHERE interview_id = ANY(${interviewIds}::text[]) AND is_current
  `.execute(db);
  return rows;
}

/** A push that ends in the meantime waits until the transaction ends. */
export async function lockCurrentPushes(tx: Executor, interviewIds: readonly string[]): Promise<PushRow[]> {
  const { rows } = await sql<PushRow>`
    SELECT ${COLUMNS} FROM ats_push WHERE interview_id = ANY(${interviewIds}::text[]) AND is_current
    ORDER BY id FOR NO KEY UPDATE
  `.execute(tx);
  return rows;
}

export interface NewPush
  extends Pick<PushRow, 'interviewId' | 'connectionId' | 'target' | 'isChecked' | 'verdict' | 'contentHash'> {
  note: NoteContent;
  /** When a creation of this note for another target began, if its outcome is unknown. */
  writeBeganAt: Date | null;
}

/**
 * Requests a push of a locked interview. If there is one to the same candidate and job, the ATS
 * keeps one note, whose content is replaced.
 */
export async function upsertPush(tx: Executor, push: NewPush): Promise<PushRow> {
  const { interviewId, connectionId, isChecked, contentHash, writeBeganAt } = push;
  const [target, verdict, note] = [push.target, push.verdict, push.note].map((value) => value && JSON.stringify(value));
  await sql`UPDATE ats_push SET is_current = false WHERE interview_id = ${interviewId} AND is_current`.execute(tx);
  const { rows } = await sql<PushRow>`
    INSERT INTO ats_push (interview_id, connection_id, target, is_checked, verdict, content_hash, note, write_began_at, due_at)
    VALUES (${interviewId}, ${connectionId}, ${target}::jsonb, ${isChecked}, ${verdict}::jsonb, ${contentHash}, ${note}::jsonb, ${writeBeganAt}, now())
    ON CONFLICT (interview_id, connection_id, target) DO UPDATE SET
      is_current = true, is_checked = excluded.is_checked, verdict = excluded.verdict, content_hash = excluded.content_hash,
      note = excluded.note, write_began_at = greatest(ats_push.write_began_at, excluded.write_began_at),
      state = 'pending', attempts = 0, checks = 0, error = NULL, due_at = now(), requested_at = now()
    RETURNING ${COLUMNS}
  `.execute(tx);
  const [row] = rows;
  if (!row) throw new Error('A push was neither inserted nor updated');
  return row;
}

/** Makes the next attempt due now. */
export const updateDueNow = (tx: Executor, id: number) =>
  sql`UPDATE ats_push SET due_at = now() WHERE id = ${id}`.execute(tx);

/** A push and the worker that has claimed it. */
export interface ClaimedPush extends PushRow {
  worker: string;
  lost_attempts: number;
  title: string;
  funnelId: number;
  /** How long ago the last creation began. */
  ageMs: number;
}

/**
 * Claims the push. The previous owner is fenced off at its next write. Returns undefined if no
 * attempt is due.
 */
export async function claimPush(db: Executor, id: number, { process, worker }: Attempt) {
  const { rows } = await sql<ClaimedPush>`
    UPDATE ats_push SET worker = ${worker}, process = ${process}, lost_attempts = ${lostAttempts('process', process)}
    WHERE id = ${id} AND state IN ('pending', 'unclear') AND due_at <= now() + interval '100 ms'
    RETURNING ${COLUMNS}, worker, lost_attempts, (SELECT title FROM interview WHERE interview.id = interview_id) AS title,
      (SELECT funnel_id FROM interview WHERE interview.id = interview_id) AS "funnelId",
      coalesce(extract(epoch FROM now() - write_began_at), 0)::float8 * 1000 AS "ageMs"
  `.execute(db);
  return rows[0];
}

export const releasePush = (db: Executor, { id, worker }: ClaimedPush, columns: ReleaseColumns) =>
  db
    .updateTable('ats_push')
    .set({ ...columns, process: null })
    .where('id', '=', id)
    .where('worker', '=', worker)
    .execute();

/** The payloads of the pushes that must have a job. */
export const OPEN_PUSHES = sql`SELECT jsonb_build_object('pushId', id) AS payload FROM ats_push WHERE due_at IS NOT NULL`;

/** @throws RunLost if another worker owns the push, or it was deleted */
async function updateOwned(tx: Executor, { id, worker }: ClaimedPush, assignments: RawBuilder<unknown>): Promise<void> {
  const { numAffectedRows } = await sql`
    UPDATE ats_push SET ${assignments} WHERE id = ${id} AND worker = ${worker}
  `.execute(tx);
  if (!numAffectedRows) throw new RunLost();
}

const partsOf = (note: StoredNote | null) => note && JSON.stringify({ noteId: note.id, url: note.url });

/** @throws RunLost */
export async function updateWriteBegan(db: Executor, { id, worker }: ClaimedPush): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    UPDATE ats_push SET write_began_at = now(), attempts = attempts + 1, checks = 0
    WHERE id = ${id} AND worker = ${worker} RETURNING write_began_at AS at
  `.execute(db);
  if (!rows[0]) throw new RunLost();
  return rows[0].at;
}

/** Records a note that was found, or stored incompletely. @throws RunLost */
export const updateParts = (tx: Executor, push: ClaimedPush, note: StoredNote | null): Promise<void> =>
  updateOwned(tx, push, sql`parts = ${partsOf(note)}::jsonb, write_began_at = NULL`);

/** @throws RunLost */
export const updateSent = (tx: Executor, push: ClaimedPush, note: StoredNote): Promise<void> =>
  updateOwned(
    tx,
    push,
    sql`state = 'sent', parts = ${partsOf(note)}::jsonb, note = NULL, error = NULL, attempts = 0, checks = 0,
      write_began_at = NULL, due_at = NULL, sent_at = now()`,
  );

export interface PushPause {
  state: PushState;
  error: string;
  /** Null: no further attempt. */
  dueAt: Date | null;
  /** False if the ATS is known to have stored nothing. */
  mayBeStored: boolean;
}

/** Postpones an unsent push, or ends it. @throws RunLost */
export const updatePaused = (
  tx: Executor,
  push: ClaimedPush,
  { state, error, dueAt, mayBeStored }: PushPause,
): Promise<void> =>
  updateOwned(
    tx,
    push,
    sql`state = ${state}, error = ${error}, due_at = ${dueAt}, checks = checks + 1,
      write_began_at = CASE WHEN ${mayBeStored} THEN write_began_at END`,
  );
