import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { PreparingClient } from './prepared.ts';
import type { DB } from './tables.ts';

export type Database = Kysely<DB>;
/** A transaction, or the database itself where a single statement needs none. */
export type Executor = Database | Transaction<DB>;

/** A bigint of ours is an id or a count: it fits a JavaScript number exactly. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
/** A date is a day, not a moment in somebody's time zone: it stays `YYYY-MM-DD`. */
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);

/** The connection pool and the query builder over it. `close()` waits for queries that are under way. */
export interface Connection {
  db: Database;
  pool: pg.Pool;
  close(): Promise<void>;
}

export function connect(connectionString: string, poolSize: number, onError: (error: Error) => void): Connection {
  const pool = new pg.Pool({
    Client: PreparingClient as unknown as new () => pg.ClientBase,
    connectionString,
    max: poolSize,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
    application_name: 'interviews',
  });
  // An idle connection that breaks (the database was restarted) is replaced by the pool; without this listener it would end the process.
  // While the pool ends, the database may say goodbye first: that is no error.
  pool.on('error', (error) => {
    if (!pool.ending) onError(error);
  });
  // The pool listens to idle connections only. One that breaks between two statements of a transaction ends that transaction, whose next
  // statement fails, and must not end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    pool,
    async close() {
      // Kysely ends the pool only if it was ever asked for a query.
      await db.destroy();
      if (!pool.ending) await pool.end();
    },
  };
}
