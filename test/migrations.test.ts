import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { ArchiveWriter } from '#server/backup/archive-writer.ts';
import { makeBackup } from '#server/backup/make-backup.ts';
import formerChecksums from '#server/db/former-checksums.json' with { type: 'json' };
import { migrate, migrationFiles, readMigration } from '#server/db/migrate.ts';
import checksums from './migrations/checksums.json' with { type: 'json' };
import { emptyFolder, restore } from './support/backups.ts';
import { cloneDatabase, createEmptyDatabase, type TestDatabase } from './support/test-database.ts';

/**
 * `test/migrations/NNNN_….sql` inserts rows as the release with that newest migration wrote them,
 * into every table and column that the migration added. Like the SQL of migrations, it is never
 * changed.
 */
const FOLDER = join(import.meta.dirname, 'migrations');
const MIGRATIONS = new URL('../src/server/db/migrations/', import.meta.url);
const CHECKSUMS: Readonly<Record<string, string>> = checksums;
const NAMES = await migrationFiles();

async function onDatabase<T>(database: TestDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  return database;
}

type Life = 'long' | 'short';

/** A database that is upgraded from release to release, and the newest migration that it has. */
interface UpgradedDatabase {
  database: TestDatabase;
  at: string;
}

const upgraded: { [life in Life]?: UpgradedDatabase } = {};
afterAll(async () => {
  for (const { database } of Object.values(upgraded)) await database.drop();
});

/**
 * Returns a database of the release with this migration: upgraded through all earlier releases,
 * with rows of each (`long`), or new, with rows of this release (`short`). It is cloned from a
 * database that earlier calls upgraded, because upgrading an empty one each time would take too
 * long.
 */
async function databaseOf(version: string, life: Life): Promise<TestDatabase> {
  const source = await upgradeTo(version, life);
  const database = await cloneDatabase(source);
  onTestFinished(database.drop);
  if (life === 'short') await insertRows(database, upTo(version));
  return database;
}

async function upgradeTo(version: string, life: Life): Promise<TestDatabase> {
  const before = upgraded[life];
  const isTooNew = before && before.at > version;
  if (isTooNew) await before.database.drop();
  const { database, at } = before && !isTooNew ? before : { database: await createEmptyDatabase(), at: '' };
  upgraded[life] = { database, at: version };
  for (const name of upTo(version).filter((name) => name > at)) {
    await migrate(database.url, { upTo: name });
    if (life === 'long') await insertRows(database, [name]);
  }
  return database;
}

const upTo = (version: string) => NAMES.filter((name) => name <= version);

const insertRows = (database: TestDatabase, names: readonly string[]) =>
  onDatabase(database, async (client) => {
    for (const name of names) await client.query(await readFile(join(FOLDER, name), 'utf8'));
  });

type Row = Record<string, unknown>;

/** Maintained by triggers and compared separately. */
const DERIVED = [
  'listing',
  'listing_count',
  'listing_day',
  'listing_funnel',
  'listing_state',
  'log_count',
  'log_total',
];

/** Every row of every table as PostgreSQL's JSON. */
const contentOf = (database: TestDatabase): Promise<Record<string, Row[]>> =>
  onDatabase(database, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migration'",
    );
    const content: Record<string, Row[]> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: Row }>(`SELECT to_jsonb(t) AS row FROM ${name} AS t ORDER BY t::text`);
      content[name] = rows.map(({ row }) => row);
    }
    return content;
  });

const withoutRestore = (rows: Row[]) => rows.filter(({ action }) => action !== 'restore-backup');

/** Keeps only the columns that existed before. */
const asBefore = (after: Row[], before: Row[]) =>
  after.map((row) => Object.fromEntries(Object.keys(before[0] ?? {}).map((column) => [column, row[column]])));

describe.each(NAMES)('a database of the release with %s', (version) => {
  test.each<Life>(['long', 'short'])('keeps every row when it is upgraded after a %s life', async (life) => {
    const database = await databaseOf(version, life);
    const before = await contentOf(database);
    for (const [table, rows] of Object.entries(before)) expect(rows.length, `rows of ${table}`).toBeGreaterThan(0);

    await migrate(database.url);
    const after = await contentOf(database);
    for (const [table, rows] of Object.entries(before)) {
      if (DERIVED.includes(table)) continue;
      expect(sorted(asBefore(after[table] ?? [], rows)), table).toEqual(sorted(rows));
    }
    const stored = (after.interview ?? []).map(({ id, archived_at }) => [id, archived_at !== null]).sort();
    expect((after.listing ?? []).map(({ interview_id, archived }) => [interview_id, archived]).sort()).toEqual(stored);
    const counted = (after.listing_count ?? []).filter(({ archived }) => archived).map(({ n }) => Number(n));
    const archived = stored.filter(([, isArchived]) => isArchived).length;
    expect(counted.reduce((sum, n) => sum + n, 0)).toBe(archived);
    expect(await wrongCounts(database)).toEqual([]);
    expect(await migrate(database.url)).toEqual([]);
  });
});

/** The sums that a list reads and that differ from the rows. */
const wrongCounts = (database: TestDatabase) =>
  onDatabase(database, async (client) => {
    const { rows } = await client.query(`
      SELECT * FROM (
        SELECT 'funnel' AS counted, funnel_id::text AS key, n FROM listing_funnel WHERE NOT archived
        UNION ALL SELECT 'log', type, sum(n) FROM log_count GROUP BY type
        UNION ALL SELECT 'log total', type, sum(n) FROM log_total GROUP BY type
      ) AS sums FULL JOIN (
        SELECT 'funnel' AS counted, funnel_id::text AS key, count(*) AS n FROM interview WHERE archived_at IS NULL GROUP BY 2
        UNION ALL SELECT 'log', type, count(*) FROM log_entry GROUP BY type
        UNION ALL SELECT 'log total', type, count(*) FROM log_entry GROUP BY type
      ) AS rows USING (counted, key) WHERE sums.n IS DISTINCT FROM rows.n`);
    return rows;
  });

const sorted = (rows: Row[]) => rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();

describe('a migration that was changed after it was applied', () => {
  test('a migration that was changed after it was applied is rejected with its name, and the database is left unchanged', async () => {
    const database = await databaseOf(NAMES[1] ?? '', 'short');
    await onDatabase(database, (client) =>
      client.query("UPDATE migration SET checksum = 'of another text' WHERE name = $1", [NAMES[0]]),
    );
    const before = await contentOf(database);
    await expect(migrate(database.url)).rejects.toThrow(`Migration ${NAMES[0]} was changed after it was applied`);
    expect(await contentOf(database)).toEqual(before);
  });

  test('a migration that was changed after it was applied is detected from the second start on, if an early release stored no checksums', async () => {
    const database = await databaseOf(NAMES[2] ?? '', 'short');
    await onDatabase(database, (client) => client.query('ALTER TABLE migration DROP COLUMN checksum'));
    await migrate(database.url);
    const noted = await onDatabase(database, (client) =>
      client.query('SELECT checksum FROM migration WHERE checksum IS NULL'),
    );
    expect(noted.rows).toEqual([]);
  });

  test.each([...NAMES.slice(0, 2)])(
    'a database of a release that hashed comments starts with other comments, but not with other SQL in %s',
    async (name) => {
      const database = await databaseOf(NAMES[1] ?? '', 'short');
      const [former] = Object.entries(formerChecksums).find(([, current]) => current === CHECKSUMS[name]) ?? [];
      await onDatabase(database, (client) =>
        client.query('UPDATE migration SET checksum = $2 WHERE name = $1', [name, former]),
      );
      const folder = pathToFileURL(`${await emptyFolder()}/`);
      await cp(MIGRATIONS, folder, { recursive: true });
      const sql = await readFile(new URL(name, folder), 'utf8');
      await writeFile(new URL(name, folder), `${sql}\nSELECT 1;\n`);
      await expect(migrate(database.url, { folder })).rejects.toThrow(
        `Migration ${name} was changed after it was applied`,
      );
      await writeFile(new URL(name, folder), `-- Another comment.\n${sql.replace('-- ', '-- Rewritten: ')}`);
      expect(await migrate(database.url, { folder })).toEqual(NAMES.slice(2));
    },
  );

  test('a migration that was changed after it was applied is detected by this test: a change needs a new migration', async () => {
    const actual = await Promise.all(NAMES.map(async (name) => [name, (await readMigration(name)).checksum]));
    expect(Object.fromEntries(actual), 'restore the migration, or add the new one here').toEqual(checksums);
  });
});

test("the planner's statistics contain no names after the upgrade", async () => {
  const database = await databaseOf('0012_log_actor.sql', 'short');
  const sampled = () =>
    onDatabase(database, async (client) => {
      await client.query('ANALYZE');
      const { rows } = await client.query(
        "SELECT attname FROM pg_stats WHERE tablename = 'interview' AND attname LIKE 'candidate_%'",
      );
      return rows.length;
    });
  expect(await sampled()).toBeGreaterThan(0);
  await migrate(database.url);
  expect(await sampled()).toBe(0);
});

test('interviews with a text too varied for one tsvector are found by its first words', async () => {
  const database = await databaseOf('0009_listing_backfill.sql', 'short');
  const write = (id: string, column: 'transcription_text' | 'summary_text') =>
    onDatabase(database, async (client) => {
      await client.query('DELETE FROM interview_text WHERE interview_id = $1', [id]);
      await client.query(
        `INSERT INTO interview_text (interview_id, ${column})
         SELECT $1, 'first ' || string_agg(md5(n::text), ' ') FROM generate_series(1, 40000) AS n`,
        [id],
      );
    });
  const found = async (word: string) => {
    const sql = 'SELECT interview_id FROM interview_text WHERE words @@ to_tsquery($1) ORDER BY interview_id';
    const { rows } = await onDatabase(database, (client) => client.query(sql, [word]));
    return rows.map(({ interview_id }) => interview_id);
  };
  const days = async () => (await contentOf(database)).listing_day;
  await write('iv_3', 'summary_text');
  expect(await found('first')).toEqual([]);
  const before = await days();
  await migrate(database.url);
  expect(await found('first')).toEqual(['iv_3']);
  // Cached counts of that day are outdated.
  expect(await days()).not.toEqual(before);
  await write('iv_2', 'transcription_text');
  expect(await found('first')).toEqual(['iv_2', 'iv_3']);
  expect(await found('care')).toEqual(['iv_1']);
});

test('a backup of an earlier release is restored completely and upgraded', async () => {
  const database = await databaseOf('0006_processing.sql', 'long');
  const folder = await emptyFolder();
  const files = localFileStore(join(folder, 'files'));
  const file = join(folder, 'earlier.tar');
  const key = Buffer.alloc(32, 7);
  const source = { connectionString: database.url, files, productVersion: '1.0.0', secrets: null };
  await makeBackup({ ...source, keys: [key] }, await ArchiveWriter.create(file, null));
  const before = await contentOf(database);

  const target = await emptyDatabase();
  const ENCRYPTION_KEY = key.toString('hex');
  await restore({ DATA_DIR: await emptyFolder(), DATABASE_URL: target.url, ENCRYPTION_KEY }, file);
  const after = await contentOf(target);
  for (const table of ['account', 'funnel', 'interview_text', 'sync_run', 'log_entry', 'step_run', 'publication'])
    expect(sorted(asBefore(withoutRestore(after[table] ?? []), before[table] ?? [])), table).toEqual(
      sorted(before[table] ?? []),
    );
  // Its files are missing, so the interview no longer refers to them.
  expect(after.interview?.map(({ id, video_file }) => [id, video_file]).sort()).toEqual(
    before.interview?.map(({ id }) => [id, null]).sort(),
  );
  expect(await migrate(target.url)).toEqual([]);
});

test('migrating does not wait for a running backup', async () => {
  const database = await databaseOf(NAMES.at(-1) ?? '', 'short');
  await onDatabase(database, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query('SELECT * FROM migration, interview');
    expect(await migrate(database.url)).toEqual([]);
  });
});

test('processes of the former release can be restarted on every migration since several processes can run', async () => {
  const names = NAMES.filter((name) => name > '0020_finding.sql');
  expect(names.length).toBeGreaterThan(4);
  const isNamed = async (name: string) => NAMES.includes((await readMigration(name)).worksSince ?? '');
  for (const name of names) expect([name, await isNamed(name)]).toEqual([name, true]);
});
