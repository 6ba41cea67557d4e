import type pg from 'pg';
import type { BackupRow } from './load-tables.ts';
import type { Table } from './manifest.ts';

interface Reference {
  from: string;
  column: string;
  to: string;
  key: string;
}

/**
 * Work in progress and its history: a restored funnel starts without them. Published videos were
 * removed with the funnel.
 */
const OMITTED = ['sync_run', 'upload', 'publication', 'announced_interview', 'webhook_event'];

/** Its rows are needed by what accounts have watched. */
const ACCOUNTS = 'account';

/** Selects the rows of a backup that belong to the funnels of a name or id. */
export class FunnelRows {
  /** All funnels of the backup. */
  readonly names: string[] = [];
  readonly #references: readonly Reference[];
  readonly #funnel: string;
  /** The selected keys by table and column. */
  readonly #selected = new Map<string, Set<string | null>>();

  private constructor(references: readonly Reference[], funnel: string) {
    this.#references = references;
    this.#funnel = funnel;
    for (const { to, key } of references) if (to === 'funnel') this.#selected.set(`${to} ${key}`, new Set());
  }

  /** `client` has the tables of the backup's release. */
  static async prepare(client: pg.ClientBase, funnel: string): Promise<FunnelRows> {
    const { rows } = await client.query<Reference>(
      `SELECT conrelid::regclass::text AS from, own.attname AS column, confrelid::regclass::text AS to, their.attname AS key
       FROM pg_constraint
       JOIN pg_attribute AS own ON own.attrelid = conrelid AND own.attnum = conkey[1]
       JOIN pg_attribute AS their ON their.attrelid = confrelid AND their.attnum = confkey[1]
       WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
    );
    return new FunnelRows(rows, funnel);
  }

  /** Tables arrive in the order of their references, so the rows that a row needs are known. */
  readonly keeps = (table: Table, row: BackupRow): boolean => {
    const read = (column: string) => row[table.columns.indexOf(column)] ?? null;
    if (table.name === ACCOUNTS) return true;
    const isKept = table.name === 'funnel' ? this.#isFunnel(read) : this.#isPart(table.name, read);
    if (!isKept) return false;
    for (const { to, key } of this.#references) {
      if (to !== table.name) continue;
      const keys = this.#selected.get(`${to} ${key}`) ?? new Set();
      this.#selected.set(`${to} ${key}`, keys.add(read(key)));
    }
    return true;
  };

  #isFunnel(read: (column: string) => string | null): boolean {
    this.names.push(read('name') ?? '');
    return [read('name'), read('id')].includes(this.#funnel);
  }

  #isPart(table: string, read: (column: string) => string | null): boolean {
    if (OMITTED.includes(table)) return false;
    const own = this.#references.filter(({ from, to }) => from === table && to !== ACCOUNTS);
    return own.length > 0 && own.every(({ to, key, column }) => this.#selected.get(`${to} ${key}`)?.has(read(column)));
  }
}
