import { expect, test } from 'vitest';
import { connect } from '#server/db/database.ts';
import { createTestDatabase } from '#support/test-database.ts';
import { PERSONAL_TABLES } from './table-maintenance.repo.ts';

/** Tables that hold nothing about candidates. A new table belongs here or in `PERSONAL_TABLES`. */
const WITHOUT_CANDIDATES = [
  ...['account', 'account_funnel', 'api_token', 'ats_connection', 'ats_pace', 'automation', 'erasure_key'],
  ...['erasure_mark', 'funnel', 'identity', 'installed_release', 'invitation', 'listing_count', 'listing_day'],
  ...['listing_funnel', 'listing_state', 'log_count', 'log_total', 'logout_token', 'migration'],
  ...['notice_settings', 'outgoing_webhook', 'queued_refresh', 'read_quota', 'recovery_code', 'scorecard'],
  ...['second_factor', 'session', 'share', 'sign_in_failure', 'webhook', 'webhook_event', 'worker_process'],
];

test('after an erasure, every table with ids of interviews or names of candidates is vacuumed', async () => {
  const database = await createTestDatabase();
  const db = connect(database.url, 1, () => {});
  const tables = await db.db.introspection.getTables();
  await db.close();
  await database.drop();
  const personal = tables.filter(({ columns }) =>
    columns.some(({ name }) => ['interview_id', 'candidate_name', 'candidate_email'].includes(name)),
  );
  expect(personal.filter(({ name }) => WITHOUT_CANDIDATES.includes(name))).toEqual([]);
  const names = tables.filter(({ schema, isView }) => schema === 'public' && !isView).map(({ name }) => name);
  expect(names.filter((name) => !PERSONAL_TABLES.includes(name)).toSorted()).toEqual(WITHOUT_CANDIDATES);
});
