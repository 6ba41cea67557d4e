import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { ROLES } from '#contracts/rules/roles.ts';
import { FUNNEL_SOURCES } from '#contracts/sources.ts';
import { createTestDatabase } from '#support/test-database.ts';

test.each([
  ['sources', 'funnel_source', FUNNEL_SOURCES],
  ['roles', 'account_role_check', ROLES],
])('the database accepts exactly the %s of the contract', async (_, constraint, values) => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query<{ definition: string }>(
    'SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = $1',
    [constraint],
  );
  const accepted = [...(rows[0]?.definition ?? '').matchAll(/'([^']*)'/g)].map(([, value]) => value);
  expect(accepted.toSorted()).toEqual([...values].toSorted());
});
