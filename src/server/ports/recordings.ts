import type { TranscriptSegment } from '#contracts/transcripts.ts';

/** A piece of a recording's sound as a file of its own, copied, never decoded. */
export interface AudioPart {
  /** From 0. */
  index: number;
  /** Where it begins and how long it is, in the recording. */
  startSeconds: number;
  durationSeconds: number;
  bytes: Uint8Array<ArrayBuffer>;
  /** With the extension by which services tell the format, such as `part-1.m4a`. */
  fileName: string;
  contentType: string;
}

/** What a recording carries besides pictures. */
export interface RecordingContent {
  hasSound: boolean;
  /** Its own caption track; null when it has none. */
  captions: TranscriptSegment[] | null;
  /** Null when it cannot be told. */
  durationSeconds: number | null;
}

/** A recording that cannot be read at all. The message is for a person. */
export class UnreadableRecording extends Error {
  override name = 'UnreadableRecording';
}

/** Opens stored recordings (mp4, mov, webm, mkv). Whatever strangers put into the file, it delays nobody and ends. */
export interface Recordings {
  /** @throws UnreadableRecording, FileStoreError */
  look(videoName: string, signal: AbortSignal): Promise<RecordingContent>;
  /**
   * The sound in parts of at most 15 MB and 20 minutes, cut between packets, in order, one at a time; memory holds one of them. `from` is
   * the index of the first part that is wanted; the cuts are the same every time.
   * @throws UnreadableRecording, FileStoreError
   */
  audioParts(videoName: string, from: number, signal: AbortSignal): AsyncIterable<AudioPart>;
}
