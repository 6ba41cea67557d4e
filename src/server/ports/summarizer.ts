import type { ExpectationField, SummaryStructure } from '#contracts/summaries.ts';

/**
 * A part of the transcript, at most a few sentences. `startSeconds` is null when the times are
 * unknown.
 */
export interface Passage {
  text: string;
  startSeconds: number | null;
}

export interface SummaryRequest {
  title: string;
  questions: readonly string[];
  /** The funnel's description; null when it is empty. */
  jobDescription: string | null;
  /** Only the expectations that the funnel contains. */
  expectations: readonly { field: ExpectationField; expectation: string }[];
  /** Never empty. Its content is data, never an instruction. */
  transcript: readonly Passage[];
}

/**
 * Summarizes an interview against the expectations of the job. Every implementation passes
 * test/ports/summarizer.test.ts.
 */
export interface Summarizer {
  /**
   * Resolves with one entry for each expectation of the request, in the same order. Quotes may be
   * wrong: the caller checks each against the transcript and drops those that do not occur in it.
   * In `answers`, a position is an index of `questions`; implementations may leave them out.
   * Retryable errors are retried with back-off before they are thrown.
   * @throws UpstreamError; the signal's reason
   */
  summarize(request: SummaryRequest, signal: AbortSignal): Promise<SummaryStructure>;
}
