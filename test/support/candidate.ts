import { sql } from 'kysely';
import { candidateCommand as command } from '#server/cli/candidate-command.ts';
import { runCommand } from './commands.ts';
import type { TestApp } from './start-app.ts';

/** A candidate whose values occur nowhere else. */
export const ADA = { name: 'Ada Unmistakable', email: 'ada@unmistakable.example', phone: '+44 5550 1843' };

/** A fault: our permission does not allow deleting videos. */
export const REMOVAL_REFUSED = {
  kind: 'google-refuses',
  reason: 'insufficientPermissions',
  path: '/google/youtube/v3/videos',
} as const;

/** Runs `npm run candidate` on the database of the running product. */
export const candidateCommand = (product: TestApp, args: string[]) => runCommand(command, args, product.environment);

/**
 * Returns the rows that contain one of these texts in any column, each with the name of its table.
 * Rows of the planner's statistics are included.
 */
export async function tablesWith({ db }: TestApp, texts: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'pgboss')
    UNION ALL SELECT 'pg_catalog.pg_stats'
  `.execute(db);
  const found = await Promise.all(
    rows.map(async ({ name }) => {
      const matches = await sql<{ row: string }>`
        SELECT t::text AS row FROM ${sql.raw(name)} AS t
        WHERE EXISTS (SELECT 1 FROM unnest(${texts}::text[]) AS text WHERE position(lower(text) IN lower(t::text)) > 0)
      `.execute(db);
      return matches.rows.map(({ row }) => `${name}: ${row.slice(0, 300)}`);
    }),
  );
  return found.flat();
}
