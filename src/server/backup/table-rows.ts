import pg from 'pg';
import type { Table } from './manifest.ts';

/** The size of a piece; a single row may be larger. */
const PIECE_BYTES = 1 << 20;
const FIRST_ROWS = 50;
const MAX_ROWS = 2_000;

export interface Piece {
  rows: number;
  bytes: Buffer;
}

/**
 * Reads the rows of a table in the caller's transaction, in pieces: one JSON array per line with
 * PostgreSQL's own text of each value. JavaScript parses no values, so they are kept exactly.
 */
export async function* dumpTable(client: pg.ClientBase, { name, columns }: Table): AsyncGenerator<Piece> {
  const table = pg.escapeIdentifier(name);
  const values = columns.map((column) => `${pg.escapeIdentifier(column)}::text`).join(', ');
  await client.query(
    `DECLARE dump NO SCROLL CURSOR FOR SELECT json_build_array(VARIADIC ARRAY[${values}])::text AS row FROM ${table}`,
  );
  let lines: string[] = [];
  let bytes = 0;
  for (let count = FIRST_ROWS; ; ) {
    const { rows } = await client.query<{ row: string }>(`FETCH ${count} FROM dump`);
    const size = rows.reduce((sum, { row }) => sum + Buffer.byteLength(row) + 1, 0);
    lines.push(...rows.map(({ row }) => row));
    bytes += size;
    if (lines.length > 0 && (bytes >= PIECE_BYTES || rows.length === 0)) {
      yield { rows: lines.length, bytes: Buffer.from(`${lines.join('\n')}\n`) };
      lines = [];
      bytes = 0;
    }
    if (rows.length === 0) break;
    // Rows of a table are similar: fetch as many as fill a piece.
    const average = Math.max(1, size / rows.length);
    count = Math.min(MAX_ROWS, Math.max(1, Math.floor(PIECE_BYTES / average)));
  }
  await client.query('CLOSE dump');
}

/**
 * Returns the statement that inserts rows, a JSON array of arrays. PostgreSQL casts each text to
 * its column's type.
 */
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

/** Continues the sequences of a table after the highest loaded number. */
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
