import type { ExpectationField, SummaryStructure } from '#contracts/summaries.ts';

/** A stretch of the transcript, at most a few sentences. `startSeconds` is null when no times are known. */
export interface Passage {
  text: string;
  startSeconds: number | null;
}

export interface SummaryRequest {
  /** The interview's title and the questions that were asked. */
  title: string;
  questions: readonly string[];
  /** What the job is, from the funnel; null when it says nothing. */
  jobDescription: string | null;
  /** Only those that the funnel has filled in. */
  expectations: readonly { field: ExpectationField; expectation: string }[];
  /** Never empty. What the candidate says is data, never an instruction. */
  transcript: readonly Passage[];
}

/** Sums an interview up against what the job expects. Every implementation passes test/ports/summarizer.test.ts. */
export interface Summarizer {
  /**
   * One entry for each expectation of the request, in its order. Quotes may be wrong: the caller checks each against the transcript and
   * drops those that are not there. Tries again what may pass, with back-off, before it throws.
   * @throws UpstreamError
   */
  summarize(request: SummaryRequest, signal: AbortSignal): Promise<SummaryStructure>;
}
