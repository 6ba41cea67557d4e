import { joinedName } from '#server/features/interviews/interview-files.ts';
import type { StoredSegment } from './segments.repo.ts';

/** The recordings of an interview, all of which are stored. */
export interface StoredRecordings {
  interviewId: string;
  /** In the order of the answers, like `files`. */
  segmentIds: string[];
  files: string[];
  /** The name of the joined recording without its extension. */
  baseName: string;
  /** True when the interview has the joined recording. */
  isJoined: boolean;
}

/** Returns null without recordings, and while one is missing. */
export function storedRecordings(interviewId: string, segments: readonly StoredSegment[]): StoredRecordings | null {
  if (segments.some(({ is_ready }) => !is_ready)) return null;
  const recorded = segments.filter(({ video_url, video_file }) => video_url !== null || video_file !== null);
  const files = recorded.flatMap(({ video_file }) => video_file ?? []);
  if (files.length === 0 || files.length < recorded.length) return null;
  return {
    interviewId,
    segmentIds: recorded.map(({ source_id }) => source_id),
    files,
    baseName: joinedName(interviewId, files),
    isJoined: recorded.every(({ start_seconds }) => start_seconds !== null),
  };
}
