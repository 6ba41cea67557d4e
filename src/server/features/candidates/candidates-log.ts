import type { UnwantedVideo } from '#server/features/erasure/video-removal.service.ts';
import type { NewLogEntry } from '#server/features/logs/logs.service.ts';

/** How much is stored about a candidate, and the published videos. */
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

export const erasureEntry = ({ videos, ...counts }: CandidateCounts): NewLogEntry => ({
  type: 'system',
  action: 'erase-candidate',
  status: 'success',
  summary: 'A candidate was erased at their request.',
  details: { ...counts, publishedVideos: videos.length },
});
