import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';

/** Tables with personal data, also in ids. */
export const PERSONAL_TABLES = [
  'interview',
  'interview_text',
  'interview_segment',
  'listing',
  'publication',
  'step_run',
  'transcript_part',
  'sync_run',
  'sync_change',
  'sync_skip',
  'sync_file',
  'announced_interview',
  'awaited_processing',
  'answer_start',
  'watched',
  'review',
  'review_reading',
  'comment',
  'notice',
  'mail',
  'webhook_delivery',
  'share_batch',
  'share_item',
  'share_comment',
  'recording_checksum',
  'log_entry',
  'saved_view',
  'upload',
  'deleted_interview',
  'video_removal',
  'ats_push',
  'ats_removal',
  'bulk_run',
  'bulk_item',
  'pgboss.job',
];

/**
 * Removes dead rows and updates the planner's statistics, which contain sample values, so that no
 * query returns erased values. Needs the owner of the tables, and must not run in a transaction.
 * Rows that an open transaction (such as a running backup) can still see are removed by a
 * later vacuum.
 */
export async function vacuumPersonalTables(db: Database): Promise<void> {
  await sql.raw(`VACUUM (ANALYZE) ${PERSONAL_TABLES.join(', ')}`).execute(db);
}
