import { ITEM_KEYS, WRITING_KEYS } from '#web/lib/keys.ts';
import { useShortcut } from '#web/lib/use-shortcut.ts';
import { type Selection, useSelection } from './selection.ts';

/** The shortcuts of the bulk bar. */
export const BULK_KEYS = { ...ITEM_KEYS, close: WRITING_KEYS.close };

const ALL_KEYS = { keys: Object.values(BULK_KEYS).flatMap(({ keys }) => keys) };

let early: { key: string; selection: Selection } | null = null;

/** Keeps the last key that is pressed while the bulk bar loads. */
export function EarlyKeys() {
  const selection = useSelection();
  useShortcut(ALL_KEYS, (key) => {
    early = { key, selection };
  });
  return null;
}

/** Returns the kept key, unless the selection has changed since. */
export function takeEarlyKey(selection: Selection): string | null {
  const key = early?.selection === selection ? early.key : null;
  early = null;
  return key;
}
