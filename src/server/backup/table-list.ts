import type pg from 'pg';
import type { Table } from './manifest.ts';

/**
 * Not in a backup: what migrating writes, what signs people in, and the list's read model, which triggers make anew. The job queue has a
 * schema of its own and is not in it either: what was under way ends as interrupted after a restore, or is found in our own tables.
 */
const LEFT_OUT = [
  'migration',
  'session',
  'sign_in_failure',
  'listing',
  'listing_count',
  'listing_day',
  'listing_state',
];

/** The tables with the columns that are written, those that others refer to first. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
       AND c.relname <> ALL($1)
     GROUP BY c.relname ORDER BY c.relname`,
    [LEFT_OUT],
  );
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint
     WHERE contype = 'f' AND conrelid <> confrelid AND connamespace = 'public'::regnamespace`,
  );
  return inOrder(tables, references);
}

function inOrder(tables: readonly Table[], references: readonly { from: string; to: string }[]): Table[] {
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
