import type { Question } from '#contracts/interviews.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';

/** Where to read: the funnel's id in the service, and the key that opens it. */
export interface SourceAccess {
  funnelId: string;
  apiKey: string;
}

/** Limits by the moment an interview was created at the service. `createdAfter` is exclusive, `createdBefore` inclusive. */
export interface CreatedRange {
  createdAfter: Date | null;
  createdBefore: Date | null;
}

/** An interview as the service has it, in our words. Null where the service says nothing. */
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
  /** What was said, when the service already knows; the segments are empty when it knows no times. */
  transcript: { text: string; segments: TranscriptSegment[] } | null;
}

/** An item that cannot be read, and why; it never ends a refresh. */
export interface UnreadableItem {
  /** The item's id, or its place in the list when it has none. */
  id: string;
  title: string | null;
  reason: string;
}

export interface SourcePage {
  interviews: SourceInterview[];
  unreadable: UnreadableItem[];
  /** How many interviews the range matches, as the service says now; it may differ from page to page. */
  total: number;
  /** Where to go on after this page: the source's own value, safe to keep as JSON. Null after the last page. */
  next: SourceCursor | null;
}

export type SourceCursor = Readonly<Record<string, string | number | null>>;

/**
 * The external interview service. Every implementation passes test/ports/interview-source.test.ts.
 * No order is promised, and an interview may come twice when the list changes while it is read.
 */
export interface InterviewSource {
  /**
   * Reads one page; `cursor` null is the first. Retries what may pass by itself, with back-off, before it throws.
   * @throws UpstreamError
   */
  page(
    access: SourceAccess,
    range: CreatedRange,
    cursor: SourceCursor | null,
    signal: AbortSignal,
  ): Promise<SourcePage>;

  /**
   * Reads one interview anew, for instance to get file addresses that have expired. Null when it is gone.
   * `createdAt` is the interview's own: services without a call for a single interview find it by that.
   * @throws UpstreamError
   */
  find(
    access: SourceAccess,
    interview: { id: string; createdAt: Date | null },
    signal: AbortSignal,
  ): Promise<SourceInterview | null>;
}
