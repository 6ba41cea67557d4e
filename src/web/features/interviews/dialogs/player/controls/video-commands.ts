import { flushSync } from 'react-dom';
import { createStore } from '#web/lib/store.ts';

/** Marks the element that fills the screen: the video with its controls. */
export const SCREEN = 'data-screen';

export const togglePlay = (video: HTMLVideoElement): void => {
  if (video.paused) void video.play().catch(() => {});
  else video.pause();
};

export const toggleMute = (video: HTMLVideoElement): void => {
  video.muted = !video.muted;
};

export function toggleCaptions(video: HTMLVideoElement): void {
  const [captions] = video.textTracks ?? [];
  if (captions) captions.mode = captions.mode === 'showing' ? 'disabled' : 'showing';
}

export function toggleFullscreen(video: HTMLVideoElement): void {
  if (document.fullscreenElement) {
    void document.exitFullscreen();
    return;
  }
  const screen = video.closest(`[${SCREEN}]`) ?? video;
  if (document.fullscreenEnabled === false) enterOnPhone(video);
  else void screen.requestFullscreen();
}

/**
 * Leaves full screen before it calls `show`. Rendering without delay, as for a key, lets a dialog
 * that `show` opens receive Escape before the player does.
 */
export function showOutsideFullscreen(show: () => void): void {
  // A second key during the exit must not call `show` again.
  if (isLeaving.get()) return;
  if (!document.fullscreenElement) {
    show();
    return;
  }
  isLeaving.set(true);
  const end = () => {
    isLeaving.set(false);
    flushSync(show);
  };
  void document.exitFullscreen().then(end, end);
}

const isLeaving = createStore(false);

/** iPhones show only a video in full screen, with their own controls. */
const enterOnPhone = (video: HTMLVideoElement & { webkitEnterFullscreen?: () => void }): void =>
  video.webkitEnterFullscreen?.();
