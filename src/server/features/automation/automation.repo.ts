import { type Selectable, sql } from 'kysely';
import { anyIdOf, type Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

export type AutomationRow = Selectable<DB['automation']>;

export type ListedAutomation = AutomationRow & { awaiting: number; hasWebhook: boolean; last_event_at: Date | null };

/** `funnelIds` null: all funnels. */
export const listAutomations = (db: Executor, funnelIds: readonly number[] | null): Promise<ListedAutomation[]> =>
  db
    .selectFrom('automation')
    .$if(funnelIds !== null, (query) => query.where('automation.funnel_id', '=', anyIdOf(funnelIds ?? [])))
    .leftJoin('webhook', 'webhook.funnel_id', 'automation.funnel_id')
    .selectAll('automation')
    .select(['last_event_at', sql<boolean>`secret_hash IS NOT NULL`.as('hasWebhook')])
    .select((q) =>
      q
        .selectFrom('awaited_processing')
        .select((count) => sql<number>`${count.fn.countAll()}::int`.as('n'))
        .whereRef('awaited_processing.funnel_id', '=', 'automation.funnel_id')
        .as('awaiting'),
    )
    .orderBy('automation.funnel_id')
    .$castTo<ListedAutomation>()
    .execute();

/**
 * Lists the funnels of `sources` whose interval has passed since their schedule last started a
 * refresh.
 */
export async function listDueFunnels(db: Executor, sources: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT f.id FROM funnel AS f LEFT JOIN automation AS a ON a.funnel_id = f.id
    WHERE f.refresh_minutes IS NOT NULL AND f.source = ANY(${sources}) AND a.paused_at IS NULL AND ${isDue} ORDER BY f.id
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** A time in the future means that the clock was wrong and has been corrected. */
const isAhead = (column: string) => sql`${sql.ref(column)} > now() + interval '1 minute'`;
const isDue = sql`(a.started_at IS NULL OR a.started_at <= now() - f.refresh_minutes * interval '1 minute'
  OR ${isAhead('a.started_at')})`;

/**
 * Locks the automation of a funnel until the transaction ends, so that its refreshes start and end
 * one after the other. The caller has locked the funnel.
 */
export async function lockAutomation(tx: Executor, funnelId: number): Promise<AutomationRow> {
  await tx
    .insertInto('automation')
    .values({ funnel_id: funnelId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx
    .selectFrom('automation')
    .selectAll()
    .where('funnel_id', '=', funnelId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/**
 * Starts the next interval if this one has passed. Returns false when another worker was faster, or
 * when the schedule was paused or turned off. The caller has locked the automation.
 */
export async function updateStarted(tx: Executor, funnelId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE automation AS a SET started_at = now() FROM funnel AS f
    WHERE a.funnel_id = ${funnelId} AND f.id = a.funnel_id
      AND f.refresh_minutes IS NOT NULL AND a.paused_at IS NULL AND ${isDue}
  `.execute(tx);
  return numAffectedRows === 1n;
}

const isUnreadyDue = sql`(a.unready_announced_at IS NULL OR a.unready_announced_at <= now() - interval '5 minutes'
  OR ${isAhead('a.unready_announced_at')})`;

/**
 * Lists the funnels that received an event within six hours, and whose unready recordings were not
 * announced within five minutes.
 */
export async function listUnreadyDue(db: Executor): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT a.funnel_id AS id FROM automation AS a JOIN webhook AS w USING (funnel_id)
    WHERE w.last_event_at > now() - interval '6 hours' AND a.paused_at IS NULL AND ${isUnreadyDue} ORDER BY 1
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Starts the next interval. Returns false when another worker was faster. */
export async function updateUnreadyAnnounced(tx: Executor, funnelId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE automation AS a SET unready_announced_at = now() WHERE a.funnel_id = ${funnelId} AND ${isUnreadyDue}
  `.execute(tx);
  return numAffectedRows === 1n;
}

export async function updateAutomation(
  tx: Executor,
  funnelId: number,
  set: Partial<Omit<AutomationRow, 'funnel_id'>>,
): Promise<void> {
  await tx.updateTable('automation').set(set).where('funnel_id', '=', funnelId).execute();
}

/**
 * Adds up to `wanted` interviews to those that were processed today (UTC) and returns how many the
 * limit allows. The caller has locked the automation.
 */
export async function updateAllowance(
  tx: Executor,
  { funnel_id, processed_on, processed_count }: AutomationRow,
  { wanted, limit, today }: { wanted: number; limit: number | null; today: string },
): Promise<number> {
  const used = processed_on === today ? processed_count : 0;
  const allowed = limit === null ? wanted : Math.max(0, Math.min(wanted, limit - used));
  await updateAutomation(tx, funnel_id, { processed_on: today, processed_count: used + allowed });
  return allowed;
}

export async function insertAwaited(tx: Executor, funnelId: number, interviewIds: readonly string[]): Promise<void> {
  await sql`
    INSERT INTO awaited_processing (interview_id, funnel_id)
    SELECT id, ${funnelId} FROM unnest(${interviewIds}::text[]) AS id ON CONFLICT DO NOTHING
  `.execute(tx);
}

export async function listAwaitingFunnels(db: Executor): Promise<number[]> {
  const rows = await db.selectFrom('awaited_processing').select('funnel_id').distinct().orderBy('funnel_id').execute();
  return rows.map((row) => row.funnel_id);
}

export async function countAwaited(tx: Executor, funnelId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM awaited_processing WHERE funnel_id = ${funnelId}`.execute(tx);
  return rows[0]?.n ?? 0;
}

/** Deletes the oldest waiting interviews and returns their ids. */
export async function deleteAwaited(tx: Executor, funnelId: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    DELETE FROM awaited_processing WHERE interview_id IN (
      SELECT interview_id FROM awaited_processing WHERE funnel_id = ${funnelId}
      ORDER BY added_at, interview_id LIMIT ${limit})
    RETURNING interview_id AS id
  `.execute(tx);
  return rows.map(({ id }) => id);
}
