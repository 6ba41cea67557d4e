import type pg from 'pg';
import type { Table } from './manifest.ts';

/** The one table of the list with a row for each interview. */
export const READ_MODEL = 'listing';

/**
 * Tables that a backup omits: the migrations and the release, sign-in state and API tokens, because
 * a restore would revive revoked ones, the sign-in at the applicant tracking system, whose token is
 * valid once, and the pace of its calls, unsent mails and webhook deliveries, which would be sent
 * twice, reading limits, running workers, and what triggers rebuild: the read model of the list and
 * the counts of the log. The job queue is omitted too, as it has its own schema: after a restore,
 * running work ends as interrupted or is found in our tables.
 */
const OMITTED = [
  'migration',
  'installed_release',
  'session',
  'sign_in_failure',
  'invitation',
  'logout_token',
  'api_token',
  'ats_connection',
  'ats_pace',
  'mail',
  'webhook_delivery',
  'read_quota',
  'worker_process',
  READ_MODEL,
  'listing_count',
  'listing_day',
  'listing_funnel',
  'listing_state',
  'log_count',
  'log_total',
];

/**
 * Returns the tables with their writable columns. A table comes after the tables that it
 * references.
 */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
       AND c.relname <> ALL($1)
     GROUP BY c.relname ORDER BY c.relname`,
    [OMITTED],
  );
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint
     WHERE contype = 'f' AND conrelid <> confrelid AND connamespace = 'public'::regnamespace`,
  );
  return sortByReferences(tables, references);
}

function sortByReferences(tables: readonly Table[], references: readonly { from: string; to: string }[]): Table[] {
  const ordered = new Map<string, Table>();
  const place = (table: Table) => {
    if (ordered.has(table.name)) return;
    for (const { from, to } of references) {
      const needed = from === table.name && tables.find(({ name }) => name === to);
      if (needed) place(needed);
    }
    ordered.set(table.name, table);
  };
  for (const table of tables) place(table);
  return [...ordered.values()];
}
