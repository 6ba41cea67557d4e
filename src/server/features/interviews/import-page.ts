import type { Executor } from '../../db/database.ts';
import type { FileKind } from '../../ports/file-store.ts';
import type { SourceInterview } from '../../ports/interview-source.ts';
import { type FieldChange, fieldChanges, hasNewSignature, sourceColumns } from './compare-interview.ts';
import { fileName } from './file-names.ts';
import {
  holdForImport,
  type ImportedRow,
  insertInterviews,
  lockedInterviews,
  type StoredInterview,
  storedInterviews,
  updateInterviews,
} from './import-page.repo.ts';

/** What a page changed. */
export interface ImportOutcome {
  newCount: number;
  /** Per changed interview. */
  changed: { interviewId: string; title: string; fields: FieldChange[] }[];
  archivedCount: number;
  skipped: { interviewId: string; title: string; reason: string }[];
  /** Files that are not here, or no longer the ones that the source names. */
  wantedFiles: { interviewId: string; kind: FileKind; url: string }[];
  /** Files that no interview names any more. */
  staleFiles: { interviewId: string; kind: FileKind; name: string }[];
}

/** What is to be written, and what that amounts to. */
interface Plan {
  outcome: ImportOutcome;
  inserts: ImportedRow[];
  updates: ImportedRow[];
}

/**
 * Writes a page of the source into the funnel, in sets: one statement reads what is there, one inserts what is new, one updates what
 * differs. What is the same is not written at all, nor locked. Runs inside the caller's transaction.
 */
export async function importPage(
  tx: Executor,
  funnelId: number,
  interviews: readonly SourceInterview[],
): Promise<ImportOutcome> {
  await holdForImport(tx, funnelId);
  // An interview may come twice in a page.
  const incoming = new Map(interviews.map((interview) => [interview.id, interview]));
  const stored = new Map((await storedInterviews(tx, [...incoming.keys()])).map((row) => [row.id, row]));
  const now = new Date();
  const plan = () => planPage([...incoming.values()], stored, { funnelId, now });

  let planned = plan();
  if (planned.updates.length > 0) {
    const ids = planned.updates.map(({ id }) => id);
    for (const row of await lockedInterviews(tx, ids)) stored.set(row.id, row);
    // Somebody may have archived one meanwhile, measured it, or fetched its file: what they did must not be written back.
    planned = plan();
  }
  // Updates first: inserting holds the listing's lock, which whoever edits an interview waits for, and we for them.
  await updateInterviews(tx, planned.updates);
  await insertInterviews(tx, funnelId, planned.inserts);
  return planned.outcome;
}

function planPage(
  incoming: readonly SourceInterview[],
  stored: ReadonlyMap<string, StoredInterview>,
  { funnelId, now }: { funnelId: number; now: Date },
): Plan {
  const outcome: ImportOutcome = {
    newCount: 0,
    changed: [],
    archivedCount: 0,
    skipped: [],
    wantedFiles: [],
    staleFiles: [],
  };
  const plan: Plan = { outcome, inserts: [], updates: [] };
  for (const source of incoming) {
    const known = stored.get(source.id) ?? null;
    const skip = known && reasonToSkip(known, funnelId);
    if (skip) {
      outcome.skipped.push({ interviewId: source.id, title: known.title, reason: skip });
      if (known.funnel_id === funnelId) outcome.archivedCount += 1;
      continue;
    }
    const next = { id: source.id, ...sourceColumns(source, known, now) };
    outcome.wantedFiles.push(...wantedFiles(next, known));
    if (known) planUpdate(known, next, plan);
    else plan.inserts.push(next);
  }
  outcome.newCount = plan.inserts.length;
  return plan;
}

function reasonToSkip(known: StoredInterview, funnelId: number): string | null {
  if (known.funnel_id !== funnelId) return 'This interview already belongs to another funnel.';
  return known.archived_at === null ? null : 'This interview is archived and is not updated.';
}

function planUpdate(known: StoredInterview, next: ImportedRow, { outcome, updates }: Plan): void {
  const interviewId = next.id;
  const fields = fieldChanges(known, next);
  if (fields.length > 0) outcome.changed.push({ interviewId, title: next.title, fields });
  if (fields.length > 0 || hasNewSignature(known, next)) updates.push(next);
  if (known.video_file && !next.video_file)
    outcome.staleFiles.push({ interviewId, kind: 'video', name: known.video_file });
  if (known.thumbnail_file && !next.thumbnail_file)
    outcome.staleFiles.push({ interviewId, kind: 'thumbnail', name: known.thumbnail_file });
}

function wantedFiles(next: ImportedRow, known: StoredInterview | null): ImportOutcome['wantedFiles'] {
  const files = [
    { kind: 'video', url: next.video_url, here: known?.video_file },
    { kind: 'thumbnail', url: next.thumbnail_url, here: known?.thumbnail_file },
  ] as const;
  return files.flatMap(({ kind, url, here }) =>
    url !== null && here !== fileName(kind, next.id, url) ? [{ interviewId: next.id, kind, url }] : [],
  );
}
