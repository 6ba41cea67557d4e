import { storedValue } from './stored-value.ts';

/** Shortcuts that are a single character can be turned off (WCAG 2.1.4). */
export const singleKeyShortcuts = storedValue('single-key-shortcuts', (stored) => ({
  isOn: (Object(stored) as { isOn?: unknown }).isOn !== false,
}));

/** True for a shortcut that the user has turned off, and for shortcuts of the browser. */
export const isIgnoredShortcut = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey || (key.length === 1 && key !== ' ' && !singleKeyShortcuts.get().isOn);
