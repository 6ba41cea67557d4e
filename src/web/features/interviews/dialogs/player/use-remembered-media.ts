import { type RefObject, useEffect, useRef } from 'react';
import { useStartSeconds } from '#web/lib/use-dialog.ts';
import { lastPosition, playerSettings, rememberPosition } from './player-settings.ts';
import type { Excerpt } from './review/asked-answer.tsx';

/**
 * Event handlers for a video. They apply the player settings of this browser, and store what the
 * user changes in the native controls. The video starts at the time in the URL, or where this
 * tab last stopped it. One that shows an excerpt starts and pauses with it.
 */
export function useRememberedMedia(
  video: RefObject<HTMLVideoElement | null>,
  { interviewId, hasCaptions, excerpt }: { interviewId: string; hasCaptions: boolean; excerpt: Excerpt | null },
) {
  const startInUrl = useStartSeconds();
  const start = excerpt ? excerpt.start : startInUrl;
  const pauseAtEnd = usePauseAt(excerpt?.end ?? null);
  useEffect(() => {
    if (video.current && start !== null) video.current.currentTime = start;
  }, [video, start]);
  useEffect(() => (hasCaptions ? followCaptions(video.current) : undefined), [video, hasCaptions]);
  return {
    onLoadStart: ({ currentTarget }: { currentTarget: HTMLVideoElement }) => {
      const { volume, isMuted } = playerSettings.get();
      currentTarget.volume = volume;
      currentTarget.muted = isMuted;
    },
    onLoadedMetadata: ({ currentTarget }: { currentTarget: HTMLVideoElement }) => {
      const position = start ?? (excerpt ? 0 : lastPosition(interviewId));
      if (position > 0) currentTarget.currentTime = position;
    },
    onVolumeChange: ({ currentTarget: { volume, muted } }: { currentTarget: HTMLVideoElement }) =>
      playerSettings.change({ volume, isMuted: muted }),
    onTimeUpdate: ({ currentTarget }: { currentTarget: HTMLVideoElement }) =>
      excerpt ? pauseAtEnd(currentTarget) : rememberPosition(interviewId, currentTarget),
  };
}

/** More than this between two reports of the time is a jump. */
const JUMP_SECONDS = 2;

/** Pauses a video that plays up to this time. The user can play on, and jump over it. */
function usePauseAt(end: number | null): (video: HTMLVideoElement) => void {
  const last = useRef(0);
  return (video) => {
    const isReached = end !== null && last.current < end && video.currentTime >= end;
    if (isReached && video.currentTime - last.current < JUMP_SECONDS) video.pause();
    last.current = video.currentTime;
  };
}

/** Shows captions if they were last shown, and stores when the user turns them on or off. */
function followCaptions(video: HTMLVideoElement | null): (() => void) | undefined {
  const tracks = video?.textTracks;
  const [captions] = tracks ?? [];
  if (!tracks || !captions) return undefined;
  captions.mode = playerSettings.get().hasCaptions ? 'showing' : 'disabled';
  const store = () => playerSettings.change({ hasCaptions: captions.mode === 'showing' });
  tracks.addEventListener('change', store);
  return () => tracks.removeEventListener('change', store);
}
