import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { PreparingClient } from './prepared.ts';
import type { DB } from './tables.ts';

export type Database = Kysely<DB>;
/** A transaction, or the database for a single statement. */
export type Executor = Database | Transaction<DB>;

/** Our bigints are ids and counts, which JavaScript numbers represent exactly. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
/** A date stays the text `YYYY-MM-DD`: it is a day, not a moment in a time zone. */
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);

/** One of these texts, as a single parameter: the statement is the same for any number of them. */
export const anyOf = (values: readonly string[]) => sql<string>`ANY(${values}::text[])`;
export const anyIdOf = (ids: readonly number[]) => sql<number>`ANY(${ids}::int[])`;

/** Closed at the end of the block that uses it. */
export interface Connection extends AsyncDisposable {
  db: Database;
  pool: pg.Pool;
  /** Waits for running queries. */
  close(): Promise<void>;
}

interface PoolOptions {
  size: number;
  /** Whether a connection prepares marked statements (`PREPARED`). */
  prepares: boolean;
}

export function connect(
  connectionString: string,
  options: number | PoolOptions,
  onError: (error: Error) => void,
): Connection {
  const { size, prepares } = typeof options === 'number' ? { size: options, prepares: true } : options;
  const pool = new pg.Pool({
    ...(prepares && { Client: PreparingClient as unknown as new () => pg.ClientBase }),
    connectionString,
    max: size,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
    application_name: 'interviews',
  });
  // The pool replaces an idle connection that breaks, but without a listener the event would end
  // the process. While the pool ends, the database may close connections first: that is not an
  // error.
  pool.on('error', (error) => {
    if (!pool.ending) onError(error);
  });
  // The pool listens to idle connections only. A connection that breaks within a transaction fails
  // its next statement.
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  const close = async () => {
    // Kysely ends the pool only if it has run a query.
    await db.destroy();
    if (!pool.ending) await pool.end();
  };
  return { db, pool, close, [Symbol.asyncDispose]: close };
}
