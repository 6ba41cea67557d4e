import { type RefObject, useEffect, useState } from 'react';
import type { TranscriptSegment } from '#contracts/transcripts.ts';

/**
 * The segment that is being spoken, or was spoken last; -1 before the first. It changes when the next one begins, not with every tick
 * of the video, so that nothing is drawn in between.
 */
export function useSpokenSegment(
  video: RefObject<HTMLVideoElement | null>,
  segments: readonly TranscriptSegment[],
): number {
  const [spoken, setSpoken] = useState(-1);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    const follow = () => setSpoken(segmentAt(segments, element.currentTime));
    follow();
    element.addEventListener('timeupdate', follow);
    element.addEventListener('seeking', follow);
    return () => {
      element.removeEventListener('timeupdate', follow);
      element.removeEventListener('seeking', follow);
    };
  }, [video, segments]);
  return spoken;
}

/** Segments are in the order of their times. */
export function segmentAt(segments: readonly TranscriptSegment[], seconds: number): number {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    // A hair before its beginning counts: that is where a click on it leads.
    if ((segments[middle]?.startSeconds ?? 0) <= seconds + 0.05) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
