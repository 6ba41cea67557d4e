import { type RefObject, useEffect } from 'react';
import { endOf, type VideoPart } from './interview-parts.ts';

const PROTOTYPE = HTMLMediaElement.prototype;
const TIME = Object.getOwnPropertyDescriptor(PROTOTYPE, 'currentTime');

/**
 * Makes a video play several recordings one after another. Its `currentTime` and `duration` become
 * relative to the whole interview, so that the player works as with a single recording.
 */
export function useVideoParts(video: RefObject<HTMLVideoElement | null>, parts: readonly VideoPart[]): void {
  useEffect(() => {
    const element = video.current;
    return element && parts.length > 0 ? playParts(element, parts) : undefined;
  }, [video, parts]);
}

function playParts(element: HTMLVideoElement, parts: readonly VideoPart[]): () => void {
  // The list may change while a recording plays.
  let current = Math.max(
    0,
    parts.findIndex(({ source }) => source === element.getAttribute('src')),
  );
  /** Where to continue when the next recording has loaded. */
  let pending: { seconds: number; isPlaying: boolean } | null = null;
  const begin = () => parts[current]?.startSeconds ?? 0;
  const show = (index: number, seconds: number, isPlaying: boolean) => {
    const part = parts[index];
    if (!part) return;
    current = index;
    pending = { seconds, isPlaying };
    element.src = part.source;
    element.load();
  };
  Object.defineProperties(element, {
    duration: { configurable: true, get: () => endOf(parts) },
    currentTime: {
      configurable: true,
      get: () => begin() + (pending?.seconds ?? Number(TIME?.get?.call(element))),
      set(seconds: number) {
        const index = partAt(parts, seconds);
        if (index === current && !pending) TIME?.set?.call(element, seconds - begin());
        else show(index, seconds - (parts[index]?.startSeconds ?? 0), pending?.isPlaying ?? !element.paused);
      },
    },
  });
  const onLoaded = (event: Event) => {
    if (!pending) return;
    // Otherwise the player would return to the remembered position.
    event.stopImmediatePropagation();
    const { seconds, isPlaying } = pending;
    pending = null;
    TIME?.set?.call(element, seconds);
    if (isPlaying) void element.play().catch(() => {});
  };
  const stopped = new AbortController();
  const { signal } = stopped;
  element.addEventListener('loadedmetadata', onLoaded, { capture: true, signal });
  element.addEventListener('ended', () => show(current + 1, 0, true), { signal });
  return () => {
    stopped.abort();
    Reflect.deleteProperty(element, 'currentTime');
    Reflect.deleteProperty(element, 'duration');
  };
}

/** Returns the index of the recording that plays at this time of the whole interview. */
function partAt(parts: readonly VideoPart[], seconds: number): number {
  const after = parts.findIndex(({ startSeconds }) => startSeconds > seconds);
  return after === -1 ? parts.length - 1 : Math.max(0, after - 1);
}
