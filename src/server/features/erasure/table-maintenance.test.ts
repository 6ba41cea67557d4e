import { expect, test } from 'vitest';
import { connect } from '#server/db/database.ts';
import { createTestDatabase } from '#support/test-database.ts';
import { PERSONAL_TABLES } from './table-maintenance.repo.ts';

test('after an erasure, every table with ids of interviews or names of candidates is vacuumed', async () => {
  const database = await createTestDatabase();
  const db = connect(database.url, 1, () => {});
  const tables = await db.db.introspection.getTables();
  await db.close();
  await database.drop();
  const personal = tables.filter(({ isView, columns }) => {
    const names = columns.map(({ name }) => name);
    return !isView && names.some((name) => ['interview_id', 'candidate_name', 'candidate_email'].includes(name));
  });
  const names = personal.map(({ name }) => name);
  expect(names).toContain('upload');
  expect(names.filter((name) => !PERSONAL_TABLES.includes(name))).toEqual([]);
});
