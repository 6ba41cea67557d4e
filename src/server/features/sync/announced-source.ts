import type { Database } from '#server/db/database.ts';
import type { Interviews } from '#server/features/interviews/interviews.service.ts';
import type { InterviewSource, SourceAccess, SourceCursor, SourcePage } from '#server/ports/interview-source.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { listAnnounced } from './announced.repo.ts';
import type { ClaimedRun } from './sync-runs.repo.ts';

interface AnnouncedDeps {
  db: Database;
  interviews: Pick<Interviews, 'findCreatedAt'>;
  source: InterviewSource;
}

/**
 * Reads the announced interviews of a run as a single page. Stored interviews are read one by one.
 * New ones are searched in the list of the funnel, because services also find interviews of other
 * positions by their id. Interviews that the service does not have are left out.
 */
export function announcedSource(deps: AnnouncedDeps, run: ClaimedRun): InterviewSource {
  return {
    ...deps.source,
    async page(access, _range, _cursor, signal) {
      const page: SourcePage = { interviews: [], unreadable: [], total: 0, next: null };
      const unknown = new Set<string>();
      for (const id of await listAnnounced(deps.db, run.funnel_id, run.announced_up_to ?? 0)) {
        const createdAt = await deps.interviews.findCreatedAt(id);
        if (createdAt) await readInto(page, { id, createdAt }, { source: deps.source, access, signal });
        else unknown.add(id);
      }
      await searchInto(page, unknown, { source: deps.source, access, signal });
      return { ...page, total: page.interviews.length + page.unreadable.length };
    },
  };
}

interface ReadOptions {
  source: InterviewSource;
  access: SourceAccess;
  signal: AbortSignal;
}

/** Marks the interview as unreadable when its answer cannot be read. Other errors end the run. */
async function readInto(
  page: SourcePage,
  known: { id: string; createdAt: Date },
  { source, access, signal }: ReadOptions,
): Promise<void> {
  try {
    const interview = await source.find(access, known, signal);
    // Pages never carry the transcript of a whole interview.
    if (interview) page.interviews.push({ ...interview, transcript: null });
  } catch (error) {
    if (!(error instanceof UpstreamError) || !['bad_answer', 'rejected'].includes(error.kind)) throw error;
    page.unreadable.push({ id: known.id, title: null, reason: error.message });
  }
}

/** Reads the list of the funnel until all `ids` are found. */
async function searchInto(page: SourcePage, ids: Set<string>, { source, access, signal }: ReadOptions): Promise<void> {
  let cursor: SourceCursor | null = null;
  while (ids.size > 0) {
    const read: SourcePage = await source.page(access, EVERYTHING, cursor, signal);
    page.interviews.push(...read.interviews.filter(({ id }) => ids.delete(id)));
    page.unreadable.push(...read.unreadable.filter(({ id }) => ids.delete(id)));
    if (!read.next) return;
    cursor = read.next;
  }
}

const EVERYTHING = { createdAfter: null, createdBefore: null };
