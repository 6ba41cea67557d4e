import { inject } from 'vitest';
import { makeDatabase } from './make-database.ts';

export type { TestDatabase } from './make-database.ts';

/** Clones the migrated template database, which takes some tens of milliseconds. */
export const createTestDatabase = () => makeDatabase(inject('postgresUrl'), `TEMPLATE ${inject('templateDatabase')}`);

/** One without a single table. */
export const createEmptyDatabase = () => makeDatabase(inject('postgresUrl'));
