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
  /** The displayed size in pixels. Null without a picture. */
  pictureSize: { width: number; height: number } | null;
  /** Null when unknown. */
  durationSeconds: number | null;
}

/**
 * - `joined`: `name` is the stored file; `startSeconds` are the starts of the recordings in it
 * - `different`: nothing was written; `reason` is for users and names the first difference
 */
export type JoinOutcome =
  | { status: 'joined'; name: string; startSeconds: number[]; durationSeconds: number }
  | { status: 'different'; reason: string };

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
  /**
   * Stores one recording that plays these one after another, under `baseName` and the extension of
   * its format. The file is visible when it is complete. A repeated call replaces the rest of an
   * interrupted one. Calls with the same `baseName` must not overlap.
   * @throws UnreadableRecording, FileStoreError
   */
  join(videoNames: readonly string[], baseName: string, signal: AbortSignal): Promise<JoinOutcome>;
}
