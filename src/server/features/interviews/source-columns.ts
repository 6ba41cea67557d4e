import type { SourceInterview } from '#server/ports/interview-source.ts';
import { identifyFile, stableUrl } from './interview-files.ts';
import type { StoredInterview } from './interviews.repo.ts';

/**
 * Input of a column: what the service sent, and the stored row (null when the interview is new).
 */
interface ColumnInput {
  source: SourceInterview;
  stored: StoredInterview | null;
  /**
   * True when its segments have other recordings than those that the stored video was joined from.
   */
  hasNewRecordings: boolean;
  now: Date;
}

interface SourceColumn<Column extends keyof StoredInterview> {
  sqlType: 'text' | 'int' | 'timestamptz' | 'jsonb';
  value(input: ColumnInput): StoredInterview[Column];
  /**
   * The field of the API, under which the log lists changes. Without it, a difference alone is not
   * a change.
   */
  field?: string;
  /** The value as the log shows it. Equal texts are not a change. */
  toText?(value: StoredInterview[Column]): string | null;
}

const define = <Column extends keyof StoredInterview>(columns: { [C in Column]: SourceColumn<C> }) => columns;

export const titleOf = ({ title }: SourceInterview): string => title?.trim() || 'Untitled interview';

const plainText = (value: unknown) => value as string | null;
const isoText = (moment: Date | null) => moment?.toISOString() ?? null;
const linkText = (url: string | null) => (url === null ? null : stableUrl(url));
const fileText = (url: string | null) => (url === null ? null : identifyFile(url));

/**
 * The columns that a refresh writes. The insert, the update and the comparison follow from this
 * list.
 */
export const SOURCE_COLUMNS = define({
  title: { sqlType: 'text', field: 'title', value: ({ source }) => titleOf(source) },
  description: { sqlType: 'text', field: 'description', value: ({ source }) => source.description },
  candidate_name: { sqlType: 'text', field: 'candidateName', value: ({ source }) => source.candidateName },
  candidate_email: { sqlType: 'text', field: 'candidateEmail', value: ({ source }) => source.candidateEmail },
  candidate_phone: { sqlType: 'text', field: 'candidatePhone', value: ({ source }) => source.candidatePhone },
  recorded_at: {
    sqlType: 'timestamptz',
    field: 'recordedDate',
    value: ({ source, stored, now }) => source.recordedAt ?? source.createdAt ?? stored?.recorded_at ?? now,
    toText: isoText,
  },
  created_at: {
    sqlType: 'timestamptz',
    field: 'createdAt',
    value: ({ source, stored, now }) => source.createdAt ?? stored?.created_at ?? source.recordedAt ?? now,
    toText: isoText,
  },
  source_updated_at: { sqlType: 'timestamptz', value: ({ source }) => source.updatedAt },
  duration_seconds: {
    sqlType: 'int',
    field: 'duration',
    // The service sends 0 for an unknown duration: keep the measured one, unless the recording was
    // replaced.
    value: (input) => input.source.durationSeconds || (keepsVideo(input) ? (input.stored?.duration_seconds ?? 0) : 0),
    toText: String,
  },
  original_url: { sqlType: 'text', field: 'originalUrl', value: ({ source }) => source.url, toText: linkText },
  thumbnail_url: {
    sqlType: 'text',
    field: 'thumbnailUrl',
    value: ({ source, stored }) =>
      keepUrl(source.thumbnailUrl, { url: stored?.thumbnail_url, file: stored?.thumbnail_file }),
    toText: fileText,
  },
  video_url: {
    sqlType: 'text',
    field: 'videoUrl',
    value: ({ source, stored }) => keepUrl(source.videoUrl, { url: stored?.video_url, file: stored?.video_file }),
    toText: fileText,
  },
  questions: {
    sqlType: 'jsonb',
    field: 'questions',
    value: ({ source }) => source.questions,
    toText: (questions) =>
      questions
        .map(({ position, question, startSeconds }) => {
          const start = startSeconds === undefined ? '' : ` (from ${startSeconds} s)`;
          return `${position + 1}. ${question}${start}`;
        })
        .join('\n'),
  },
  video_file: {
    sqlType: 'text',
    value: (input) => (keepsVideo(input) ? (input.stored?.video_file ?? null) : null),
  },
  thumbnail_file: {
    sqlType: 'text',
    value: ({ source, stored }) =>
      isSameFile(source.thumbnailUrl, stored?.thumbnail_url) ? (stored?.thumbnail_file ?? null) : null,
  },
});

type ColumnName = keyof typeof SOURCE_COLUMNS;
interface AnyColumn extends Pick<SourceColumn<ColumnName>, 'field' | 'value'> {
  toText?(value: unknown): string | null;
}
const COLUMNS = Object.entries(SOURCE_COLUMNS) as [ColumnName, AnyColumn][];

/** A row as a refresh writes it. */
export type SourceRow = Pick<StoredInterview, 'id' | ColumnName>;

export const toSourceRow = (input: ColumnInput): SourceRow =>
  ({
    id: input.source.id,
    ...Object.fromEntries(COLUMNS.map(([name, { value }]) => [name, value(input)])),
  }) as SourceRow;

/** A changed field of the API, with both values as text for the log. */
export interface FieldChange {
  field: string;
  oldValue: string | null;
  newValue: string | null;
}

/** URLs of the same file are equal. */
export const fieldChanges = (stored: StoredInterview, next: SourceRow): FieldChange[] =>
  COLUMNS.flatMap(([name, { field, toText = plainText }]) => {
    if (!field) return [];
    const [oldValue, newValue] = [toText(stored[name]), toText(next[name])];
    return oldValue === newValue ? [] : [{ field, oldValue, newValue }];
  });

/**
 * True when a URL has to be stored although the interview did not change: the old signature may
 * have expired.
 */
export const hasNewSignature = (stored: StoredInterview, next: SourceRow): boolean =>
  stored.video_url !== next.video_url || stored.thumbnail_url !== next.thumbnail_url;

/** A missing URL keeps the file that is stored. */
export const isSameFile = (url: string | null, stored: string | null | undefined, identify = identifyFile): boolean =>
  url === null || !stored || identify(url) === identify(stored);

const keepsVideo = ({ source, stored, hasNewRecordings }: ColumnInput) =>
  !hasNewRecordings && isSameFile(source.videoUrl, stored?.video_url);

/** The stored columns of a file. */
interface StoredFile {
  url: string | null | undefined;
  file: string | null | undefined;
}

/** Returns the stored URL when its file is stored and the new URL is of the same file. */
export function keepUrl(url: string | null, stored: StoredFile, identify = identifyFile): string | null {
  const isSame = url !== null && stored.url && identify(url) === identify(stored.url);
  return isSame && stored.file ? (stored.url ?? url) : url;
}
