import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { type CopyStreamQuery, from } from 'pg-copy-streams';
import type { Table } from './manifest.ts';

/** A row as it is in the backup: PostgreSQL's own text of each value. */
export type BackupRow = (string | null)[];

/**
 * Writes pieces of `dumpTable` with one COPY per table, in the caller's transaction. Triggers of
 * statements run once per table, which builds the list from all interviews at once.
 */
export class TableLoader {
  readonly #client: pg.ClientBase;
  readonly #keeps: (table: Table, row: BackupRow) => boolean;
  #open: { table: Table; copy: CopyStreamQuery; ended: Promise<void> } | null = null;
  #rows = 0;

  constructor(client: pg.ClientBase, keeps: (table: Table, row: BackupRow) => boolean = () => true) {
    this.#client = client;
    this.#keeps = keeps;
  }

  /** The pieces of a table follow each other. */
  async load(table: Table, piece: string): Promise<void> {
    if (this.#open?.table !== table) await this.#start(table);
    const { copy, ended } = this.#open ?? (await this.#start(table));
    let text = '';
    for (const line of piece.trimEnd().split('\n')) {
      const row = JSON.parse(line) as BackupRow;
      if (!this.#keeps(table, row)) continue;
      text += `${row.map(copyValue).join('\t')}\n`;
      this.#rows += 1;
    }
    if (text !== '' && !copy.write(text)) await Promise.race([once(copy, 'drain'), ended]);
  }

  /** Returns the number of rows of all tables. */
  async finish(): Promise<number> {
    const open = this.#open;
    this.#open = null;
    open?.copy.end();
    await open?.ended;
    return this.#rows;
  }

  /** Ends an open COPY, so that the transaction can be rolled back. */
  async abandon(): Promise<void> {
    this.#open?.copy.destroy();
    await this.#open?.ended.catch(() => {});
  }

  async #start(table: Table) {
    await this.finish();
    const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    const copy = this.#client.query(from(`COPY ${pg.escapeIdentifier(table.name)} (${columns}) FROM STDIN`));
    const ended = finished(copy, { readable: false });
    // The next `load` or `finish` reports the error.
    ended.catch(() => {});
    this.#open = { table, copy, ended };
    return this.#open;
  }
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** PostgreSQL manual, "COPY", "Text Format". */
const copyValue = (value: string | null): string =>
  value === null ? '\\N' : value.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? character);

interface Detached {
  name: string;
  drop: string;
  create: string;
}

/** Foreign keys first: those of a table are in the way of the primary keys that they need. */
const DETACHABLE = `
  SELECT conname AS name, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS create,
    strpos('fpu', contype::text) AS kind
  FROM pg_constraint
  WHERE contype IN ('f', 'p', 'u') AND conrelid = ANY($1::regclass[]) OR contype = 'f' AND confrelid = ANY($1::regclass[])
  UNION ALL
  SELECT c.relname, format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid), 4
  FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
  WHERE i.indrelid = ANY($1::regclass[])
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = i.indexrelid AND contype IN ('p', 'u', 'x'))
  ORDER BY kind, name`;

/** More than the default makes building indexes of words several times faster. */
const BUILD_MEMORY = "SET LOCAL maintenance_work_mem = '256MB'";

/**
 * Drops the indexes and references of tables, in the caller's transaction, and returns the function
 * that creates them again: building them from all rows is much faster than adding row by row. The
 * owner of the tables may do this; turning off the triggers of references is up to a superuser.
 */
export async function detachIndexes(client: pg.ClientBase, names: readonly string[]) {
  const tables = names.map((name) => pg.escapeIdentifier(name));
  const { rows: detached } = await client.query<Detached>(DETACHABLE, [tables]);
  for (const { drop } of detached) await client.query(drop);
  return async (onProgress: (text: string) => void): Promise<void> => {
    await client.query(BUILD_MEMORY);
    for (const [at, { name, create }] of detached.toReversed().entries()) {
      onProgress(`Building indexes: ${at + 1} of ${detached.length} (${name})`);
      await client.query(create);
    }
    await client.query('ANALYZE');
  };
}
