/** A shortcut: its handlers and the dialog that lists all shortcuts read the same entry. */
export interface Shortcut {
  /** Values of `KeyboardEvent.key`, letters in lower case. Each of them works. */
  keys: readonly string[];
  /** `Mod` is ⌘ or Ctrl. */
  modifier?: 'Mod' | 'Shift';
  does: string;
}
export type Shortcuts = Readonly<Record<string, Shortcut>>;

const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const;

/** Handled by the shell. */
export const SHELL_KEYS = {
  commands: { keys: ['k'], modifier: 'Mod', does: 'Search commands and candidates' },
  shortcuts: { keys: ['?'], does: 'Show these shortcuts' },
  search: { keys: ['/'], does: 'Search' },
} as const satisfies Shortcuts;

/** Handled by dialogs and text fields. */
export const WRITING_KEYS = {
  close: { keys: ['Escape'], does: 'Close' },
  save: { keys: ['Enter'], modifier: 'Mod', does: 'Save edits' },
} as const satisfies Shortcuts;

/** Handled by the list: the focus and the selection. */
export const LIST_KEYS = {
  move: { keys: ARROWS, does: 'Move between interviews' },
  open: { keys: ['Enter'], does: 'Play the interview' },
  select: { keys: ['x'], does: 'Select the interview' },
  extend: { keys: ARROWS, modifier: 'Shift', does: 'Extend the selection' },
  selectPage: { keys: ['a'], modifier: 'Mod', does: 'Select the page' },
} as const satisfies Shortcuts;

/** Handled by the dashboard. */
export const DASHBOARD_KEYS = {
  answers: { keys: ['a'], does: 'Review answer by answer' },
} as const satisfies Shortcuts;

/** Act on the interview that has the focus, or on all that are selected. */
export const ITEM_KEYS = {
  archive: { keys: ['e'], does: 'Archive it, or all that are selected' },
  summarize: { keys: ['s'], does: 'Show or generate its summary' },
  setDestination: { keys: ['d'], does: 'Set its destination, or the destination of all selected' },
  share: { keys: ['h'], does: 'Share it, or all that are selected' },
} as const satisfies Shortcuts;

/** Returns the actions by key. Every shortcut of the table needs one; undefined turns it off. */
export const byKey = <Name extends string, Action>(
  table: Readonly<Record<Name, Shortcut>>,
  actions: Readonly<Record<Name, Action>>,
): Readonly<Record<string, Action>> =>
  Object.fromEntries(
    Object.entries<Shortcut>(table).flatMap(([name, { keys }]) => keys.map((key) => [key, actions[name as Name]])),
  );

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** True when the event is this shortcut, including its modifier and no other. */
export function isPressed({ keys, modifier }: Shortcut, { key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): boolean {
  if (altKey || shiftKey !== (modifier === 'Shift')) return false;
  if (modifier === 'Mod' ? ctrlKey === metaKey : ctrlKey || metaKey) return false;
  return keys.some((one) => one === key || one === key.toLowerCase());
}
