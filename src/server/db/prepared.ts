import { sql } from 'kysely';
import pg from 'pg';

const MARK = '/* prepared */';
/** Statements that a connection keeps; the database remembers a plan for each, of up to 100 KB. */
const MOST = 24;

/**
 * Begins a statement that every connection prepares once: planning it anew each time would take as long as running it. Only for one whose
 * best plan does not depend on its values, outside of transactions.
 */
export const PREPARED = sql.raw(MARK);

/** A connection that prepares the statements that ask for it. */
export class PreparingClient extends pg.Client {
  readonly #names = new Map<string, string>();

  // @ts-expect-error The many overloads of this method end here in one.
  override query(statement: unknown, values?: unknown, ...rest: unknown[]): unknown {
    const run = super.query.bind(this) as (...all: unknown[]) => unknown;
    const name = typeof statement === 'string' && rest.length === 0 ? this.#nameOf(statement) : undefined;
    if (!name) return run(statement, values, ...rest);
    const prepared = run({ name, text: statement, values }) as Promise<unknown>;
    return prepared.catch((error: unknown) => {
      // A migration of a newer release changed a table under the plan (PostgreSQL: "cached plan must not change result type").
      if (error instanceof pg.DatabaseError && error.code === '0A000') return run(statement, values);
      throw error;
    });
  }

  #nameOf(text: string): string | undefined {
    if (!text.trimStart().startsWith(MARK)) return undefined;
    const known = this.#names.get(text);
    if (known || this.#names.size >= MOST) return known;
    const name = `prepared_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}
