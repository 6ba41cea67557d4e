import { inject } from 'vitest';
import { databaseUrlIn, type MadeDatabase, makeDatabase } from './make-database.ts';

export interface TestDatabase extends MadeDatabase {
  /** With the account of the product. */
  applicationUrl: string;
}

/** Clones the migrated template database. */
export const createTestDatabase = () => cloneDatabase({ name: inject('templateDatabase') });

/** Creates a database without tables. */
export const createEmptyDatabase = () => cloneDatabase({ name: 'template1' });

/**
 * Clones a database without connections. Copying its files is faster than writing them to the log.
 */
export async function cloneDatabase({ name }: Pick<MadeDatabase, 'name'>): Promise<TestDatabase> {
  const database = await makeDatabase(inject('postgresUrl'), `TEMPLATE ${name} STRATEGY FILE_COPY`);
  return { ...database, applicationUrl: databaseUrlIn(inject('applicationUrl'), database.name) };
}
