import { sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import { cutValue } from '#server/events/log-texts.ts';
import type { InterviewFile, MergeOutcome } from '#server/features/interviews/interviews.service.ts';

export type PendingFile = InterviewFile & { hasDuration: boolean };

/**
 * Stores the changes and skips of a page for the log entry at the end of the run, and the files to
 * download. Returns the number of new skips and files. Rows that exist already are equal.
 */
export async function insertOutcome(tx: Executor, runId: string, { changed, skipped, wantedFiles }: MergeOutcome) {
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

/** The log cuts values too; cutting earlier keeps the table small. */
const cut = (value: string | null) => value && cutValue(value);

/** The rest is only counted. */
const MAX_STORED_SKIPS = 500;

async function insertSkips(tx: Executor, runId: string, skipped: MergeOutcome['skipped']): Promise<number> {
  if (skipped.length === 0) return 0;
  const { rows } = await sql<{ count: number }>`
    WITH stored AS (SELECT interview_id FROM sync_skip WHERE run_id = ${runId}),
    added AS (
      SELECT DISTINCT ON (s."interviewId") s."interviewId", s.title, s.reason
      FROM jsonb_to_recordset(${JSON.stringify(skipped)}::jsonb) AS s ("interviewId" text, title text, reason text)
      WHERE s."interviewId" NOT IN (SELECT interview_id FROM stored)
    ),
    inserted AS (
      INSERT INTO sync_skip (run_id, interview_id, title, reason)
      SELECT ${runId}::uuid, * FROM added LIMIT greatest(0, ${MAX_STORED_SKIPS} - (SELECT count(*) FROM stored))
    )
    SELECT count(*)::integer AS count FROM added
  `.execute(tx);
  return rows[0]?.count ?? 0;
}

async function insertFiles(tx: Executor, runId: string, files: MergeOutcome['wantedFiles']): Promise<number> {
  if (files.length === 0) return 0;
  const { numAffectedRows } = await sql`
    INSERT INTO sync_file (run_id, interview_id, segment_id, kind, url)
    SELECT ${runId}::uuid, f."interviewId", coalesce(f."segmentId", ''), f.kind, f.url
    FROM jsonb_to_recordset(${JSON.stringify(files)}::jsonb)
      AS f ("interviewId" text, "segmentId" text, kind text, url text)
    ON CONFLICT DO NOTHING
  `.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** The next files to download, in a stable order. */
export async function listPendingFiles(db: Executor, runId: string, limit: number): Promise<PendingFile[]> {
  const rows = await db
    .selectFrom('sync_file')
    .innerJoin('interview', 'interview.id', 'sync_file.interview_id')
    .select(['interview_id as interviewId', 'kind', 'url'])
    .select([
      sql<string | null>`nullif(segment_id, '')`.as('segmentId'),
      sql<boolean>`duration_seconds > 0 AND segment_id = ''`.as('hasDuration'),
    ])
    .where('run_id', '=', runId)
    .where('failure', 'is', null)
    .orderBy('interview_id')
    .orderBy('kind')
    .orderBy('segment_id')
    .limit(limit)
    .execute();
  return rows as PendingFile[];
}

/** Returns the number of deleted files. */
export async function deleteFiles(tx: Executor, runId: string, files: readonly PendingFile[]): Promise<number> {
  if (files.length === 0) return 0;
  const { numAffectedRows } = await sql`
    DELETE FROM sync_file AS f USING ${endedFiles(files)} WHERE ${isEnded(runId)}
  `.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Returns the number of files that had not failed before and still exist. */
export async function updateFileFailures(
  tx: Executor,
  runId: string,
  files: readonly (PendingFile & { failure: string })[],
): Promise<number> {
  if (files.length === 0) return 0;
  const { numAffectedRows } = await sql`
    UPDATE sync_file AS f SET failure = ended.failure FROM ${endedFiles(files)}
    WHERE ${isEnded(runId)} AND f.failure IS NULL
  `.execute(tx);
  return Number(numAffectedRows ?? 0);
}

const endedFiles = (files: readonly PendingFile[]) => sql`
  jsonb_to_recordset(${JSON.stringify(files)}::jsonb) AS ended ("interviewId" text, "segmentId" text, kind text, failure text)`;

const isEnded = (runId: string) => sql`f.run_id = ${runId}::uuid
  AND f.interview_id = ended."interviewId" AND f.kind = ended.kind AND f.segment_id = coalesce(ended."segmentId", '')`;

/** The reason that all failed files share; null when there are several. */
export async function findCommonFailure(db: Executor, runId: string): Promise<string | null> {
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

/** The records for the log entry, each list limited to `limit` interviews. */
export async function listRecords(db: Executor, runId: string, limit: number) {
  const skipped = await db
    .selectFrom('sync_skip')
    .select(['interview_id as interviewId', 'title', 'reason'])
    .where('run_id', '=', runId)
    .orderBy('interview_id')
    .limit(limit)
    .execute();
  const changes = await db
    .selectFrom('sync_change')
    .select(['interview_id as interviewId', 'title', 'field', 'old_value as oldValue', 'new_value as newValue'])
    .where('run_id', '=', runId)
    .where('interview_id', 'in', (query) =>
      query
        .selectFrom('sync_change')
        .select('interview_id')
        .distinct()
        .where('run_id', '=', runId)
        .orderBy('interview_id')
        .limit(limit),
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
    .limit(limit)
    .execute();
  return { skipped, changes, failures };
}

export interface RedactRecordsInput {
  ids: readonly string[];
  pseudonym(interviewId: string): string;
  /** Replaces titles. */
  title: string;
  /** Replaces old and new values of fields. */
  value: string;
}

/**
 * Replaces erased interviews in the records of a running refresh. The number of records stays the
 * same.
 */
export async function redactRecords(tx: Executor, input: RedactRecordsInput): Promise<void> {
  const { ids, pseudonym, title, value } = input;
  const redacted = (column: 'old_value' | 'new_value') =>
    sql<string | null>`CASE WHEN ${sql.ref(column)} IS NULL THEN NULL ELSE ${value} END`;
  for (const id of ids) {
    const values = { interview_id: pseudonym(id), title };
    await tx
      .updateTable('sync_change')
      .set({ ...values, old_value: redacted('old_value'), new_value: redacted('new_value') })
      .where('interview_id', '=', id)
      .execute();
    await tx.updateTable('sync_skip').set(values).where('interview_id', '=', id).execute();
  }
}

export async function deleteRecords(tx: Executor, runId: string): Promise<void> {
  await tx.deleteFrom('sync_change').where('run_id', '=', runId).execute();
  await tx.deleteFrom('sync_skip').where('run_id', '=', runId).execute();
  await tx.deleteFrom('sync_file').where('run_id', '=', runId).execute();
}
