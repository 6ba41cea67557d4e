import type { Database } from '../../db/database.ts';
import { announce } from '../../live/bus.ts';
import type { InterviewSource, SourceAccess, SourceCursor, SourcePage } from '../../ports/interview-source.ts';
import type { ImportOutcome, Interviews } from '../interviews/interviews.service.ts';
import type { FileRemoval } from '../media/file-removal.service.ts';
import { RunLost } from './run-lost.ts';
import type { RunRow } from './sync.view.ts';
import { recordOutcome } from './sync-records.repo.ts';
import { addProgress } from './sync-runs.repo.ts';

/** Pages that may be read and not yet written: a slow write does not make the service wait, nor a slow page the database. */
const READ_AHEAD = 3;
/** Ids of the last interviews read, to notice one that comes twice when the list moves under the reader. */
const REMEMBERED_IDS = 5_000;

export interface ReadDependencies {
  db: Database;
  interviews: Interviews;
  source: InterviewSource;
  removal: Pick<FileRemoval, 'enqueue'>;
}

interface Reading {
  run: RunRow & { worker: string };
  access: SourceAccess;
  signal: AbortSignal;
  /** Aborts when somebody cancels: the page that is being written is finished, the one that is being fetched is not waited for. */
  cancelled: AbortSignal;
  onPage: () => void;
}

/**
 * Reads the source from the run's cursor to its end, the next pages being fetched while this one is written. Each page is one
 * transaction: rows, changes, skips, files to fetch, progress and cursor.
 * @returns false when somebody asked to cancel.
 */
export async function readPages(
  on: ReadDependencies,
  { run, access, signal, cancelled, onPage }: Reading,
): Promise<boolean> {
  const range = { createdAfter: run.created_after, createdBefore: run.created_before };
  if (run.all_read) return run.cancel_requested_at === null;
  const read = (cursor: SourceCursor | null) =>
    on.source.page(access, range, cursor, AbortSignal.any([signal, cancelled]));

  const seen = new RecentIds();
  try {
    for await (const page of pagesFrom(run.cursor as SourceCursor | null, read)) {
      const after = await writePage(on, run, page, seen);
      onPage();
      if (after.cancel_requested_at !== null) return false;
    }
  } catch (error) {
    if (cancelled.aborted && !signal.aborted) return false;
    throw error;
  }
  return run.cancel_requested_at === null;
}

/** Each page is asked for as soon as the one before has come, up to `READ_AHEAD` of them before they are taken. */
async function* pagesFrom(
  cursor: SourceCursor | null,
  read: (cursor: SourceCursor | null) => Promise<SourcePage>,
): AsyncGenerator<SourcePage> {
  const ahead: Promise<SourcePage | null>[] = [];
  let last: Promise<SourcePage | null> | null = null;
  for (;;) {
    while (ahead.length < READ_AHEAD) {
      last = last ? last.then((page) => (page?.next ? read(page.next) : null)) : read(cursor);
      // It is awaited later; until then a failure must not count as unhandled.
      last.catch(() => {});
      ahead.push(last);
    }
    const page = await ahead.shift();
    if (!page) return;
    yield page;
  }
}

async function writePage(
  on: ReadDependencies,
  run: RunRow & { worker: string },
  page: SourcePage,
  seen: RecentIds,
): Promise<RunRow> {
  const interviews = page.interviews.filter(({ id }) => seen.add(id));
  return await on.db.transaction().execute(async (tx) => {
    const imported = await on.interviews.importPage(tx, run.funnel_id, interviews);
    const outcome = withUnreadable(imported, page);
    const last = interviews.findLast(({ id }) => !imported.erased.has(id));
    const { skipped, files } = await recordOutcome(tx, run.id, outcome);
    const after = await addProgress(
      tx,
      run,
      {
        processed: interviews.length + page.unreadable.length,
        new_count: outcome.newCount,
        updated_count: outcome.changed.length,
        archived_count: outcome.archivedCount,
        skipped_count: skipped,
        field_change_count: outcome.changed.reduce((sum, { fields }) => sum + fields.length, 0),
        total_files: files,
      },
      {
        total: page.total,
        cursor: page.next,
        all_read: page.next === null,
        ...(last && { current: `Processing ${last.candidateName ?? last.title ?? last.id}` }),
      },
    );
    if (!after) throw new RunLost();
    await announce(tx, 'sync', 'refresh-progress');
    await on.removal.enqueue(tx, outcome.staleFiles);
    return after;
  });
}

const withUnreadable = (outcome: ImportOutcome, page: SourcePage): ImportOutcome => ({
  ...outcome,
  skipped: [
    ...outcome.skipped,
    ...page.unreadable.map(({ id, title, reason }) => ({
      interviewId: id,
      title: title ?? 'Untitled interview',
      reason,
    })),
  ],
});

/** Remembers a bounded number of ids, the oldest forgotten first. */
class RecentIds {
  readonly #ids = new Set<string>();

  /** False when the id is known. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const oldest = this.#ids.values().next();
    if (this.#ids.size > REMEMBERED_IDS && !oldest.done) this.#ids.delete(oldest.value);
    return true;
  }
}
