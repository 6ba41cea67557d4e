import { LRUCache } from 'lru-cache';
import type { Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { Interviews, MergeOutcome } from '#server/features/interviews/interviews.service.ts';
import type { Segments } from '#server/features/interviews/segments/segments.service.ts';
import type { FileRemoval } from '#server/features/media/file-removal.service.ts';
import type {
  InterviewSource,
  SourceAccess,
  SourceCursor,
  SourceInterview,
  SourcePage,
} from '#server/ports/interview-source.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { insertOutcome } from './sync-records.repo.ts';
import { type ClaimedSyncRun, type RunCause, type RunRow, updateProgress } from './sync-runs.repo.ts';

/**
 * Pages read before they are written, so that neither the service nor the database waits for the
 * other.
 */
const READ_AHEAD = 3;
/**
 * A list that changes while it is read may contain an interview twice. This many ids are
 * remembered.
 */
const MAX_REMEMBERED_IDS = 5_000;

/**
 * After this many pages, an attempt counts as successful although its process may end later. A
 * single page does not, because the source could end every process with the next one.
 */
const MIN_SUCCESSFUL_PAGES = 20;

export interface ReadDeps {
  db: Database;
  interviews: Interviews;
  segments: Pick<Segments, 'listUnready'>;
  source: InterviewSource;
  removal: Pick<FileRemoval, 'enqueue'>;
  events: Events;
}

interface ReadPagesInput {
  run: ClaimedSyncRun;
  access: SourceAccess;
  /** Aborts on shutdown. */
  signal: AbortSignal;
  /** Aborts on cancel: the page being written is finished, the page being read is not. */
  canceled: AbortSignal;
  onPage: () => void;
}

/**
 * Reads the source from the run's cursor to its end and writes each page in one transaction: rows,
 * changes, skips, files to download, progress and cursor. Returns false when the run was canceled.
 * @throws RunLost
 */
export async function readPages(
  deps: ReadDeps,
  { run, access, signal, canceled, onPage }: ReadPagesInput,
): Promise<boolean> {
  if (run.all_read) return run.cancel_requested_at === null;
  const range = { createdAfter: run.created_after, createdBefore: run.created_before };
  const read = (cursor: SourceCursor | null) =>
    deps.source.page(access, range, cursor, AbortSignal.any([signal, canceled]));

  const seen = new LRUCache<string, true>({ max: MAX_REMEMBERED_IDS });
  let pageCount = 0;
  try {
    for await (const page of pagesFrom(run.cursor as SourceCursor | null, read)) {
      const interviews = page.interviews.filter(({ id }) => !seen.has(id) && seen.set(id, true));
      pageCount += 1;
      const isSuccessful = pageCount >= MIN_SUCCESSFUL_PAGES;
      const written = await writePage(deps, run, { page: { ...page, interviews }, isSuccessful });
      onPage();
      if (written.cancel_requested_at !== null) return false;
    }
  } catch (error) {
    if (canceled.aborted && !signal.aborted) return false;
    throw error;
  }
  return run.cancel_requested_at === null;
}

/**
 * Reads interviews again whose recordings were not ready, because the pages of a refresh may not
 * contain them. Interviews that cannot be read are left to the next refresh. Returns false when the
 * run was canceled.
 * @throws RunLost
 */
export async function readUnready(
  deps: ReadDeps,
  { run, access, signal, canceled, onPage }: ReadPagesInput,
): Promise<boolean> {
  // A resumed run has read them already.
  if (run.cursor !== null || run.all_read) return run.cancel_requested_at === null;
  for (const interview of await deps.segments.listUnready(deps.db, run.funnel_id)) {
    const found = await deps.source
      .find(access, interview, AbortSignal.any([signal, canceled]))
      .catch((error: unknown) => {
        signal.throwIfAborted();
        if (canceled.aborted || error instanceof UpstreamError) return null;
        throw error;
      });
    if (canceled.aborted) return false;
    if (!found) continue;
    await writeUnready(deps, run, found);
    onPage();
  }
  return true;
}

async function writeUnready(deps: ReadDeps, run: ClaimedSyncRun, interview: SourceInterview): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const outcome = await deps.interviews.mergePage(tx, run.funnel_id, [interview]);
    const { files } = await insertOutcome(tx, run.id, { ...outcome, skipped: [] });
    await updateProgress(tx, run, {
      updated_count: outcome.changed.length,
      field_change_count: outcome.changed.reduce((sum, { fields }) => sum + fields.length, 0),
      total_files: files,
    });
    await deps.events.record(tx, 'run.progressed', { runId: run.id, cause: run.cause as RunCause });
    await deps.removal.enqueue(tx, outcome.staleFiles);
  });
}

/** Requests each page as soon as the previous one has arrived, at most `READ_AHEAD` pages ahead. */
async function* pagesFrom(
  cursor: SourceCursor | null,
  read: (cursor: SourceCursor | null) => Promise<SourcePage>,
): AsyncGenerator<SourcePage> {
  const ahead: Promise<SourcePage | null>[] = [];
  let last: Promise<SourcePage | null> | null = null;
  for (;;) {
    while (ahead.length < READ_AHEAD) {
      last = last ? last.then((page) => (page?.next ? read(page.next) : null)) : read(cursor);
      // Awaited later; this only prevents an unhandled rejection.
      last.catch(() => {});
      ahead.push(last);
    }
    const page = await ahead.shift();
    if (!page) return;
    yield page;
  }
}

interface PageToWrite {
  page: SourcePage;
  /** True when the process has written enough pages. */
  isSuccessful: boolean;
}

async function writePage(deps: ReadDeps, run: ClaimedSyncRun, { page, isSuccessful }: PageToWrite): Promise<RunRow> {
  return await deps.db.transaction().execute(async (tx) => {
    const merged = await deps.interviews.mergePage(tx, run.funnel_id, page.interviews);
    const outcome = withUnreadable(merged, page);
    const last = page.interviews.findLast(({ id }) => !merged.erased.has(id));
    const { skipped, files } = await insertOutcome(tx, run.id, outcome);
    const written = await updateProgress(
      tx,
      run,
      {
        processed: page.interviews.length + page.unreadable.length,
        new_count: outcome.newIds.length,
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
        ...(isSuccessful && { lost_attempts: 0 as const }),
        ...(last && { current: `Processing ${last.candidateName ?? last.title ?? last.id}` }),
      },
    );
    await deps.events.record(tx, 'run.progressed', { runId: run.id, cause: run.cause as RunCause });
    await deps.removal.enqueue(tx, outcome.staleFiles);
    const { funnel_id: funnelId } = run;
    const { newIds: interviewIds } = outcome;
    if (interviewIds.length > 0) await deps.events.record(tx, 'interview.added', { funnelId, interviewIds });
    return written;
  });
}

const withUnreadable = (outcome: MergeOutcome, page: SourcePage): MergeOutcome => ({
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
