import { type RefObject, useEffect, useState } from 'react';

/**
 * The index of the current segment, or of the previous one during silence; -1 before the first.
 * Renders once per segment, not with every `timeupdate` of the video.
 */
export function useSpokenSegment(
  video: RefObject<HTMLVideoElement | null>,
  segments: readonly { startSeconds: number }[],
): number {
  const [spoken, setSpoken] = useState(-1);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    const follow = () => setSpoken(segmentAt(segments, element.currentTime));
    follow();
    const stopped = new AbortController();
    for (const name of ['timeupdate', 'seeking']) element.addEventListener(name, follow, { signal: stopped.signal });
    return () => stopped.abort();
  }, [video, segments]);
  return spoken;
}

/** Binary search. Segments are sorted by time. */
export function segmentAt(segments: readonly { startSeconds: number }[], seconds: number): number {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    // With a small tolerance: a click on a segment can land just before its start.
    if ((segments[middle]?.startSeconds ?? 0) <= seconds + 0.05) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
