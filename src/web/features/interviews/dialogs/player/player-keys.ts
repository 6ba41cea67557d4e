import type { KeyboardEvent } from 'react';

export const JUMP_SECONDS = 10;

/**
 * The usual keys of video players: J, L and the arrows jump ten seconds, K and the space bar play
 * and pause. Attach it to the capture phase: otherwise the native controls would handle a key as
 * well, and the space bar would play what it has just paused.
 */
export function handlePlayerKey(event: KeyboardEvent<HTMLElement>): void {
  const video = event.currentTarget.querySelector('video');
  const action = ACTIONS[event.key.toLowerCase()];
  if (!video || !action || event.ctrlKey || event.metaKey || event.altKey) return;
  if (hasOtherMeaning(event.target as HTMLElement, event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  action(video);
}

/** Keys that type text, move between tabs or options, or press a button. */
function hasOtherMeaning(target: HTMLElement, key: string): boolean {
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
