import type { KeyboardEvent } from 'react';

export const JUMP_SECONDS = 10;

/**
 * Keys that video players share: J and L or the arrows jump ten seconds, K or the space bar plays and pauses. To be heard on the way down:
 * the browser's own controls, which listen on the video, would take a key as well, and the space bar play what it has just paused.
 */
export function handlePlayerKey(event: KeyboardEvent<HTMLElement>): void {
  const video = event.currentTarget.querySelector('video');
  const action = ACTIONS[event.key.toLowerCase()];
  if (!video || !action || event.ctrlKey || event.metaKey || event.altKey) return;
  if (meansSomethingElse(event.target as HTMLElement, event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  action(video);
}

/** Somebody who writes means letters, arrows move between tabs and choices, and the space bar presses a button. */
function meansSomethingElse(target: HTMLElement, key: string): boolean {
  if (target.closest('input, textarea, select, [role=combobox], [role=listbox], [role=menu]')) return true;
  if (key === ' ') return target.closest('button, a') !== null;
  return key.startsWith('Arrow') && target.closest('[role=tablist]') !== null;
}

const toggle = (video: HTMLVideoElement) => (video.paused ? void video.play() : video.pause());
const jump = (seconds: number) => (video: HTMLVideoElement) => {
  video.currentTime += seconds;
};
const ACTIONS: Record<string, (video: HTMLVideoElement) => void> = {
  j: jump(-JUMP_SECONDS),
  arrowleft: jump(-JUMP_SECONDS),
  l: jump(JUMP_SECONDS),
  arrowright: jump(JUMP_SECONDS),
  k: toggle,
  ' ': toggle,
};
