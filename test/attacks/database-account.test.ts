import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { type Attempt, surprises } from '#support/attempts.ts';
import { startApp } from '#support/start-app.ts';
import { createEmptyDatabase, createTestDatabase } from '#support/test-database.ts';

/** A connection like the product's, as an SQL injection would have it. */
async function connectAsApplication(applicationUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: applicationUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Returns `done`, or PostgreSQL's code for the refusal (appendix A of its manual). */
const outcome = (client: pg.Client, sql: string): Promise<string> =>
  client.query(sql).then(
    () => 'done',
    ({ code, message }: { code?: string; message: string }) => code ?? message,
  );

/** `insufficient_privilege`. */
const REFUSED = '42501';

const ATTACKS = [
  "COPY (SELECT 1) TO PROGRAM 'id'",
  "COPY account FROM '/etc/passwd'",
  "SELECT pg_read_file('/etc/passwd')",
  "SELECT lo_import('/etc/passwd')",
  'SELECT pg_reload_conf()',
  "ALTER SYSTEM SET log_statement = 'all'",
  'CREATE ROLE intruder SUPERUSER LOGIN',
  'ALTER ROLE interviews_app SUPERUSER',
  'CREATE DATABASE intruder',
  'CREATE EXTENSION file_fdw',
  'SET session_replication_role = replica',
  'CREATE TABLE public.copy AS SELECT * FROM account',
  'CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql AS $$ SELECT NULL::timestamptz $$',
  'CREATE TRIGGER hidden BEFORE INSERT ON log_entry EXECUTE FUNCTION listing_follow_texts()',
  'ALTER TABLE account DROP COLUMN password_hash',
  'ALTER TABLE log_entry DISABLE TRIGGER ALL',
  'DROP TABLE interview',
  'TRUNCATE interview',
  "UPDATE log_entry SET summary = 'Nothing happened.'",
  "INSERT INTO log_entry (type, action, status, summary, created_at) VALUES ('auth', 'sign-in', 'success', 'Signed in.', now() - interval '1 day')",
  'DELETE FROM log_entry',
  'TRUNCATE log_entry',
  "INSERT INTO log_entry (id, type, action, status, summary) OVERRIDING SYSTEM VALUE SELECT id, type, action, status, summary FROM log_entry ON CONFLICT (id) DO UPDATE SET summary = 'Nothing happened.'",
  "INSERT INTO log_count VALUES (now(), 'system', 'start', -1)",
  'UPDATE log_count SET n = 0',
  'DELETE FROM log_count',
  "INSERT INTO log_total VALUES ('system', 'start', false, -1)",
  'UPDATE log_total SET n = 0',
  'DELETE FROM log_total',
  'DELETE FROM migration',
  'ALTER FUNCTION redact_log_entry SET search_path = pg_temp',
  'DROP TABLE pgboss.job',
];

test('with the account of the product, no statement runs programs, reads files, gains rights or rewrites the log', async () => {
  const { database } = await startApp({ jobs: false });
  const client = await connectAsApplication(database.applicationUrl);
  const attempts: Attempt[] = [];
  for (const attempt of ATTACKS) attempts.push({ attempt, expected: REFUSED, seen: await outcome(client, attempt) });
  expect(surprises(attempts)).toEqual([]);
});

test('every connection of the product has the account of the product', async () => {
  const { database } = await startApp({ isAlone: false });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query<{ name: string; role: string }>(
    `SELECT DISTINCT application_name AS name, usename AS role FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'interviews%' AND pid <> pg_backend_pid()`,
  );
  const role = new URL(database.applicationUrl).username;
  // The test's own connections have the owner's account and the name of the pool.
  const ofProduct = rows.filter((row) => row.name !== 'interviews' || row.role === role);
  expect(ofProduct.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
    { name: 'interviews', role },
    { name: 'interviews live', role },
  ]);
});

test('the functions on log entries ignore objects that a caller created, and keep the last 24 hours', async () => {
  const { database, db } = await startApp({ jobs: false });
  const client = await connectAsApplication(database.applicationUrl);
  await client.query(
    'CREATE TEMP TABLE log_entry (id bigint, summary text, details jsonb, metadata jsonb, created_at timestamptz)',
  );
  await client.query('SELECT redact_log_entry(1, $1, NULL, NULL)', ['[erased]']);
  const before = await db.selectFrom('log_entry').select(['id', 'summary']).orderBy('id').execute();
  expect(before[0]?.summary).toBe('[erased]');
  await client.query("SELECT delete_log_entries_before(now() + interval '1 year')");
  expect(await db.selectFrom('log_entry').select(['id', 'summary']).orderBy('id').execute()).toEqual(before);
});

test('a redaction blanks parts of a log entry and cannot write anything else', async () => {
  const { database, db } = await startApp({ jobs: false });
  const client = await connectAsApplication(database.applicationUrl);
  const details = { changed: { iv_7: { name: 'Yuki Horvat', fields: ['name'], count: 2 } }, note: '100% of Yuki_H' };
  const entry = { type: 'system', action: 'start', status: 'info', summary: 'Yuki Horvat (100%) was archived.' };
  const { id } = await db
    .insertInto('log_entry')
    .values({ ...entry, details: JSON.stringify(details), metadata: '{"interviewId":"iv_7"}' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const redact = async (summary: string, after: unknown, metadata: unknown) => {
    await client.query('SELECT redact_log_entry($1, $2, $3, $4)', [id, summary, after, metadata]);
    const columns = ['summary', 'details', 'metadata'] as const;
    return db.selectFrom('log_entry').select(columns).where('id', '=', id).executeTakeFirstOrThrow();
  };
  const redacted = {
    summary: '[erased] (100%) was archived.',
    details: {
      changed: { 'erased-0a1b': { name: '[erased]', fields: ['name'], count: 2 } },
      note: '100% of [erased]',
    },
    metadata: { interviewId: 'erased-0a1b' },
  };
  expect(await redact(redacted.summary, redacted.details, redacted.metadata)).toEqual(redacted);
  const forged = { ...redacted.details, changed: { 'erased-0a1b': { name: 'Ann', fields: ['name'], count: 2 } } };
  expect(await redact('[erased] (100%) was deleted.', forged, { interviewId: 'iv_8' })).toEqual({
    summary: '[erased]',
    details: null,
    metadata: null,
  });
});

test('the product works on a database that an earlier release created with one account', async () => {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  await migrate(database.url, { upTo: '0011_second_factor.sql' });
  const { signedIn } = await startApp({ database });
  await signedIn();
  const client = await connectAsApplication(database.applicationUrl);
  expect(await outcome(client, 'DELETE FROM log_entry')).toBe(REFUSED);
});

test('a process of the former release inserts interviews and log entries before a migration is followed by its grants', async () => {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  await startApp({ database });
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  onTestFinished(() => owner.end());
  const role = new URL(database.applicationUrl).username;
  await owner.query(`REVOKE ALL ON listing_funnel, log_count, log_total FROM ${pg.escapeIdentifier(role)}`);
  await owner.query("INSERT INTO funnel (name, external_id, api_key_encrypted) VALUES ('Nurses', 'nurses', '')");
  const client = await connectAsApplication(database.applicationUrl);
  await client.query(
    "INSERT INTO interview (id, funnel_id, title, recorded_at, created_at) VALUES ('iv-1', 1, 'One', now(), now())",
  );
  await client.query("INSERT INTO log_entry (type, action, status, summary) VALUES ('system', 'x', 'info', 'One')");
  const { rows } = await owner.query(
    "SELECT (SELECT n FROM listing_funnel) AS interviews, (SELECT n FROM log_count WHERE action = 'x') AS entries",
  );
  expect(rows).toEqual([{ interviews: 1, entries: 1 }]);
});

test('the product may vacuum and analyze its tables', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const client = await connectAsApplication(database.applicationUrl);
  const notices: (string | undefined)[] = [];
  client.on('notice', ({ message }) => notices.push(message));
  for (const table of ['interview', 'interview_text', 'log_entry', 'pgboss.job_common'])
    await client.query(`VACUUM (ANALYZE) ${table}`);
  expect(notices).toEqual([]);
});
