import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#support/test-database.ts';
import { migrate } from './migrate.ts';

const ROOT = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

test('the table types match the migrated database (npm run db-types updates them)', async ({ onTestFinished }) => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const verifying = run(join(ROOT, 'node_modules/.bin/kysely-codegen'), ['--verify', '--url', database.url], {
    cwd: ROOT,
  });
  await expect(verifying).resolves.toBeDefined();
});

test('migrating a migrated database changes nothing, even from two processes at once', async ({ onTestFinished }) => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  expect(await Promise.all([migrate(database.url), migrate(database.url)])).toEqual([[], []]);
});

test('a database of a newer version is refused with its migration and left unchanged', async ({ onTestFinished }) => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("INSERT INTO migration (name) VALUES ('9999_from_the_future.sql')");
  await client.end();
  await expect(migrate(database.url)).rejects.toThrow('newer than this program (it has 9999_from_the_future.sql)');
});
