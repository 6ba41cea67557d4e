import type { TranscriptSegment } from '#contracts/transcripts.ts';

/** What was said in a part; its times count from the part's beginning, `startSeconds` from the recording's. */
export interface TranscribedPart {
  startSeconds: number;
  segments: readonly TranscriptSegment[];
}

/** The segments of all parts with times of the recording. They never begin before the one before, or end in the part after theirs. */
export function joinParts(parts: readonly TranscribedPart[]): TranscriptSegment[] {
  const inOrder = parts.toSorted((a, b) => a.startSeconds - b.startSeconds);
  let earliest = 0;
  return inOrder.flatMap((part, index) => {
    const latest = inOrder[index + 1]?.startSeconds ?? Number.POSITIVE_INFINITY;
    return part.segments
      .filter(({ text }) => text.trim() !== '')
      .map(({ text, ...within }) => {
        const startSeconds = Math.max(earliest, Math.min(latest, part.startSeconds + within.startSeconds));
        earliest = startSeconds;
        const endSeconds = Math.max(startSeconds, Math.min(latest, part.startSeconds + within.endSeconds));
        return { startSeconds, endSeconds, text: text.trim() };
      });
  });
}
