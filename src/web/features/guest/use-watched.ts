import { type RefObject, useEffect } from 'react';
import { saveWatched } from './guest-link.ts';

const INTERVAL_MS = 10_000;
/** The server accepts this many ranges per request. */
const MAX_RANGES = 200;

/** Returns the parts of the video played since it was loaded, in whole seconds. */
export function playedRanges({ played }: Pick<HTMLVideoElement, 'played'>): [number, number][] {
  const ranges = Array.from({ length: played.length }, (_, at): [number, number] => [
    Math.round(played.start(at)),
    Math.round(played.end(at)),
  ]);
  return ranges.filter(([from, to]) => from < to).slice(-MAX_RANGES);
}

/** Reports watched ranges regularly, on pause, and when the video or the page is left. */
export function useWatched(video: RefObject<HTMLVideoElement | null>, n: number): void {
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    let sent = '';
    const send = () => {
      const ranges = playedRanges(element);
      const text = JSON.stringify(ranges);
      if (ranges.length === 0 || text === sent) return;
      sent = text;
      // The next report contains the same ranges.
      saveWatched(n, ranges).catch(() => {
        sent = '';
      });
    };
    const timer = setInterval(send, INTERVAL_MS);
    for (const name of ['pause', 'ended', 'error']) element.addEventListener(name, send);
    addEventListener('pagehide', send);
    return () => {
      send();
      clearInterval(timer);
      for (const name of ['pause', 'ended', 'error']) element.removeEventListener(name, send);
      removeEventListener('pagehide', send);
    };
  }, [video, n]);
}
