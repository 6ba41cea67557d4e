import { ITEM_KEYS, WRITING_KEYS } from '#web/lib/keys.ts';
import { createStore } from '#web/lib/store.ts';
import { useShortcut } from '#web/lib/use-shortcut.ts';
import { type Selection, useSelection } from './selection.ts';

/** The shortcuts of the bulk bar. */
export const BULK_KEYS = { ...ITEM_KEYS, close: WRITING_KEYS.close };

const ALL_KEYS = { keys: Object.values(BULK_KEYS).flatMap(({ keys }) => keys) };

const early = createStore<{ key: string; selection: Selection } | null>(null);

/** Keeps the last key that is pressed while the bulk bar loads. */
export function EarlyKeys() {
  const selection = useSelection();
  useShortcut(ALL_KEYS, (key) => early.set({ key, selection }));
  return null;
}

/** Returns the kept key, unless the selection has changed since. */
export function takeEarlyKey(selection: Selection): string | null {
  const kept = early.get();
  early.set(null);
  return kept?.selection === selection ? kept.key : null;
}
