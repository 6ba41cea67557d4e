import pg from 'pg';
import type { Table } from './manifest.ts';

/** Bytes of a piece of a table, more only for a single row. */
const PIECE_BYTES = 1 << 20;
const FIRST_ROWS = 50;
const MOST_ROWS = 2_000;

export interface Piece {
  rows: number;
  bytes: Buffer;
}

/**
 * The rows of a table as PostgreSQL writes them as text, a JSON array a line, in pieces. The caller has a transaction open whose snapshot
 * it is. Texts keep every value exactly: no number, moment or byte goes through JavaScript.
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
    // Rows of a table are alike: as many as fill a piece.
    const average = Math.max(1, size / rows.length);
    count = Math.min(MOST_ROWS, Math.max(1, Math.floor(PIECE_BYTES / average)));
  }
  await client.query('CLOSE dump');
}
