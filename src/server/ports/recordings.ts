/** A part of a recording's sound as a separate file, copied without decoding. */
export interface AudioPart {
  /** Counts from 0. */
  index: number;
  /** From the beginning of the recording. */
  startSeconds: number;
  durationSeconds: number;
  bytes: Uint8Array<ArrayBuffer>;
  /** Services recognize the format by the extension, such as in `part-1.m4a`. */
  fileName: string;
  contentType: string;
}

export interface RecordingContent {
  hasSound: boolean;
  /** Null when unknown. */
  durationSeconds: number | null;
}

/** The recording cannot be read at all. The message is for users. */
export class UnreadableRecording extends Error {
  override name = 'UnreadableRecording';
}

/**
 * Reads stored recordings (mp4, mov, webm, mkv). Hostile files neither block the process nor make a
 * call endless. Every implementation passes test/ports/recordings.test.ts.
 */
export interface Recordings {
  /** @throws UnreadableRecording, FileStoreError */
  inspect(videoName: string, signal: AbortSignal): Promise<RecordingContent>;
  /**
   * Yields the sound in order, in parts of at most 15 MB and 20 minutes that are cut between
   * packets, the same way each time. Holds one part in memory. `from` is the index of the first
   * part to yield.
   * @throws UnreadableRecording, FileStoreError
   */
  audioParts(videoName: string, from: number, signal: AbortSignal): AsyncIterable<AudioPart>;
}
