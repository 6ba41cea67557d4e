import { z } from 'zod';
import type { LogEntry } from '#contracts/logs.ts';

// What an entry does not say must not hide what it says: every field stands for itself.
const text = z.string().catch('');
const id = z.union([z.string(), z.number()]).transform(String).catch('');
const count = z.number().nullable().catch(null);
/** A field's value as text; null where there was none. */
const value = z
  .unknown()
  .transform((raw) => (raw == null ? null : typeof raw === 'string' ? raw : JSON.stringify(raw)));

const FieldChange = z.object({ oldValue: value, newValue: value }).catch({ oldValue: null, newValue: null });
export type FieldChange = z.infer<typeof FieldChange>;
const InterviewChanges = z
  .object({ title: text, fields: z.record(z.string(), FieldChange).catch({}) })
  .catch({ title: '', fields: {} });
/** The items that can be read: one that cannot must not hide the others. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) => items.flatMap((one) => item.safeParse(one).data ?? []));
const Skipped = z.object({ interviewId: id, title: text, reason: text });
const FailedDownload = z.object({ interviewId: id, kind: text, reason: text });

/** `details` of a `sync-interviews` entry, as far as they can be read. */
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

/** `metadata` of a `sync-interviews` entry, as far as they can be read. */
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

/** What the end of a refresh says, or null for every other entry. */
export function readRefreshLog({ action, details, metadata }: LogEntry): RefreshLog | null {
  if (action !== 'sync-interviews' || (!details && !metadata)) return null;
  return { details: RefreshDetails.parse(details ?? {}), metadata: RefreshMetadata.parse(metadata ?? {}) };
}
