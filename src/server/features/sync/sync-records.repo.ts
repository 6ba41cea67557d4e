import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import type { FileKind } from '../../ports/file-store.ts';
import type { ImportOutcome } from '../interviews/interviews.service.ts';

export interface PendingFile {
  interviewId: string;
  kind: FileKind;
  url: string;
  /** False while nobody knows how long the recording is. */
  lengthIsKnown: boolean;
}

/** Characters of a value in the log; a longer one is cut. */
const LONGEST_VALUE = 1_000;

/** Keeps what a page changed and skipped, for the log entry at the end. A row that is there already says the same. */
export async function recordOutcome(
  tx: Executor,
  runId: string,
  { changed, skipped, wantedFiles }: ImportOutcome,
): Promise<{ skipped: number; files: number }> {
  const changes = changed.flatMap(({ interviewId, title, fields }) =>
    fields.map(({ field, oldValue, newValue }) => ({
      interviewId,
      title,
      field,
      oldValue: cut(oldValue),
      newValue: cut(newValue),
    })),
  );
  if (changes.length > 0) {
    await sql`
      INSERT INTO sync_change (run_id, interview_id, field, title, old_value, new_value)
      SELECT ${runId}::uuid, c."interviewId", c.field, c.title, c."oldValue", c."newValue"
      FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
        AS c ("interviewId" text, field text, title text, "oldValue" text, "newValue" text)
      ON CONFLICT DO NOTHING
    `.execute(tx);
  }
  return { skipped: await insertSkips(tx, runId, skipped), files: await insertFiles(tx, runId, wantedFiles) };
}

const cut = (value: string | null) =>
  value && value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value;

async function insertSkips(tx: Executor, runId: string, skipped: ImportOutcome['skipped']): Promise<number> {
  if (skipped.length === 0) return 0;
  const { numAffectedRows } = await sql`
    INSERT INTO sync_skip (run_id, interview_id, title, reason)
    SELECT ${runId}::uuid, s."interviewId", s.title, s.reason
    FROM jsonb_to_recordset(${JSON.stringify(skipped)}::jsonb) AS s ("interviewId" text, title text, reason text)
    ON CONFLICT DO NOTHING
  `.execute(tx);
  return Number(numAffectedRows ?? 0);
}

async function insertFiles(tx: Executor, runId: string, files: ImportOutcome['wantedFiles']): Promise<number> {
  if (files.length === 0) return 0;
  const { numAffectedRows } = await sql`
    INSERT INTO sync_file (run_id, interview_id, kind, url)
    SELECT ${runId}::uuid, f."interviewId", f.kind, f.url
    FROM jsonb_to_recordset(${JSON.stringify(files)}::jsonb) AS f ("interviewId" text, kind text, url text)
    ON CONFLICT DO NOTHING
  `.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** The next files to fetch, in a steady order. */
export async function pendingFiles(db: Executor, runId: string, limit: number): Promise<PendingFile[]> {
  const rows = await db
    .selectFrom('sync_file')
    .innerJoin('interview', 'interview.id', 'sync_file.interview_id')
    .select(['interview_id as interviewId', 'kind', 'url', sql<boolean>`duration_seconds > 0`.as('lengthIsKnown')])
    .where('run_id', '=', runId)
    .where('failure', 'is', null)
    .orderBy('interview_id')
    .orderBy('kind')
    .limit(limit)
    .execute();
  return rows as PendingFile[];
}

/** Resolves with how many were in the list. */
export async function forgetFiles(tx: Executor, runId: string, files: readonly PendingFile[]): Promise<number> {
  if (files.length === 0) return 0;
  const { numAffectedRows } = await sql`
    DELETE FROM sync_file AS f
    USING unnest(${files.map(({ interviewId }) => interviewId)}::text[], ${files.map(({ kind }) => kind)}::text[]) AS done (id, kind)
    WHERE f.run_id = ${runId} AND f.interview_id = done.id AND f.kind = done.kind
  `.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function markFailed(tx: Executor, runId: string, file: PendingFile, failure: string): Promise<boolean> {
  const marked = await tx
    .updateTable('sync_file')
    .set({ failure })
    .where('run_id', '=', runId)
    .where('interview_id', '=', file.interviewId)
    .where('kind', '=', file.kind)
    .where('failure', 'is', null)
    .returning('kind')
    .executeTakeFirst();
  return marked !== undefined;
}

/** Why files failed, when all of them did for the same reason; null else. */
export async function commonFailure(db: Executor, runId: string): Promise<string | null> {
  const reasons = await db
    .selectFrom('sync_file')
    .select('failure')
    .distinct()
    .where('run_id', '=', runId)
    .where('failure', 'is not', null)
    .limit(2)
    .execute();
  return reasons.length === 1 ? (reasons[0]?.failure ?? null) : null;
}

/** What the log entry lists; the counts of the run are whole, these lists are cut at `most` interviews. */
export async function readRecords(db: Executor, runId: string, most: number) {
  const skipped = await db
    .selectFrom('sync_skip')
    .select(['interview_id as interviewId', 'title', 'reason'])
    .where('run_id', '=', runId)
    .orderBy('interview_id')
    .limit(most)
    .execute();
  const changes = await db
    .selectFrom('sync_change')
    .selectAll()
    .where('run_id', '=', runId)
    .where('interview_id', 'in', (query) =>
      query
        .selectFrom('sync_change')
        .select('interview_id')
        .distinct()
        .where('run_id', '=', runId)
        .orderBy('interview_id')
        .limit(most),
    )
    .orderBy('interview_id')
    .orderBy('field')
    .execute();
  const failures = await db
    .selectFrom('sync_file')
    .select(['interview_id as interviewId', 'kind', 'failure as reason'])
    .where('run_id', '=', runId)
    .where('failure', 'is not', null)
    .orderBy('interview_id')
    .limit(most)
    .execute();
  return { skipped, changes, failures };
}

/** The log entry holds them now. */
export async function clearRecords(tx: Executor, runId: string): Promise<void> {
  await tx.deleteFrom('sync_change').where('run_id', '=', runId).execute();
  await tx.deleteFrom('sync_skip').where('run_id', '=', runId).execute();
  await tx.deleteFrom('sync_file').where('run_id', '=', runId).execute();
}
