import { sql } from 'kysely';
import type { Criterion } from '#contracts/reviews.ts';
import type { Executor } from '#server/db/database.ts';

/** The fields of a funnel from which default criteria are derived. */
export type ReviewedFunnel = NonNullable<Awaited<ReturnType<typeof findReviewedFunnel>>>;

const selectFunnel = (db: Executor, id: number) =>
  db
    .selectFrom('funnel')
    .select(['id', 'name', 'professional_expectations as professionalExpectations'])
    .select(['skill_expectations as skillExpectations', 'education_expectations as educationExpectations'])
    .select('culture_expectations as cultureExpectations')
    .where('id', '=', id);

export const findReviewedFunnel = (db: Executor, id: number) => selectFunnel(db, id).executeTakeFirst();

/** Prevents deletion of the funnel until the transaction ends. */
export const lockReviewedFunnel = (tx: Executor, id: number) => selectFunnel(tx, id).forKeyShare().executeTakeFirst();

/** Serializes changes of a funnel's scorecard, so that versions are consecutive. */
export const lockScorecard = (tx: Executor, funnelId: number) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('scorecard', ${funnelId}))`.execute(tx);

export interface ScorecardVersion {
  version: number;
  criteria: Criterion[];
}

/**
 * Finds the last version. Undefined if that is a default: the funnel then follows its expectations.
 */
export async function findSavedScorecard(db: Executor, funnelId: number): Promise<ScorecardVersion | undefined> {
  const last = await db
    .selectFrom('scorecard')
    .select(['version', 'is_default'])
    .select(sql<Criterion[]>`criteria`.as('criteria'))
    .where('funnel_id', '=', funnelId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last && !last.is_default ? { version: last.version, criteria: last.criteria } : undefined;
}

/** Finds the default version with these criteria. */
export const findDefaultScorecard = (db: Executor, funnelId: number, criteria: readonly Criterion[]) =>
  db
    .selectFrom('scorecard')
    .select('version')
    .where('funnel_id', '=', funnelId)
    .where('is_default', '=', true)
    .where('criteria', '=', sql<string>`${JSON.stringify(criteria)}::jsonb`)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();

interface NewScorecard {
  funnelId: number;
  criteria: readonly Criterion[];
  isDefault: boolean;
}

/** Returns the version's number. The caller must hold `lockScorecard`. */
export async function insertScorecard(tx: Executor, { funnelId, criteria, isDefault }: NewScorecard): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    INSERT INTO scorecard (funnel_id, version, criteria, is_default)
    SELECT ${funnelId}, coalesce(max(version), 0) + 1, ${JSON.stringify(criteria)}::jsonb, ${isDefault}
    FROM scorecard WHERE funnel_id = ${funnelId}
    RETURNING version
  `.execute(tx);
  return rows[0]?.version ?? 1;
}
