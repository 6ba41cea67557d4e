import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import type { BulkRun } from '#contracts/bulk.ts';
import { sized, timed } from '../measure.ts';
import { type BenchRow, benchRow, limitRow, percentile } from '../row.ts';
import { barePage, type ListDeps, P95_LIMIT_MS } from './pages.ts';

/** A run may have 10,000. Several interviews may share the oldest moment, so fewer are chosen. */
const MAX_ITEMS = sized(9_990, 90);
const ROUNDS = sized(3, 1);
const POLL_MS = 20;
const LIST = '/api/interviews?page=1&limit=10&texts=false';
const DESTINATION = 'BUB-BENCH-1';

/** `condition` is the filter as SQL; `change` makes the same change to the ids in $1. */
const CASES = [
  {
    name: 'archive',
    action: 'archive',
    filter: {},
    condition: 'archived_at IS NULL',
    change: 'UPDATE interview SET archived_at = now() WHERE id = ANY($1)',
    undo: 'UPDATE interview SET archived_at = NULL WHERE id = ANY($1)',
  },
  {
    name: 'set destination',
    action: 'setDestination',
    filter: { ready: '1' },
    condition: `archived_at IS NULL AND destination_id IS NULL AND youtube_id IS NOT NULL
      AND transcription_status = 'completed' AND summary_status = 'completed'`,
    change: `UPDATE interview SET destination_id = '${DESTINATION}' WHERE id = ANY($1)`,
    undo: 'UPDATE interview SET destination_id = NULL WHERE id = ANY($1)',
  },
] as const;

type BulkCase = (typeof CASES)[number];

/** Milliseconds. `lists` are requests while a run is in progress, each next to its bare page. */
type Measured = Record<'start' | 'bareStart' | 'whole' | 'bareWhole' | 'lists' | 'barePages', number[]>;

type BulkParts = ListDeps &
  BulkCase & {
    ids: readonly string[];
    /** The time of the oldest of them. */
    from: string;
    measured: Measured;
  };

/**
 * One action on 10,000 interviews of the list: the time to start it, the whole run, and the
 * responses of the list during the run. The baseline is the same change as bare SQL.
 */
export async function measureBulkRuns(deps: ListDeps): Promise<BenchRow[]> {
  const rows = await Array.fromAsync(CASES, async (bulkCase) => {
    const { ids, from } = await chooseNewest(bulkCase, deps.database);
    const measured: Measured = { start: [], bareStart: [], whole: [], bareWhole: [], lists: [], barePages: [] };
    const parts = { ...deps, ...bulkCase, ids, from, measured };
    for (let round = 0; round < ROUNDS; round += 1) {
      await measureBare(parts);
      await measureRun(parts);
      await deps.database.query(bulkCase.undo, [ids]);
    }
    return rowsOf(`${bulkCase.name} (${ids.length.toLocaleString('en-US')} at once)`, measured);
  });
  return rows.flat();
}

async function chooseNewest({ condition }: BulkCase, database: pg.Client): Promise<{ ids: string[]; from: string }> {
  const { rows } = await database.query<{ id: string; recorded_at: Date }>(
    `SELECT id, recorded_at FROM interview WHERE ${condition}
     ORDER BY recorded_at DESC FETCH FIRST ${MAX_ITEMS} ROWS WITH TIES`,
  );
  const oldest = rows.at(-1);
  if (!oldest) throw new Error(`No interview has the condition ${condition}.`);
  return { ids: rows.map(({ id }) => id), from: oldest.recorded_at.toISOString() };
}

/** Writes the same rows with two statements, and undoes the change. */
async function measureBare({ action, change, ids, measured, database }: BulkParts): Promise<void> {
  const insertRun = `
    WITH run AS (INSERT INTO bulk_run (action, total, started_by) VALUES ($1, cardinality($2::text[]), '{}') RETURNING id)
    INSERT INTO bulk_item (run_id, interview_id, position)
    SELECT run.id, chosen.id, position FROM run, unnest($2) WITH ORDINALITY AS chosen (id, position)`;
  await database.query('BEGIN');
  measured.bareStart.push(await timed(() => database.query(insertRun, [action, ids])));
  measured.bareWhole.push(await timed(() => database.query(change, [ids])));
  await database.query('ROLLBACK');
}

async function measureRun({ action, filter, ids, from, measured, product, http, database }: BulkParts): Promise<void> {
  const target = { filter: { ...filter, startDate: from }, expected: ids.length };
  const destination = action === 'setDestination' && { destinationId: DESTINATION };
  const startedAt = performance.now();
  let run = await product.admin.call<BulkRun>('POST', '/api/bulk', { action, target, ...destination });
  measured.start.push(performance.now() - startedAt);
  while (run.status === 'running') {
    measured.lists.push(await timed(() => http.get(LIST)));
    measured.barePages.push(await timed(() => database.query(barePage())));
    run = await product.admin.call<BulkRun>('GET', `/api/bulk/${run.id}`);
    if (run.status === 'running') await setTimeout(POLL_MS);
  }
  measured.whole.push(performance.now() - startedAt);
  if (run.done !== ids.length) throw new Error(`${action}: ${run.done} of ${ids.length} done.`);
}

function rowsOf(name: string, { start, bareStart, whole, bareWhole, lists, barePages }: Measured): BenchRow[] {
  const aim = { atMost: 5 };
  const during = `${name}, list during a run`;
  return [
    benchRow({ name: `${name}, time to start`, ours: start, baseline: bareStart, aim }),
    benchRow({ name: `${name}, whole run`, ours: whole, baseline: bareWhole, aim }),
    benchRow({ name: `${during}, median`, ours: lists, baseline: barePages }),
    limitRow({ name: `${during}, 95th percentile`, ours: percentile(lists, 0.95), limit: P95_LIMIT_MS }),
  ];
}
