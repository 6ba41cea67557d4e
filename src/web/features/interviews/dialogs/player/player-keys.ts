import type { KeyboardEvent } from 'react';
import { isIgnoredShortcut } from '#web/lib/single-key-shortcuts.ts';
import { isListOpen } from '#web/ui/forms/select.tsx';
import { changeSpeed } from './player-settings.ts';

export const JUMP_SECONDS = 10;

/** Further commands, by `KeyboardEvent.key` in lower case. */
export type PlayerCommands = Readonly<Record<string, ((video: HTMLVideoElement | null) => void) | undefined>>;

/**
 * The usual keys of video players: J, L and the arrows jump ten seconds, K and the space bar play
 * and pause. Attach it to the capture phase: otherwise the native controls would handle a key as
 * well, and the space bar would play what it has just paused.
 */
export function handlePlayerKey(event: KeyboardEvent<HTMLElement>, commands: PlayerCommands): void {
  const key = event.key.toLowerCase();
  const video = event.currentTarget.querySelector('video');
  const act = video && ACTIONS[key];
  const run = act ? () => act(video) : commands[key] && (() => commands[key]?.(video));
  if (!run || isIgnoredShortcut(event.nativeEvent) || hasOtherMeaning(event.target as HTMLElement, event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  run();
}

/** Keys that type text, move between tabs or options, or press a button. */
function hasOtherMeaning(target: HTMLElement, key: string): boolean {
  if (target.closest('input, textarea, option, [role=combobox], [role=listbox], [role=menu]')) return true;
  const select = target.closest('select');
  // Digits and arrows select an option. The space bar opens the list where it is closed; here it
  // plays, as everywhere in the player.
  if (select) return isListOpen(select) || /^(\d|Arrow.*)$/.test(key);
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
  '<': () => changeSpeed(-1),
  '>': () => changeSpeed(1),
  f: (video) => void (document.fullscreenElement ? document.exitFullscreen() : video.requestFullscreen()),
};
