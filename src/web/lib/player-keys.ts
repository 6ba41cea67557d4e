import type { Shortcuts } from './keys.ts';

/** Act on the video of the player. */
export const VIDEO_KEYS = {
  play: { keys: ['k', ' '], does: 'Play or pause' },
  back: { keys: ['j', 'arrowleft'], does: '10 seconds back' },
  forward: { keys: ['l', 'arrowright'], does: '10 seconds forward' },
  slower: { keys: ['<'], does: 'Slower' },
  faster: { keys: ['>'], does: 'Faster' },
  fullScreen: { keys: ['f'], does: 'Full screen' },
  mute: { keys: ['m'], does: 'Mute' },
  captions: { keys: ['c'], does: 'Captions' },
} as const satisfies Shortcuts;

/** Act on the interview that the player shows. */
export const PLAYER_KEYS = {
  answer: { keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], does: 'Jump to answer 1–9' },
  done: { keys: ['n'], does: 'Done: mark as reviewed and continue' },
  no: { keys: ['x'], does: 'Review: no, and continue' },
  yes: { keys: ['y'], does: 'Review: yes, and continue' },
  strongYes: { keys: ['t'], does: 'Review: strong yes, and continue' },
  rate: { keys: ['r'], does: 'Review with the scorecard' },
  previous: { keys: ['p'], does: 'Previous interview' },
  archive: { keys: ['e'], does: 'Archive and continue' },
  undo: { keys: ['u', 'z'], does: 'Undo the last decision' },
  summary: { keys: ['s'], does: 'Show or generate the summary' },
  destination: { keys: ['d'], does: 'Set the destination' },
  share: { keys: ['h'], does: 'Share with a client' },
} as const satisfies Shortcuts;

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'Space',
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
  escape: 'Esc',
  enter: 'Enter',
};

/** A key as it is shown: `K`, `Space`, `←`. */
export const nameOfKey = (key: string): string => NAMES[key.toLowerCase()] ?? key.toUpperCase();
