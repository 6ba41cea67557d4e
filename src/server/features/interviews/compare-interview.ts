import type { Selectable } from 'kysely';
import type { DB } from '../../db/tables.ts';
import type { SourceInterview } from '../../ports/interview-source.ts';
import { stableUrl } from './file-names.ts';

type Stored = Selectable<DB['interview']>;

/** The columns that a refresh writes. */
export type SourceColumns = Pick<
  Stored,
  | 'title'
  | 'description'
  | 'candidate_name'
  | 'candidate_email'
  | 'candidate_phone'
  | 'recorded_at'
  | 'created_at'
  | 'source_updated_at'
  | 'duration_seconds'
  | 'original_url'
  | 'thumbnail_url'
  | 'video_url'
  | 'video_file'
  | 'thumbnail_file'
  | 'questions'
>;

/** A field as the API names it, with what it was and what it is now, as text for the log. */
export interface FieldChange {
  field: string;
  oldValue: string | null;
  newValue: string | null;
}

const UNTITLED = 'Untitled interview';

/**
 * What the source says, as columns. Where it says nothing, a moment stays what it was, and a length that we measured ourselves is kept:
 * 0 means that the source does not know. Another recording has another length, and the file that we have is not its.
 */
export function sourceColumns(source: SourceInterview, stored: Stored | null, now: Date): SourceColumns {
  const sameVideo = isSameFile(source.videoUrl, stored?.video_url);
  const sameThumbnail = isSameFile(source.thumbnailUrl, stored?.thumbnail_url);
  const createdAt = source.createdAt ?? stored?.created_at ?? source.recordedAt ?? now;
  return {
    title: source.title?.trim() || UNTITLED,
    description: source.description,
    candidate_name: source.candidateName,
    candidate_email: source.candidateEmail,
    candidate_phone: source.candidatePhone,
    recorded_at: source.recordedAt ?? source.createdAt ?? stored?.recorded_at ?? now,
    created_at: createdAt,
    source_updated_at: source.updatedAt,
    duration_seconds: source.durationSeconds || (sameVideo ? (stored?.duration_seconds ?? 0) : 0),
    original_url: source.url,
    thumbnail_url: keepSigned(source.thumbnailUrl, stored?.thumbnail_url, stored?.thumbnail_file),
    video_url: keepSigned(source.videoUrl, stored?.video_url, stored?.video_file),
    questions: source.questions,
    video_file: sameVideo ? (stored?.video_file ?? null) : null,
    thumbnail_file: sameThumbnail ? (stored?.thumbnail_file ?? null) : null,
  };
}

/** An address that has gone takes nothing along: what we have of the file stays. */
const isSameFile = (url: string | null, stored: string | null | undefined): boolean =>
  url === null || !stored || stableUrl(url) === stableUrl(stored);

/** A new signature on the same address is worth a write only while we depend on that address. */
function keepSigned(
  url: string | null,
  stored: string | null | undefined,
  localFile: string | null | undefined,
): string | null {
  const same = url !== null && stored && stableUrl(url) === stableUrl(stored);
  return same && localFile ? stored : url;
}

/** How each compared field reads in the log. `source_updated_at` is no field of the interview: it alone changes nothing. */
const FIELDS: Record<string, { column: keyof SourceColumns; text: (value: never) => string | null }> = {
  title: { column: 'title', text: asIs },
  description: { column: 'description', text: asIs },
  candidateName: { column: 'candidate_name', text: asIs },
  candidateEmail: { column: 'candidate_email', text: asIs },
  candidatePhone: { column: 'candidate_phone', text: asIs },
  recordedDate: { column: 'recorded_at', text: (moment: Date) => moment.toISOString() },
  createdAt: { column: 'created_at', text: (moment: Date) => moment.toISOString() },
  duration: { column: 'duration_seconds', text: (seconds: number) => String(seconds) },
  originalUrl: { column: 'original_url', text: stableText },
  thumbnailUrl: { column: 'thumbnail_url', text: stableText },
  videoUrl: { column: 'video_url', text: stableText },
  questions: { column: 'questions', text: questionsText },
};

/** The fields that differ, for the log and the counts. Addresses count as the same when only their signature differs. */
export function fieldChanges(stored: Stored, next: SourceColumns): FieldChange[] {
  return Object.entries(FIELDS).flatMap(([field, { column, text }]) => {
    const [oldValue, newValue] = [text(stored[column] as never), text(next[column] as never)];
    return oldValue === newValue ? [] : [{ field, oldValue, newValue }];
  });
}

/** True when an address has to be stored anew although it is no change of the interview: its old signature may have expired. */
export const hasNewSignature = (stored: Stored, next: SourceColumns): boolean =>
  stored.video_url !== next.video_url || stored.thumbnail_url !== next.thumbnail_url;

function asIs(value: string | null): string | null {
  return value;
}

function stableText(url: string | null): string | null {
  return url === null ? null : stableUrl(url);
}

function questionsText(questions: { position: number; question: string }[]): string {
  return questions.map(({ position, question }) => `${position + 1}. ${question}`).join('\n');
}
