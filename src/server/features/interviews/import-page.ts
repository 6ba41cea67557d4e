import { type Selectable, sql } from 'kysely';
import { FILE_REMOVAL_LOCK } from '../../db/advisory-locks.ts';
import type { Executor } from '../../db/database.ts';
import type { DB } from '../../db/tables.ts';
import type { FileKind } from '../../ports/file-store.ts';
import type { SourceInterview } from '../../ports/interview-source.ts';
import {
  type FieldChange,
  fieldChanges,
  hasNewSignature,
  type SourceColumns,
  sourceColumns,
} from './compare-interview.ts';
import { fileName } from './file-names.ts';

type Stored = Selectable<DB['interview']>;

/** What a page changed. */
export interface ImportOutcome {
  newCount: number;
  /** Per changed interview. */
  changed: { interviewId: string; title: string; fields: FieldChange[] }[];
  archivedCount: number;
  skipped: { interviewId: string; title: string; reason: string }[];
  /** Files that are not here, or no longer the ones that the source names. */
  wantedFiles: { interviewId: string; kind: FileKind; url: string }[];
  /** Files that no interview names any more; to be removed after the commit. */
  staleFiles: { kind: FileKind; name: string }[];
}

type Row = SourceColumns & { id: string };

/**
 * Writes a page of the source into the funnel, in sets: one statement reads what is there, one inserts what is new, one updates what
 * differs. What is the same is not written at all. Runs inside the caller's transaction.
 */
export async function importPage(
  tx: Executor,
  funnelId: number,
  interviews: readonly SourceInterview[],
): Promise<ImportOutcome> {
  // An interview may come twice in a page.
  const incoming = new Map(interviews.map((interview) => [interview.id, interview]));
  const rows = await tx
    .selectFrom('interview')
    .selectAll()
    .where('id', '=', sql<string>`ANY(${[...incoming.keys()]}::text[])`)
    .execute();
  const stored = new Map(rows.map((row) => [row.id, row]));

  const outcome: ImportOutcome = {
    newCount: 0,
    changed: [],
    archivedCount: 0,
    skipped: [],
    wantedFiles: [],
    staleFiles: [],
  };
  const inserts: Row[] = [];
  const updates: Row[] = [];
  const now = new Date();
  for (const source of incoming.values()) {
    const known = stored.get(source.id) ?? null;
    const skip = known && reasonToSkip(known, funnelId);
    if (skip) {
      outcome.skipped.push({ interviewId: source.id, title: known.title, reason: skip });
      if (known.funnel_id === funnelId) outcome.archivedCount += 1;
      continue;
    }
    const next = { id: source.id, ...sourceColumns(source, known, now) };
    outcome.wantedFiles.push(...wantedFiles(next, known));
    if (!known) inserts.push(next);
    else collectUpdate(known, next, outcome, updates);
  }
  outcome.newCount = inserts.length;
  // Updates first: they wait for whoever edits an interview, and inserting holds the listing's lock, which the editor waits for.
  await updateInterviews(tx, updates);
  await insertInterviews(tx, funnelId, inserts);
  return outcome;
}

function reasonToSkip(known: Stored, funnelId: number): string | null {
  if (known.funnel_id !== funnelId) return 'This interview already belongs to another funnel.';
  return known.archived_at === null ? null : 'This interview is archived and is not updated.';
}

function collectUpdate(known: Stored, next: Row, outcome: ImportOutcome, updates: Row[]): void {
  const fields = fieldChanges(known, next);
  if (fields.length > 0) outcome.changed.push({ interviewId: next.id, title: next.title, fields });
  if (fields.length > 0 || hasNewSignature(known, next)) updates.push(next);
  if (known.video_file && !next.video_file) outcome.staleFiles.push({ kind: 'video', name: known.video_file });
  if (known.thumbnail_file && !next.thumbnail_file) {
    outcome.staleFiles.push({ kind: 'thumbnail', name: known.thumbnail_file });
  }
}

function wantedFiles(next: Row, known: Stored | null): ImportOutcome['wantedFiles'] {
  const files = [
    { kind: 'video', url: next.video_url, here: known?.video_file },
    { kind: 'thumbnail', url: next.thumbnail_url, here: known?.thumbnail_file },
  ] as const;
  return files.flatMap(({ kind, url, here }) =>
    url !== null && here !== fileName(kind, next.id, url) ? [{ interviewId: next.id, kind, url }] : [],
  );
}

const RECORD = sql`AS source (
  id text, title text, description text, candidate_name text, candidate_email text, candidate_phone text, recorded_at timestamptz,
  created_at timestamptz, source_updated_at timestamptz, duration_seconds int, original_url text, thumbnail_url text, video_url text,
  questions jsonb, video_file text, thumbnail_file text
)`;

async function insertInterviews(tx: Executor, funnelId: number, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    INSERT INTO interview (funnel_id, id, title, description, candidate_name, candidate_email, candidate_phone, recorded_at, created_at,
      source_updated_at, duration_seconds, original_url, thumbnail_url, video_url, questions, video_file, thumbnail_file)
    SELECT ${funnelId}, source.* FROM (SELECT pg_advisory_xact_lock_shared(${FILE_REMOVAL_LOCK})) AS held,
      jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) ${RECORD}
  `.execute(tx);
}

/**
 * An interview that is archived while the page is being written stays as it is. The rows are locked in the order of their ids, as by
 * everyone who locks several: an update by itself takes them in an order of its own.
 */
async function updateInterviews(tx: Executor, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    WITH locked AS MATERIALIZED (
      SELECT id FROM interview WHERE id = ANY(${rows.map(({ id }) => id)}::text[]) ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE interview AS i SET
      title = source.title, description = source.description, candidate_name = source.candidate_name,
      candidate_email = source.candidate_email, candidate_phone = source.candidate_phone, recorded_at = source.recorded_at,
      created_at = source.created_at, source_updated_at = source.source_updated_at, duration_seconds = source.duration_seconds,
      original_url = source.original_url, thumbnail_url = source.thumbnail_url, video_url = source.video_url, questions = source.questions,
      video_file = source.video_file, thumbnail_file = source.thumbnail_file
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) ${RECORD} JOIN locked USING (id)
    WHERE i.id = source.id AND i.archived_at IS NULL
  `.execute(tx);
}
