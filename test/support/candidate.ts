import { PassThrough } from 'node:stream';
import { sql } from 'kysely';
import { runCandidateCommand } from '#server/cli/candidate-command.ts';
import type { TestApp } from './start-app.ts';

/** Somebody who is found nowhere by chance. */
export const ADA = { name: 'Ada Unmistakable', email: 'ada@unmistakable.example', phone: '+44 5550 1843' };

/** The command as an administrator runs it beside the product; `shown` is what the terminal shows besides the answer. */
export async function candidateCommand(product: TestApp, args: string[]) {
  const output = new PassThrough();
  let shown = '';
  output.on('data', (chunk) => {
    shown += chunk;
  });
  const said = await runCandidateCommand(args, {
    environment: product.environment,
    terminal: { input: new PassThrough(), output },
  });
  return { said, shown };
}

/** The tables that hold one of these texts in any column. */
export async function tablesWith({ db }: TestApp, texts: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'pgboss')
  `.execute(db);
  const found = await Promise.all(
    rows.map(async ({ name }) => {
      const held = await sql<{ row: string }>`
        SELECT t::text AS row FROM ${sql.raw(name)} AS t
        WHERE EXISTS (SELECT 1 FROM unnest(${texts}::text[]) AS wanted WHERE position(lower(wanted) IN lower(t::text)) > 0)
      `.execute(db);
      return held.rows.map(({ row }) => `${name}: ${row.slice(0, 300)}`);
    }),
  );
  return found.flat();
}
