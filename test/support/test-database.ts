import { inject } from 'vitest';
import { addressIn, type MadeDatabase, makeDatabase } from './make-database.ts';

export interface TestDatabase extends MadeDatabase {
  /** With the account of the product. */
  applicationUrl: string;
}

/**
 * Clones the migrated template database. Copying its files is faster than writing them to the log.
 */
export const createTestDatabase = () => create(`TEMPLATE ${inject('templateDatabase')} STRATEGY FILE_COPY`);

/** Creates a database without tables. */
export const createEmptyDatabase = () => create();

async function create(from?: string): Promise<TestDatabase> {
  const database = await makeDatabase(inject('postgresUrl'), from);
  return { ...database, applicationUrl: addressIn(inject('applicationUrl'), database.name) };
}
