import type { Executor } from '#server/db/database.ts';
import type { SourceInterview } from '#server/ports/interview-source.ts';
import {
  type FileColumns,
  type FileUrls,
  filesIn,
  type InterviewFile,
  isFileOf,
  namedFiles,
  type StoredInterviewFile,
} from './interview-files.ts';
import type { StoredInterview } from './interviews.repo.ts';
import { insertInterviews, listInterviews, lockForMerge, lockInterviews, updateInterviews } from './merge-page.repo.ts';
import { planSegments, type SegmentPlan } from './segments/plan-segments.ts';
import { listSegments, replaceSegments, type StoredSegment } from './segments/segments.repo.ts';
import {
  type FieldChange,
  fieldChanges,
  hasNewSignature,
  type SourceRow,
  titleOf,
  toSourceRow,
} from './source-columns.ts';

/** The changes of one page. */
export interface MergeOutcome {
  newIds: string[];
  /** One element for each changed interview. */
  changed: { interviewId: string; title: string; fields: FieldChange[] }[];
  archivedCount: number;
  skipped: { interviewId: string; title: string; reason: string }[];
  /** Files to download: those that are not stored, or that the source replaced. */
  wantedFiles: InterviewFile[];
  /** Stored files that their interview no longer names. */
  staleFiles: StoredInterviewFile[];
}

interface MergePlan {
  outcome: MergeOutcome;
  inserts: SourceRow[];
  updates: SourceRow[];
  /** The segments of these interviews replace the stored ones. */
  segments: { interviewIds: string[]; rows: StoredSegment[] };
}

/** The stored rows of the interviews of a page. */
interface StoredPage {
  interviews: Map<string, StoredInterview>;
  segments: Map<string, StoredSegment[]>;
}

/**
 * Writes a page of the source into the funnel with one statement each to read, insert and update.
 * Unchanged interviews are neither written nor locked.
 */
export async function mergePage(
  tx: Executor,
  funnelId: number,
  interviews: readonly SourceInterview[],
): Promise<MergeOutcome> {
  await lockForMerge(tx, funnelId);
  // A page may contain an interview twice.
  const incoming = new Map(interviews.map((interview) => [interview.id, interview]));
  const ids = [...incoming.keys()];
  const stored: StoredPage = {
    interviews: new Map((await listInterviews(tx, ids)).map((row) => [row.id, row])),
    segments: Map.groupBy(await listSegments(tx, ids), (row) => row.interview_id),
  };
  const now = new Date();
  const plan = () => planMerge([...incoming.values()], stored, { funnelId, now });

  let planned = plan();
  if (planned.updates.length > 0) {
    const ids = planned.updates.map(({ id }) => id);
    for (const row of await lockInterviews(tx, ids)) stored.interviews.set(row.id, row);
    const segments = Map.groupBy(await listSegments(tx, ids), (row) => row.interview_id);
    for (const [id, rows] of segments) stored.segments.set(id, rows);
    // Plan again with the locked rows: they may have been archived, measured or downloaded since
    // the first read.
    planned = plan();
  }
  // Inserts lock the listing, so they come last: an edit that waits for the listing may hold a row
  // to update.
  await updateInterviews(tx, planned.updates);
  await insertInterviews(tx, funnelId, planned.inserts);
  await replaceSegments(tx, planned.segments.interviewIds, planned.segments.rows);
  return planned.outcome;
}

function planMerge(
  incoming: readonly SourceInterview[],
  storedPage: StoredPage,
  { funnelId, now }: { funnelId: number; now: Date },
): MergePlan {
  const outcome: MergeOutcome = {
    newIds: [],
    changed: [],
    archivedCount: 0,
    skipped: [],
    wantedFiles: [],
    staleFiles: [],
  };
  const plan: MergePlan = { outcome, inserts: [], updates: [], segments: { interviewIds: [], rows: [] } };
  for (const source of incoming) {
    const stored = storedPage.interviews.get(source.id) ?? null;
    const reason = stored && reasonToSkip(stored, funnelId);
    if (reason) {
      // Omit stored data: not every reader of this funnel's log sees the other funnel.
      outcome.skipped.push({ interviewId: source.id, title: titleOf(source), reason });
      if (stored.funnel_id === funnelId) outcome.archivedCount += 1;
      continue;
    }
    const storedSegments = storedPage.segments.get(source.id) ?? [];
    const segments = planSegments(source, storedSegments);
    const next = toSourceRow({ source, stored, hasNewRecordings: segments.hasNewRecordings, now });
    outcome.wantedFiles.push(...wantedFiles(next, source.id), ...segments.rows.flatMap(wantedSegmentFiles));
    if (segments.isChanged) {
      plan.segments.interviewIds.push(source.id);
      plan.segments.rows.push(...segments.rows);
    }
    if (stored) {
      planUpdate({ stored, next, segments }, plan);
      outcome.staleFiles.push(
        ...staleFiles({ ...stored, segments: storedSegments }, { ...next, segments: segments.rows }),
      );
    } else plan.inserts.push(next);
  }
  outcome.newIds = plan.inserts.map(({ id }) => id);
  return plan;
}

function reasonToSkip(stored: StoredInterview, funnelId: number): string | null {
  if (stored.funnel_id !== funnelId) return 'This interview already belongs to another funnel.';
  return stored.archived_at === null ? null : 'This interview is archived and is not updated.';
}

function planUpdate(
  { stored, next, segments }: { stored: StoredInterview; next: SourceRow; segments: SegmentPlan },
  { outcome, updates }: MergePlan,
): void {
  const fields = [...fieldChanges(stored, next), ...(segments.change ? [segments.change] : [])];
  if (fields.length > 0) outcome.changed.push({ interviewId: next.id, title: next.title, fields });
  if (fields.length > 0 || segments.isChanged || hasNewSignature(stored, next)) updates.push(next);
}

/** Returns the files that only `before` names. */
function staleFiles(before: FileColumns, after: FileColumns): StoredInterviewFile[] {
  const used = new Set(namedFiles(after).map(({ name }) => name));
  return namedFiles(before).filter(({ name }) => !used.has(name));
}

/**
 * Returns the files that are not stored under the name that belongs to their URL. A row has the
 * new URLs and the names that are still valid.
 */
const wantedFiles = (row: FileUrls, interviewId: string, segmentId: string | null = null): InterviewFile[] =>
  filesIn(row).flatMap(({ kind, url, name }) =>
    url !== null && !isFileOf(name, interviewId, url) ? [{ interviewId, segmentId, kind, url }] : [],
  );

const wantedSegmentFiles = (row: StoredSegment): InterviewFile[] =>
  wantedFiles({ ...row, video_url: row.is_ready ? row.video_url : null }, row.interview_id, row.source_id);
