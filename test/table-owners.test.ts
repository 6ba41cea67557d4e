import { glob, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const SERVER = 'src/server/';
/** Of the features, only this file writes the columns of `interview` with the state of steps. */
const STEP_STATE = 'features/processing/step-state.repo.ts';

interface Ownership {
  /** The room below src/server whose repositories may write the table. */
  owner: string;
  /** Rooms that may read it, mostly in joins. */
  readers?: readonly string[];
  /** Rooms or files that may write it in addition, each for the reason given next to it. */
  writers?: readonly string[];
}

/**
 * Each table has one owner. Other rooms call a function of the owner's service, in their own
 * transaction.
 */
const TABLES: Record<string, Ownership> = {
  worker_process: { owner: 'jobs' },
  // A funnel is restored with what the accounts have watched of it.
  account: { owner: 'features/session', readers: ['backup'], writers: ['backup'] },
  account_funnel: { owner: 'features/session' },
  session: { owner: 'features/session' },
  invitation: { owner: 'features/session' },
  identity: { owner: 'features/session' },
  logout_token: { owner: 'features/session' },
  api_token: { owner: 'features/session' },
  sign_in_failure: { owner: 'features/session' },
  second_factor: { owner: 'features/session' },
  recovery_code: { owner: 'features/session' },
  // Interviews are listed and exported with the names of their funnel; a page of a refresh locks
  // its funnel with KEY SHARE, as its foreign key does.
  mail: { owner: 'features/mail' },
  ats_connection: { owner: 'features/ats' },
  ats_pace: { owner: 'features/ats' },
  notice: { owner: 'features/notices' },
  notice_settings: { owner: 'features/notices' },
  funnel: {
    owner: 'features/funnels',
    readers: [
      'features/interviews',
      'features/candidates',
      'features/automation',
      'features/reviews',
      'features/shares',
      'cli',
      'backup',
    ],
    writers: ['backup'],
  },
  automation: { owner: 'features/automation' },
  awaited_processing: { owner: 'features/automation' },
  // The state of an automation contains when its last event arrived.
  webhook: { owner: 'features/webhooks', readers: ['features/automation'] },
  outgoing_webhook: { owner: 'features/outgoing-webhooks' },
  webhook_delivery: { owner: 'features/outgoing-webhooks' },
  webhook_event: { owner: 'features/webhooks' },
  announced_interview: { owner: 'features/sync' },
  // A restore clears the names of files that the backup does not contain, and brings funnels back.
  // The state of steps belongs to processing; one file writes it (docs/decisions/0034).
  interview: {
    owner: 'features/interviews',
    readers: [
      'features/notices',
      'features/outgoing-webhooks',
      'features/processing',
      'features/sync',
      'features/bulk',
      'features/candidates',
      'features/reviews',
      'features/shares',
      'features/ats-pushes',
      'backup',
    ],
    writers: ['backup', STEP_STATE],
  },
  interview_segment: {
    owner: 'features/interviews',
    readers: ['features/candidates', 'backup'],
    writers: ['backup'],
  },
  interview_text: {
    owner: 'features/processing',
    readers: ['features/interviews', 'features/candidates', 'features/shares', 'features/ats-pushes'],
  },
  listing: { owner: 'features/interviews', readers: ['backup'] },
  listing_count: { owner: 'features/interviews', readers: ['backup'] },
  listing_day: { owner: 'features/interviews' },
  listing_funnel: { owner: 'features/interviews', readers: ['features/funnels'] },
  listing_state: { owner: 'features/interviews' },
  watched: { owner: 'features/interviews' },
  answer_start: { owner: 'features/interviews' },
  scorecard: { owner: 'features/reviews', readers: ['features/candidates'] },
  review: { owner: 'features/reviews', readers: ['features/interviews', 'features/candidates'] },
  review_reading: { owner: 'features/reviews' },
  // The list shows whether the note of an interview is out of date.
  ats_push: { owner: 'features/ats-pushes', readers: ['features/interviews', 'features/candidates'] },
  ats_removal: { owner: 'features/ats-pushes' },
  share_batch: { owner: 'features/shares' },
  share: { owner: 'features/shares' },
  share_item: { owner: 'features/shares', readers: ['features/interviews', 'features/notices'] },
  share_comment: { owner: 'features/shares' },
  comment: { owner: 'features/reviews', readers: ['features/candidates'] },
  saved_view: { owner: 'features/saved-views' },
  upload: { owner: 'features/uploads' },
  recording_checksum: { owner: 'features/uploads' },
  log_entry: { owner: 'features/logs' },
  log_count: { owner: 'features/logs' },
  log_total: { owner: 'features/logs' },
  publication: { owner: 'features/processing', readers: ['features/candidates', 'features/interviews'] },
  step_run: { owner: 'features/processing' },
  transcript_part: { owner: 'features/processing' },
  bulk_run: { owner: 'features/bulk' },
  bulk_item: { owner: 'features/bulk' },
  sync_run: { owner: 'features/sync' },
  queued_refresh: { owner: 'features/sync' },
  sync_change: { owner: 'features/sync' },
  sync_skip: { owner: 'features/sync' },
  sync_file: { owner: 'features/sync' },
  erasure_key: { owner: 'features/erasure' },
  deleted_interview: { owner: 'features/erasure' },
  erasure_mark: { owner: 'features/erasure' },
  video_removal: { owner: 'features/erasure' },
  migration: { owner: 'db', readers: ['backup', 'features/operations'] },
  installed_release: { owner: 'features/operations' },
  read_quota: { owner: 'features/operations' },
  'pgboss.job': { owner: 'jobs' },
};

/** Only db/step-columns.ts names these columns, and the generated db/tables.ts. */
const STEP_COLUMN = /\b(youtube|transcription|summary)_(status|error|note|permanent|at)\b|\bSTEPS\[\w+\]\.record\b/;

interface TableUse {
  table: string;
  isWrite: boolean;
}

const KYSELY_CALL = /\b(selectFrom|from|innerJoin|leftJoin|insertInto|updateTable|deleteFrom)\(\s*'(\w+)/g;
/** Not `KEY SHARE`, which a row that refers to the table acquires as well. */
const KYSELY_LOCK = /\bselectFrom\(\s*'(\w+)(?:(?!\.execute)[\s\S])*?\.for(?:NoKeyUpdate|Update|Share)\(/g;
const SQL_LOCK = /\b(FROM (?:(?!FROM|`)[\s\S])*?)\bFOR (?:NO KEY UPDATE|UPDATE|SHARE)\b(?: OF (\w+))?/g;
const SQL_SOURCE = /\b(?:FROM|JOIN) ([a-z_]+)(?: AS (\w+))?/g;
const SQL_TEXT =
  /(?<!FOR |KEY |DO )\b(FROM|JOIN|INSERT INTO|UPDATE|DELETE FROM|TRUNCATE|LOCK TABLE)\s+(?:ONLY\s+)?([a-z_]+(?:\.[a-z_]+)?)/g;
const READS = ['selectFrom', 'from', 'innerJoin', 'leftJoin', 'FROM', 'JOIN'];

function tableUses(source: string): TableUse[] {
  const named = [...source.matchAll(KYSELY_CALL), ...source.matchAll(SQL_TEXT)].map(([, verb = '', table = '']) => ({
    table,
    isWrite: !READS.includes(verb),
  }));
  const locked = [...source.matchAll(KYSELY_LOCK)].map(([, table = '']) => ({ table, isWrite: true }));
  return [...named, ...locked, ...locksInText(source)].filter(({ table }) => Object.hasOwn(TABLES, table));
}

/** `FOR UPDATE OF d` locks only the table with this alias. */
const locksInText = (source: string): TableUse[] =>
  [...source.matchAll(SQL_LOCK)].flatMap(([, text = '', of]) =>
    [...text.matchAll(SQL_SOURCE)]
      .filter(([, table, alias = table]) => of === undefined || alias === of)
      .map(([, table = '']) => ({ table, isWrite: true })),
  );

const isIn = (path: string, room: string) => `${path}/`.startsWith(`${SERVER}${room}/`);

/** Returns a message for each rule that the file breaks. */
function violations(path: string, source: string): string[] {
  const foreign = tableUses(source).flatMap(({ table, isWrite }) => {
    const { owner, readers = [], writers = [] } = TABLES[table] as Ownership;
    if ([owner, ...(isWrite ? writers : readers)].some((room) => isIn(path, room))) return [];
    return [`${isWrite ? 'writes or locks' : 'reads'} ${table} of ${owner}`];
  });
  const hasSql = tableUses(source).length > 0 || /\bsql(<[^`]*>)?`/.test(source);
  const isMisplaced = isIn(path, 'features') && hasSql && !path.endsWith('.repo.ts');
  const knowsSteps =
    STEP_COLUMN.test(source) && !['db/step-columns.ts', 'db/tables.ts'].some((file) => isIn(path, file));
  return [
    ...new Set([
      ...foreign,
      ...(knowsSteps ? ['names a column of steps'] : []),
      ...(isMisplaced ? ['has SQL outside of a *.repo.ts file'] : []),
    ]),
  ];
}

async function serverFiles(): Promise<{ path: string; source: string }[]> {
  const files: { path: string; source: string }[] = [];
  for await (const path of glob(`${SERVER}**/*.ts`, { cwd: ROOT }))
    if (!path.endsWith('.test.ts')) files.push({ path, source: await readFile(join(ROOT, path), 'utf8') });
  return files;
}

const PLANTED: [rule: string, path: string, source: string, message: string][] = [
  [
    'a Kysely write to the table of another feature',
    'features/funnels/funnels.repo.ts',
    "tx.deleteFrom('interview').where('funnel_id', '=', id).execute()",
    'writes or locks interview of features/interviews',
  ],
  [
    'a write in SQL text',
    'features/candidates/candidates.repo.ts',
    'sql`UPDATE sync_run SET current = NULL`.execute(tx)',
    'writes or locks sync_run of features/sync',
  ],
  [
    'a row lock on the table of another feature',
    'features/processing/step-runs.repo.ts',
    "tx.selectFrom('interview').select('title')\n.forNoKeyUpdate().executeTakeFirst()",
    'writes or locks interview of features/interviews',
  ],
  [
    'a row lock in SQL text',
    'features/interviews/interviews.repo.ts',
    'sql`SELECT FROM ats_push WHERE interview_id = 1 ORDER BY id FOR UPDATE`.execute(tx)',
    'writes or locks ats_push of features/ats-pushes',
  ],
  [
    'a row lock on one of the joined tables',
    'features/interviews/interviews.repo.ts',
    'sql`SELECT FROM interview AS i JOIN ats_push AS push ON push.interview_id = i.id FOR SHARE OF push`',
    'writes or locks ats_push of features/ats-pushes',
  ],
  [
    'a read without permission',
    'features/uploads/uploads.repo.ts',
    "db.selectFrom('interview').innerJoin('funnel', 'id', 'funnel_id')",
    'reads interview of features/interviews',
  ],
  [
    'a column of steps outside of its file',
    'features/processing/step-runs.repo.ts',
    "db.selectFrom('interview').select('youtube_status')",
    'names a column of steps',
  ],
  [
    'a computed column of steps',
    'features/bulk/decide-items.ts',
    'const name = STEPS[step].record;',
    'names a column of steps',
  ],
  [
    'the job table outside of the job queue',
    'features/sync/sync-runs.repo.ts',
    'sql`DELETE FROM pgboss.job WHERE id = ${id}`',
    'writes or locks pgboss.job of jobs',
  ],
  [
    'a query in a service',
    'features/sync/sync.service.ts',
    "db.selectFrom('sync_run').selectAll().execute()",
    'has SQL outside of a *.repo.ts file',
  ],
  [
    'an SQL fragment outside of a repository',
    'features/interviews/listing/listing-filter.ts',
    'sql<SqlBool>`l.facts = 1`',
    'has SQL outside of a *.repo.ts file',
  ],
];

describe('table ownership', () => {
  test.each(PLANTED)('the check finds %s', (_, path, source, message) => {
    expect(violations(SERVER + path, source)).toContain(message);
  });

  test('the check accepts owners and permitted readers', () => {
    const read = "db.selectFrom('step_run').innerJoin('interview', 'id', 'interview_id').select('title').execute()";
    const write = "tx.updateTable('interview').set({ title })";
    const lock = 'sql`SELECT FROM interview AS i JOIN ats_push AS push ON push.interview_id = i.id FOR UPDATE OF i`';
    expect(violations(`${SERVER}features/interviews/interviews.repo.ts`, lock)).toEqual([]);
    expect(violations(`${SERVER}features/processing/step-runs.repo.ts`, read)).toEqual([]);
    expect(violations(`${SERVER}features/interviews/interviews.repo.ts`, `${read}; ${write}`)).toEqual([
      'reads step_run of features/processing',
    ]);
  });

  test('every table has an owner that exists', async () => {
    const generated = await readFile(join(ROOT, SERVER, 'db/tables.ts'), 'utf8');
    const [, names = ''] = /export interface DB \{([^}]*)\}/.exec(generated) ?? [];
    const tables = [...names.matchAll(/^ {2}(\w+):/gm)].map(([, table]) => table);
    expect(Object.keys(TABLES).filter((table) => !table.includes('.'))).toEqual(expect.arrayContaining(tables));
    expect(tables.length).toBe(Object.keys(TABLES).length - 1);
    const files = await serverFiles();
    for (const { owner } of Object.values(TABLES)) expect(files.some(({ path }) => isIn(path, owner))).toBe(true);
  });

  test('every table is written only by its owner, and the SQL of features is in repositories', async () => {
    const found = (await serverFiles()).flatMap(({ path, source }) =>
      violations(path, source).map((message) => `${path} ${message}`),
    );
    expect(found).toEqual([]);
  });
});
