import type { TranscriptSegment } from '#contracts/transcripts.ts';
import type { AudioPart } from './recordings.ts';

export interface PartTranscript {
  /**
   * Sorted by time, within the part, and in seconds from the part's beginning. Empty when nothing
   * is said. Times are estimates when the service does not report any.
   */
  segments: TranscriptSegment[];
}

/** Converts speech to text. Every implementation passes test/ports/transcriber.test.ts. */
export interface Transcriber {
  /**
   * Retryable errors are retried with back-off before they are thrown.
   * @throws UpstreamError; the signal's reason
   */
  transcribe(part: AudioPart, signal: AbortSignal): Promise<PartTranscript>;
}
