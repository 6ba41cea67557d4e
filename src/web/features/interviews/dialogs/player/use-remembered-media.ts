import { type RefObject, useEffect } from 'react';
import { useStartSeconds } from '#web/lib/use-dialog.ts';
import { lastPosition, playerSettings, rememberPosition } from './player-settings.ts';

/**
 * The properties of a video that follows the settings of this browser and remembers what the user
 * changes in its native controls. A video starts at the time in the address, or continues where it
 * was left.
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

/** Shows captions as the last time, and remembers when the user turns them on or off. */
function followCaptions(video: HTMLVideoElement | null): (() => void) | undefined {
  const tracks = video?.textTracks;
  const [captions] = tracks ?? [];
  if (!tracks || !captions) return undefined;
  captions.mode = playerSettings.get().hasCaptions ? 'showing' : 'disabled';
  const note = () => playerSettings.change({ hasCaptions: captions.mode === 'showing' });
  tracks.addEventListener('change', note);
  return () => tracks.removeEventListener('change', note);
}
