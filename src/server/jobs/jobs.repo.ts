import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import { ACTOR } from './run-job.ts';

/** True for a payload with one of these texts as a value, at any depth. */
const mentions = (texts: readonly string[]): RawBuilder<boolean> =>
  sql`EXISTS (SELECT 1 FROM unnest(${texts}::text[]) AS text WHERE position(to_json(text)::text IN job.data::text) > 0)`;

/**
 * Deletes jobs that mention one of these texts. Running jobs, and open jobs of the types in `kept`,
 * stay until they end; in their payload each text is replaced with the result of `replacement`.
 */
export async function deleteJobsMentioning(
  tx: Executor,
  texts: readonly string[],
  { replacement = (text) => text, kept }: { replacement?: (text: string) => string; kept: readonly string[] },
): Promise<void> {
  const stays = sql<boolean>`(state = 'active' OR (state IN ('created', 'retry') AND name = ANY(${kept}::text[])))`;
  await sql`DELETE FROM pgboss.job AS job WHERE NOT ${stays} AND ${mentions(texts)}`.execute(tx);
  for (const text of texts) {
    await sql`
      UPDATE pgboss.job AS job SET data = replace(data::text, to_json(${text}::text)::text, to_json(${replacement(text)}::text)::text)::jsonb
      WHERE ${stays} AND ${mentions([text])}
    `.execute(tx);
  }
}

export const updateWaitingToDue = (tx: Executor, name: string, id: string) =>
  sql`UPDATE pgboss.job SET start_after = now() WHERE name = ${name} AND id = ${id} AND state = 'created'`.execute(tx);

/** Returns false if the job has begun already. */
export async function deleteWaitingJob(tx: Executor, name: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    DELETE FROM pgboss.job WHERE name = ${name} AND id = ${id} AND state = 'created'`.execute(tx);
  return Boolean(numAffectedRows);
}

/** Open jobs are waiting, running or waiting for a retry. */
export async function hasOpenJobMentioning(db: Executor, name: string, texts: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    SELECT EXISTS (
      SELECT 1 FROM pgboss.job AS job WHERE name = ${name} AND state IN ('created', 'retry', 'active') AND ${mentions(texts)}
    ) AS open`.execute(db);
  return rows[0]?.open ?? false;
}

/**
 * Lists the payloads that `open` selects and for which no job of that name is open. One statement
 * for all kinds, so that a job that ends at the same moment is seen together with its run.
 */
export async function listWithoutJob(
  db: Executor,
  kinds: readonly { name: string; open: RawBuilder<unknown> }[],
): Promise<{ name: string; payload: unknown }[]> {
  const open = kinds.map((kind) => sql`SELECT ${kind.name}::text AS name, payload FROM (${kind.open}) AS open`);
  const { rows } = await sql<{ name: string; payload: unknown }>`
    SELECT name, payload FROM (${sql.join(open, sql` UNION ALL `)}) AS run
    WHERE NOT EXISTS (
      SELECT FROM pgboss.job WHERE job.name = run.name AND job.data - ${ACTOR}::text = run.payload
        AND state IN ('created', 'retry', 'active')
    )`.execute(db);
  return rows;
}
