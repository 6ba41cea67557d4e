import { sql } from 'kysely';
import { ROTATION_LOCK } from '../db/advisory-locks.ts';
import type { Executor } from '../db/database.ts';

/** Until the transaction ends, the encryption keys stay what they are. Before anything is sealed. */
export const holdRotation = (tx: Executor) => sql`SELECT pg_advisory_xact_lock_shared(${ROTATION_LOCK})`.execute(tx);
