import { SOURCES } from '#contracts/sources.ts';
import type { Database } from '#server/db/database.ts';
import type { Interviews } from '#server/features/interviews/interviews.service.ts';
import type { InterviewSource, SourceAccess, SourceCursor, SourcePage } from '#server/ports/interview-source.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { listAnnounced } from './announced.repo.ts';
import type { SearchLimits } from './search-limits.ts';
import type { ClaimedSyncRun } from './sync-runs.repo.ts';

interface AnnouncedDeps {
  db: Database;
  interviews: Pick<Interviews, 'findCreatedAt'>;
  source: InterviewSource;
  limits: SearchLimits;
}

/**
 * Reads the announced interviews of a run as a single page. Stored interviews are read one by one.
 * New ones are searched in the list of the funnel, because services also find interviews of other
 * positions by their id. Interviews that the service does not have are left out, and so are new
 * ones beyond the limits of the search: the next refresh of the list reads them.
 */
export function announcedSource(deps: AnnouncedDeps, run: ClaimedSyncRun): InterviewSource {
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
      await searchInto(page, unknown, { ...deps, funnelId: run.funnel_id, access, signal });
      return { ...page, total: page.interviews.length + page.unreadable.length };
    },
  };
}

interface ReadOptions {
  source: InterviewSource;
  access: SourceAccess;
  signal: AbortSignal;
}

/** Marks the interview as unreadable when its response cannot be read. Other errors end the run. */
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
    if (!isUnreadable(error)) throw error;
    page.unreadable.push({ id: known.id, title: null, reason: error.message });
  }
}

interface SearchOptions extends ReadOptions {
  limits: SearchLimits;
  funnelId: number;
}

/** Reads the list of the funnel until all `ids` that the service has are found. */
async function searchInto(page: SourcePage, ids: ReadonlySet<string>, options: SearchOptions): Promise<void> {
  const { source, access, signal, limits, funnelId } = options;
  const left = await listExisting(ids, options);
  let cursor: SourceCursor | null = null;
  while (left.size > 0 && limits.takeCall(funnelId)) {
    const read: SourcePage = await source.page(access, EVERYTHING, cursor, signal);
    page.interviews.push(...read.interviews.filter(({ id }) => left.delete(id)));
    page.unreadable.push(...read.unreadable.filter(({ id }) => left.delete(id)));
    if (!read.next) return limits.addMissing(funnelId, left);
    cursor = read.next;
  }
}

/**
 * Returns the ids that the list may contain. One call shows whether the service has an interview,
 * if it has such a call.
 */
async function listExisting(ids: ReadonlySet<string>, options: SearchOptions): Promise<Set<string>> {
  const { source, access, signal, limits, funnelId } = options;
  if (!SOURCES[access.source].readsSingly) return new Set([...ids].filter((id) => !limits.isMissing(funnelId, id)));
  const existing = new Set<string>();
  for (const id of ids) {
    if (!limits.takeCall(funnelId)) break;
    const found = await source.find(access, { id, createdAt: null }, signal).catch((error: unknown) => {
      // The list reports it as unreadable.
      if (isUnreadable(error)) return 'unreadable';
      throw error;
    });
    if (found) existing.add(id);
  }
  return existing;
}

const isUnreadable = (error: unknown): error is UpstreamError =>
  error instanceof UpstreamError && ['bad_response', 'rejected'].includes(error.kind);

const EVERYTHING = { createdAfter: null, createdBefore: null };
