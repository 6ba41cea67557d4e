import { type RefObject, useEffect, useState } from 'react';

const EVENTS = [
  'play',
  'playing',
  'pause',
  'waiting',
  'canplay',
  'timeupdate',
  'seeking',
  'loadedmetadata',
  'durationchange',
  'volumechange',
];
/** `HTMLMediaElement.HAVE_FUTURE_DATA`. */
const HAVE_FUTURE_DATA = 3;

const INITIAL: Playback = {
  isPaused: true,
  isWaiting: false,
  seconds: 0,
  duration: 0,
  volume: 1,
  isMuted: false,
  hasCaptions: false,
};

/** The state of a video, for its controls. */
export function usePlayback(video: RefObject<HTMLVideoElement | null>): Playback {
  const [playback, setPlayback] = useState(INITIAL);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    const read = () =>
      setPlayback((before) => {
        const now = playbackOf(element);
        return isSame(before, now) ? before : now;
      });
    read();
    const stopped = new AbortController();
    const { signal } = stopped;
    for (const name of EVENTS) element.addEventListener(name, read, { signal });
    element.textTracks?.addEventListener('change', read, { signal });
    return () => stopped.abort();
  }, [video]);
  return playback;
}

const playbackOf = (video: HTMLVideoElement) => ({
  isPaused: video.paused,
  /** True while it plays but has nothing to show. */
  isWaiting: !video.paused && !video.ended && video.readyState < HAVE_FUTURE_DATA,
  seconds: video.currentTime,
  /** 0 while it is unknown. */
  duration: Number.isFinite(video.duration) ? video.duration : 0,
  volume: video.volume,
  isMuted: video.muted,
  hasCaptions: video.textTracks?.[0]?.mode === 'showing',
});
export type Playback = ReturnType<typeof playbackOf>;

/** Videos send events several times a second, and most change nothing. */
const isSame = (one: Playback, other: Playback): boolean =>
  (Object.keys(one) as (keyof Playback)[]).every((name) => one[name] === other[name]);
