import { z } from 'zod';
import type { LogEntry } from '#contracts/logs.ts';

// Entries of older versions may lack fields: each field falls back on its own.
const text = z.string().catch('');
const id = z.union([z.string(), z.number()]).transform(String).catch('');
const count = z.number().nullable().catch(null);
/** A field's value as text, or null when it was empty. */
const value = z
  .unknown()
  .transform((raw) => (raw == null ? null : typeof raw === 'string' ? raw : JSON.stringify(raw)));

const FieldChange = z.object({ oldValue: value, newValue: value }).catch({ oldValue: null, newValue: null });
export type ValueChange = z.infer<typeof FieldChange>;
const InterviewChanges = z
  .object({ title: text, fields: z.record(z.string(), FieldChange).catch({}) })
  .catch({ title: '', fields: {} });
/** Drops items that cannot be read and keeps the others. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) => items.flatMap((raw) => item.safeParse(raw).data ?? []));
const Skipped = z.object({ interviewId: id, title: text, reason: text });
const FailedDownload = z.object({ interviewId: id, kind: text, reason: text });

/** `details` of a `sync-interviews` entry. Unreadable parts become empty. */
const RefreshDetails = z.object({
  funnelName: text,
  funnelId: id,
  funnelApiId: id,
  processingTimeMs: count,
  skippedInterviews: listOf(Skipped),
  detailedChanges: z.record(z.string(), InterviewChanges).catch({}),
  failedDownloads: listOf(FailedDownload),
});
export type RefreshDetails = z.infer<typeof RefreshDetails>;

/** `metadata` of a `sync-interviews` entry. Unreadable parts become empty. */
const RefreshMetadata = z.object({
  count,
  newCount: count,
  updatedCount: count,
  archivedCount: count,
  funnelDetails: z.object({ id, name: text, funnelId: id, clientName: text }).nullable().catch(null),
  detailedSummary: z
    .object({ totalFieldChanges: count, updatedInterviewIds: z.array(id).catch([]), skippedInterviewCount: count })
    .nullable()
    .catch(null),
});
export type RefreshMetadata = z.infer<typeof RefreshMetadata>;

export interface RefreshLog {
  details: RefreshDetails;
  metadata: RefreshMetadata;
}

/** Returns null for entries that do not report a finished refresh. */
export function readRefreshLog({ action, details, metadata }: LogEntry): RefreshLog | null {
  if (action !== 'sync-interviews' || (!details && !metadata)) return null;
  return { details: RefreshDetails.parse(details ?? {}), metadata: RefreshMetadata.parse(metadata ?? {}) };
}
