import { sql } from 'kysely';
import pg from 'pg';

const MARK = '/* prepared */';
/** Per connection. PostgreSQL keeps a plan of up to 100 KB for each. */
const MAX_STATEMENTS = 24;

/**
 * Begins a statement that each connection prepares once, because planning it takes as long as
 * running it. Use it only outside transactions, and only when the best plan does not depend on the
 * values.
 */
export const PREPARED = sql.raw(MARK);

/**
 * A connection that runs marked statements as named, prepared statements.
 *
 * node-postgres prepares a statement when it has a name, but Kysely passes only its text and
 * values. So the mark travels in the text, and this class is the only place between Kysely and
 * node-postgres that can read it. All other calls pass through unchanged.
 */
export class PreparingClient extends pg.Client {
  readonly #names = new Map<string, string>();

  // @ts-expect-error One signature cannot satisfy the overloads of node-postgres.
  override query(statement: unknown, values?: unknown, ...rest: unknown[]): unknown {
    const run = super.query.bind(this) as (...all: unknown[]) => unknown;
    const name = typeof statement === 'string' && rest.length === 0 ? this.#nameOf(statement) : undefined;
    if (!name) return run(statement, values, ...rest);
    const prepared = run({ name, text: statement, values }) as Promise<unknown>;
    return prepared.catch((error: unknown) => {
      // A migration of a newer release changed a table (PostgreSQL: "cached plan must not change
      // result type").
      if (error instanceof pg.DatabaseError && error.code === '0A000') return run(statement, values);
      throw error;
    });
  }

  #nameOf(text: string): string | undefined {
    if (!text.trimStart().startsWith(MARK)) return undefined;
    const known = this.#names.get(text);
    if (known || this.#names.size >= MAX_STATEMENTS) return known;
    const name = `prepared_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}
