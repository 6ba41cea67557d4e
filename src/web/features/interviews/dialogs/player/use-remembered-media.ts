import { type RefObject, useEffect } from 'react';
import { useStartSeconds } from '#web/lib/use-dialog.ts';
import { lastPosition, playerSettings, rememberPosition } from './player-settings.ts';

/**
 * Event handlers for a video. They apply the player settings of this browser, and store what the
 * user changes in the native controls. The video starts at the time in the address, or where this
 * tab last stopped it.
 */
export function useRememberedMedia(
  video: RefObject<HTMLVideoElement | null>,
  { interviewId, hasCaptions }: { interviewId: string; hasCaptions: boolean },
) {
  const { speed } = playerSettings.use();
  const start = useStartSeconds();
  useEffect(() => {
    if (video.current && start !== null) video.current.currentTime = start;
  }, [video, start]);
  useEffect(() => {
    if (video.current) video.current.playbackRate = Number(speed);
  }, [video, speed]);
  useEffect(() => (hasCaptions ? followCaptions(video.current) : undefined), [video, hasCaptions]);
  return {
    onLoadStart: ({ currentTarget }: { currentTarget: HTMLVideoElement }) => {
      const { volume, isMuted } = playerSettings.get();
      currentTarget.volume = volume;
      currentTarget.muted = isMuted;
    },
    onLoadedMetadata: ({ currentTarget }: { currentTarget: HTMLVideoElement }) => {
      currentTarget.playbackRate = Number(playerSettings.get().speed);
      const position = start ?? lastPosition(interviewId);
      if (position > 0) currentTarget.currentTime = position;
    },
    onVolumeChange: ({ currentTarget: { volume, muted } }: { currentTarget: HTMLVideoElement }) =>
      playerSettings.change({ volume, isMuted: muted }),
    onTimeUpdate: ({ currentTarget }: { currentTarget: HTMLVideoElement }) =>
      rememberPosition(interviewId, currentTarget),
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
