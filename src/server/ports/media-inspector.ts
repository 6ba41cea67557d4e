/** Looks into stored recordings. */
export interface MediaInspector {
  /** Seconds, or null when the file says nothing of its length or cannot be read. */
  durationSeconds(videoName: string): Promise<number | null>;
}
