import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../db/database.ts';

/** A payload that has one of these texts for a value anywhere in it. */
const mentions = (texts: readonly string[]): RawBuilder<boolean> =>
  sql`EXISTS (SELECT 1 FROM unnest(${texts}::text[]) AS text WHERE position(to_json(text)::text IN job.data::text) > 0)`;

/** Forgets the jobs that mention one of these texts. Those that run now stay until they end, with what `instead` has for each text. */
export async function forgetJobsMentioning(
  tx: Executor,
  texts: readonly string[],
  instead: (text: string) => string = (text) => text,
): Promise<void> {
  await sql`DELETE FROM pgboss.job AS job WHERE state <> 'active' AND ${mentions(texts)}`.execute(tx);
  for (const text of texts) {
    await sql`
      UPDATE pgboss.job AS job SET data = replace(data::text, to_json(${text}::text)::text, to_json(${instead(text)}::text)::text)::jsonb
      WHERE state = 'active' AND ${mentions([text])}
    `.execute(tx);
  }
}

/** Whether a job of this kind that mentions one of these texts waits, runs, or is to be tried again. */
export async function hasOpenJobMentioning(db: Executor, name: string, texts: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    SELECT EXISTS (
      SELECT 1 FROM pgboss.job AS job WHERE name = ${name} AND state IN ('created', 'retry', 'active') AND ${mentions(texts)}
    ) AS open`.execute(db);
  return rows[0]?.open ?? false;
}
