import type { KeyboardEvent } from 'react';
import { byKey } from '#web/lib/keys.ts';
import { VIDEO_KEYS } from '#web/lib/player-keys.ts';
import { isIgnoredShortcut } from '#web/lib/single-key-shortcuts.ts';
import { isListOpen } from '#web/ui/forms/select.tsx';
import { toggleCaptions, toggleFullscreen, toggleMute, togglePlay } from './controls/video-commands.ts';
import { changeSpeed } from './player-settings.ts';

export const JUMP_SECONDS = 10;

/**
 * Commands by `KeyboardEvent.key` in lower case. The video is null while it is not shown. A key
 * that is held down runs them once: it must not archive one interview after the other.
 */
export type PlayerCommands = Readonly<Record<string, Command | undefined>>;
export type Command = (video: HTMLVideoElement | null, key: string) => void;

/**
 * Handles the keys of the video and of `commands`. Call it in the capture phase, so that a key
 * reaches the element with the focus only when it has no meaning here.
 */
export function handlePlayerKey(event: KeyboardEvent<HTMLElement>, commands: PlayerCommands): void {
  const video = event.currentTarget.querySelector('video');
  const key = event.key.toLowerCase();
  const videoCommand = video ? VIDEO_COMMANDS[key] : undefined;
  if (!(videoCommand || commands[key]) || isIgnoredShortcut(event.nativeEvent)) return;
  if (hasOtherMeaning(event.target as HTMLElement, event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  if (video && videoCommand) videoCommand(video);
  else if (!event.repeat) commands[key]?.(video, key);
}

/** True for keys that type text, move between tabs or options, or press a button. */
function hasOtherMeaning(target: HTMLElement, key: string): boolean {
  const slider = target.closest('input[type=range]');
  // On the seek bar the arrows jump as everywhere. On the volume they change it.
  if (slider) return key.startsWith('Arrow') && !slider.hasAttribute('data-seek');
  // Digits rate a criterion.
  if (target.closest('input[type=radio]')) return /^(\d| |Arrow.*)$/.test(key);
  if (target.closest('input, textarea, option, [role=combobox], [role=listbox], [role=menu]')) return true;
  const select = target.closest('select');
  // Digits and arrows select an option. The space bar would open a closed list, but plays and
  // pauses instead, as everywhere in the player.
  if (select) return isListOpen(select) || /^(\d|Arrow.*)$/.test(key);
  if (key === ' ') return target.closest('button, a') !== null;
  return key.startsWith('Arrow') && target.closest('[role=tablist]') !== null;
}

const jump =
  (seconds: number) =>
  (video: HTMLVideoElement): void => {
    video.currentTime += seconds;
  };

const VIDEO_COMMANDS = byKey<keyof typeof VIDEO_KEYS, (video: HTMLVideoElement) => void>(VIDEO_KEYS, {
  play: togglePlay,
  back: jump(-JUMP_SECONDS),
  forward: jump(JUMP_SECONDS),
  slower: () => changeSpeed(-1),
  faster: () => changeSpeed(1),
  fullScreen: toggleFullscreen,
  mute: toggleMute,
  captions: toggleCaptions,
});
