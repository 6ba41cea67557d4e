import { sql } from 'kysely';
import { delayFileRemoval, lockFunnelMerge } from '#server/db/advisory-locks.ts';
import type { Executor } from '#server/db/database.ts';
import type { StoredInterview } from './interviews.repo.ts';
import { SOURCE_COLUMNS, type SourceRow } from './source-columns.ts';

/**
 * Until the transaction ends, no files are removed, the funnel is not deleted, and no other page of
 * it is written. Call it before any read of a page.
 */
export async function lockForMerge(tx: Executor, funnelId: number): Promise<void> {
  await delayFileRemoval(tx);
  await tx.selectFrom('funnel').select('id').where('id', '=', funnelId).forKeyShare().execute();
  await lockFunnelMerge(tx, funnelId);
}

const interviewsById = (tx: Executor, ids: readonly string[]) =>
  tx.selectFrom('interview').selectAll().where('id', '=', sql<string>`ANY(${ids}::text[])`);

export const listInterviews = (tx: Executor, ids: readonly string[]): Promise<StoredInterview[]> =>
  interviewsById(tx, ids).execute();

/** Locks in id order to avoid deadlocks. */
export const lockInterviews = (tx: Executor, ids: readonly string[]): Promise<StoredInterview[]> =>
  interviewsById(tx, ids).orderBy('id').forNoKeyUpdate().execute();

const COLUMNS = Object.entries(SOURCE_COLUMNS);
const columnList = (toSql: (name: string, sqlType: string) => string) =>
  sql.raw(COLUMNS.map(([name, { sqlType }]) => toSql(name, sqlType)).join(', '));

const RECORD = sql`AS source (id text, ${columnList((name, sqlType) => `${name} ${sqlType}`)})`;

export async function insertInterviews(tx: Executor, funnelId: number, rows: readonly SourceRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    INSERT INTO interview (funnel_id, id, ${columnList((name) => name)})
    SELECT ${funnelId}, source.id, ${columnList((name) => `source.${name}`)}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) ${RECORD}
  `.execute(tx);
}

export async function updateInterviews(tx: Executor, rows: readonly SourceRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    UPDATE interview AS i SET ${columnList((name) => `${name} = source.${name}`)}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) ${RECORD}
    WHERE i.id = source.id
  `.execute(tx);
}
