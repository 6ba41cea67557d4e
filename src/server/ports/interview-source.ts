import type { Question } from '#contracts/interviews.ts';
import type { FunnelSource } from '#contracts/sources.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';

/** `funnelId` is the funnel's id at the service. */
export interface SourceAccess {
  source: FunnelSource;
  funnelId: string;
  apiKey: string;
}

/**
 * Range of creation times at the service. `createdAfter` is exclusive, `createdBefore` inclusive.
 */
export interface CreatedRange {
  createdAfter: Date | null;
  createdBefore: Date | null;
}

/** An unknown time is in every range. */
export const isInRange = (time: Date | null, { createdAfter, createdBefore }: CreatedRange): boolean =>
  time === null ||
  ((createdAfter === null || time > createdAfter) && (createdBefore === null || time <= createdBefore));

/** A transcript of the service. Without times, it has no segments. */
export interface SourceTranscript {
  text: string;
  segments: TranscriptSegment[];
}

/** One answer of an interview whose answers are recorded separately. */
export interface SourceSegment {
  /** Unique in its interview. */
  id: string;
  question: string | null;
  /** Null for an answer without a recording, and while the recording is not ready. */
  videoUrl: string | null;
  thumbnailUrl: string | null;
  /** 0 when unknown. */
  durationSeconds: number;
  /** False while the service processes the recording. A later page has its URL. */
  isReady: boolean;
  /** A written answer. */
  answerText: string | null;
  /**
   * The transcript of the service, with times from the start of this answer. Pages may have null
   * here, but `find` reads it.
   */
  transcript: SourceTranscript | null;
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
   * The answers in their order, if each has a separate recording; `videoUrl` is null then. Empty
   * when `videoUrl` is the whole interview.
   */
  segments: SourceSegment[];
  /** The transcript of the service. Always null in pages, but `find` reads it. */
  transcript: SourceTranscript | null;
}

/** An item that cannot be read. It does not end a refresh. */
export interface UnreadableItem {
  /** The item's id, or its position in the list if it has none. */
  id: string;
  title: string | null;
  reason: string;
}

export const isUnreadable = (item: object): item is UnreadableItem => 'reason' in item;

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
 * The external interview service. Every implementation passes test/ports/interview-sources.test.ts.
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
   * Reads one interview again, for instance because its file URLs expired. Null when it was
   * deleted. `createdAt` helps services that have no call for a single interview.
   * @throws UpstreamError
   */
  find(
    access: SourceAccess,
    interview: { id: string; createdAt: Date | null },
    signal: AbortSignal,
  ): Promise<SourceInterview | null>;

  /**
   * Reads the name of the funnel at the service, and its number of interviews.
   * @throws UpstreamError
   */
  check(access: SourceAccess, signal: AbortSignal): Promise<{ name: string; interviews: number }>;

  /**
   * Lists the funnels that a key can read. Null when the service has no list of them.
   * @throws UpstreamError
   */
  positions(access: SourceAccess, signal: AbortSignal): Promise<SourcePosition[] | null>;
}

/** A funnel at the service. */
export interface SourcePosition {
  id: string;
  name: string;
  isArchived: boolean;
}
