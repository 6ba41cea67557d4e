import { sql } from 'kysely';
import type { Executor } from '#server/db/database.ts';

/** Processes announce a topic and the id of what changed, never the data itself. */
export type Topic =
  | 'bulk'
  | 'comments'
  | 'devices'
  | 'edit'
  | 'funnels'
  | 'interviews'
  | 'jobs'
  | 'links'
  | 'log'
  | 'notices'
  | 'own-mark'
  | 'reviews'
  | 'session'
  | 'shares'
  | 'step'
  | 'step-of-bulk'
  | 'sync'
  | 'sync-cancel'
  | 'upload-takeover'
  | 'webhook-deliveries';

export const CHANNEL = 'interviews_live';

/**
 * Notifies every process, this one included, that something changed. In a transaction the message
 * is delivered at the commit, and dropped at a rollback (PostgreSQL manual, NOTIFY).
 */
export async function announce(db: Executor, topic: Topic, id: string): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, ${`${topic} ${id}`})`.execute(db);
}
