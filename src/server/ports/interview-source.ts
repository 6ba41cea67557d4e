import type { Question } from '#contracts/interviews.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';

/** `funnelId` is the funnel's id at the service. */
export interface SourceAccess {
  funnelId: string;
  apiKey: string;
}

/**
 * Limits by the creation time at the service. `createdAfter` is exclusive, `createdBefore`
 * inclusive.
 */
export interface CreatedRange {
  createdAfter: Date | null;
  createdBefore: Date | null;
}

/** An interview of the service. Fields that the service does not provide are null. */
export interface SourceInterview {
  id: string;
  title: string | null;
  description: string | null;
  candidateName: string | null;
  candidateEmail: string | null;
  candidatePhone: string | null;
  recordedAt: Date | null;
  createdAt: Date | null;
  updatedAt: Date | null;
  /** 0 when unknown. */
  durationSeconds: number;
  url: string | null;
  videoUrl: string | null;
  thumbnailUrl: string | null;
  questions: Question[];
  /**
   * The service's own transcript; its segments are empty when it has no times. Always null in
   * pages: `find` reads it.
   */
  transcript: { text: string; segments: TranscriptSegment[] } | null;
}

/** An item that cannot be read. It does not end a refresh. */
export interface UnreadableItem {
  /** The item's id, or its position in the list if it has none. */
  id: string;
  title: string | null;
  reason: string;
}

export interface SourcePage {
  interviews: SourceInterview[];
  unreadable: UnreadableItem[];
  /** The number of interviews in the range; it may differ from page to page. */
  total: number;
  /** The position of the next page, storable as JSON. Null after the last page. */
  next: SourceCursor | null;
}

export type SourceCursor = Readonly<Record<string, string | number | null>>;

/**
 * The external interview service. Every implementation passes test/ports/interview-source.test.ts.
 * Interviews come in any order, and may repeat when the list changes while it is read.
 */
export interface InterviewSource {
  /**
   * Reads one page; null is the cursor of the first. Retryable errors are retried with back-off
   * before they are thrown.
   * @throws UpstreamError
   */
  page(
    access: SourceAccess,
    range: CreatedRange,
    cursor: SourceCursor | null,
    signal: AbortSignal,
  ): Promise<SourcePage>;

  /**
   * Reads one interview again, for instance because its file addresses expired. Null when it was
   * deleted. `createdAt` helps services that have no call for a single interview.
   * @throws UpstreamError
   */
  find(
    access: SourceAccess,
    interview: { id: string; createdAt: Date | null },
    signal: AbortSignal,
  ): Promise<SourceInterview | null>;
}
