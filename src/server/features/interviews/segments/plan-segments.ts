import { isDeepStrictEqual } from 'node:util';
import { identifyAnswerFile } from '#server/features/interviews/interview-files.ts';
import { type FieldChange, isSameFile, keepUrl } from '#server/features/interviews/source-columns.ts';
import type { SourceInterview, SourceSegment } from '#server/ports/interview-source.ts';
import type { StoredSegment } from './segments.repo.ts';

export interface SegmentPlan {
  rows: StoredSegment[];
  /** The rows differ from the stored ones. */
  isChanged: boolean;
  /** The recordings differ, so the joined recording is outdated. */
  hasNewRecordings: boolean;
  /** For the log; null when no value that it shows has changed. */
  change: FieldChange | null;
}

const UNCHANGED: SegmentPlan = { rows: [], isChanged: false, hasNewRecordings: false, change: null };

/** Compares the answers of an interview with the stored ones, and keeps the files of equal ones. */
export function planSegments(source: SourceInterview, stored: readonly StoredSegment[]): SegmentPlan {
  if (source.segments.length === 0 && stored.length === 0) return UNCHANGED;
  const known = new Map(stored.map((row) => [row.source_id, row]));
  const kept = distinct(source.segments).map((segment, position) =>
    toRow(segment, { interviewId: source.id, position, before: known.get(segment.id) }),
  );
  const hasNewRecordings = !isDeepStrictEqual(recordingsOf(stored), recordingsOf(kept));
  const rows = hasNewRecordings ? kept.map((row) => ({ ...row, start_seconds: null })) : kept;
  const [oldValue, newValue] = [toText(stored), toText(rows)];
  return {
    rows,
    isChanged: !isDeepStrictEqual(stored, rows),
    hasNewRecordings,
    change: oldValue === newValue ? null : { field: 'segments', oldValue, newValue },
  };
}

/** Keeps the first segment of each id, because services may list an answer twice. */
const distinct = (segments: readonly SourceSegment[]): SourceSegment[] =>
  [...Map.groupBy(segments, ({ id }) => id).values()].flatMap(([first]) => first ?? []);

function toRow(
  segment: SourceSegment,
  { interviewId, position, before }: { interviewId: string; position: number; before: StoredSegment | undefined },
): StoredSegment {
  const sameVideo = isSameFile(segment.videoUrl, before?.video_url, identifyAnswerFile) ? before : undefined;
  const sameThumbnail = isSameFile(segment.thumbnailUrl, before?.thumbnail_url, identifyAnswerFile)
    ? before
    : undefined;
  return {
    interview_id: interviewId,
    position,
    source_id: segment.id,
    question: segment.question,
    video_url: keepUrl(segment.videoUrl, { url: before?.video_url, file: before?.video_file }, identifyAnswerFile),
    video_file: sameVideo?.video_file ?? null,
    thumbnail_url: keepUrl(
      segment.thumbnailUrl,
      { url: before?.thumbnail_url, file: before?.thumbnail_file },
      identifyAnswerFile,
    ),
    thumbnail_file: sameThumbnail?.thumbnail_file ?? null,
    duration_seconds: segment.durationSeconds || (sameVideo?.duration_seconds ?? 0),
    start_seconds: before?.start_seconds ?? null,
    is_ready: segment.isReady,
    cannot_join: sameVideo?.cannot_join ?? null,
    answer_text: segment.answerText,
    transcript: segment.transcript ?? sameVideo?.transcript ?? null,
  };
}

/** Identifies recordings by their stored file, else by their host and path. */
const recordingsOf = (rows: readonly StoredSegment[]) =>
  rows
    .filter((row) => row.video_file !== null || row.video_url !== null)
    .map((row) => [row.source_id, row.video_file ?? identifyAnswerFile(row.video_url ?? '')]);

/** Leaves out parameters of URLs, and shows only the length of written answers. */
const toText = (rows: readonly StoredSegment[]): string | null =>
  rows
    .map(({ position, question, is_ready, duration_seconds: seconds, video_url: url, answer_text: answer }) =>
      [
        `${position + 1}. ${question ?? ''}`.trim(),
        ...(seconds > 0 ? [`(${Math.round(seconds)} s)`] : []),
        ...(is_ready ? [] : ['(still being processed)']),
        ...(answer === null ? [] : [`(${answer.length} characters)`]),
        ...(url === null ? [] : [identifyAnswerFile(url)]),
      ].join(' '),
    )
    .join('\n') || null;
