import type { UnwantedVideo } from '#server/features/erasure/video-removal.service.ts';
import type { NewLogEntry } from '#server/features/logs/logs.service.ts';

/** The amount of data about a candidate, and the published videos. */
export interface CandidateCounts {
  interviews: number;
  files: number;
  transcripts: number;
  summaries: number;
  logEntries: number;
  /** Interviews that were deleted with their funnel, of which log entries may be left. */
  deletedInterviews: number;
  videos: UnwantedVideo[];
}

/** Contains the ids only, which an erasure replaces. */
export const exportEntry = (interviewIds: readonly string[]): NewLogEntry => ({
  type: 'system',
  action: 'export-candidate',
  status: 'success',
  summary: `The data of a candidate with ${interviewIds.length} ${interviewIds.length === 1 ? 'interview' : 'interviews'} was exported.`,
  details: { interviews: interviewIds.map((interviewId) => ({ interviewId })) },
});

export const erasureEntry = (counts: CandidateCounts): NewLogEntry =>
  entryOf('A candidate was erased at their request.', counts);

export const repeatedErasureEntry = (counts: CandidateCounts): NewLogEntry =>
  entryOf('Candidates who had been erased after the restored backup were erased again.', counts);

const entryOf = (summary: string, { videos, ...counts }: CandidateCounts): NewLogEntry => ({
  type: 'system',
  action: 'erase-candidate',
  status: 'success',
  summary,
  details: { ...counts, publishedVideos: videos.length },
});
