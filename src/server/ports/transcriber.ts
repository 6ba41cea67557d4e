import type { TranscriptSegment } from '#contracts/transcripts.ts';
import type { AudioPart } from './recordings.ts';

/** What was said in a part. Times count from the part's beginning; without times of its own, a service gives one segment over the whole part. */
export interface PartTranscript {
  segments: TranscriptSegment[];
}

/** Turns sound into words. Every implementation passes test/ports/transcriber.test.ts. */
export interface Transcriber {
  /**
   * Tries again what may pass, with back-off, before it throws.
   * @throws UpstreamError
   */
  transcribe(part: AudioPart, signal: AbortSignal): Promise<PartTranscript>;
}
