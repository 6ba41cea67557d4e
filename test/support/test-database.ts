import { inject } from 'vitest';
import { makeDatabase } from './make-database.ts';

export type { TestDatabase } from './make-database.ts';

/**
 * Clones the migrated template database. Copying its files is faster than writing them to the log.
 */
export const createTestDatabase = () =>
  makeDatabase(inject('postgresUrl'), `TEMPLATE ${inject('templateDatabase')} STRATEGY FILE_COPY`);

/** Creates a database without tables. */
export const createEmptyDatabase = () => makeDatabase(inject('postgresUrl'));
