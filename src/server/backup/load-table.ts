import pg from 'pg';
import type { Table } from './manifest.ts';

/** Inserts pieces that `dumpTable` has written, in the caller's transaction. Resolves with the number of rows. */
export async function loadPiece(client: pg.ClientBase, insert: string, piece: string): Promise<number> {
  const rows = `[${piece.trimEnd().split('\n').join(',')}]`;
  const { rowCount } = await client.query(insert, [rows]);
  return rowCount ?? 0;
}

/** The statement that inserts rows of a table: each text becomes what the column's type makes of it. */
export async function insertStatement(client: pg.ClientBase, { name, columns }: Table): Promise<string> {
  const { rows } = await client.query<{ column: string; type: string }>(
    `SELECT attname AS column, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    [pg.escapeIdentifier(name)],
  );
  const types = new Map(rows.map(({ column, type }) => [column, type]));
  const values = columns.map((column, at) => {
    const type = types.get(column);
    if (!type) throw new Error(`Table ${name} has no column ${column}`);
    return `(value->>${at})::${type}`;
  });
  const names = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  return `INSERT INTO ${pg.escapeIdentifier(name)} (${names}) OVERRIDING SYSTEM VALUE
          SELECT ${values.join(', ')} FROM json_array_elements($1::json) AS value`;
}

/** Numbers that the database gives go on after the highest one that was loaded. */
export async function continueNumbering(client: pg.ClientBase, { name, columns }: Table): Promise<void> {
  for (const column of columns) {
    const { rows } = await client.query<{ sequence: string | null }>(
      'SELECT pg_get_serial_sequence($1, $2) AS sequence',
      [pg.escapeIdentifier(name), column],
    );
    const sequence = rows[0]?.sequence;
    if (!sequence) continue;
    const highest = `SELECT max(${pg.escapeIdentifier(column)}) FROM ${pg.escapeIdentifier(name)}`;
    await client.query(`SELECT setval($1, (${highest})) WHERE (${highest}) IS NOT NULL`, [sequence]);
  }
}
