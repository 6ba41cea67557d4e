/** Reads the properties of stored recordings. */
export interface MediaInspector {
  /** The duration in seconds. Null when the file does not contain one or cannot be read. */
  durationSeconds(videoName: string): Promise<number | null>;
}
