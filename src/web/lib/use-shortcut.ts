import { useEffect, useEffectEvent } from 'react';
import type { Shortcut } from './keys.ts';
import { isIgnoredShortcut } from './single-key-shortcuts.ts';

/** Elements in which keys type text, and dialogs. */
const IGNORED = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=dialog]';

/**
 * Runs `action` with the key when it is pressed, unless the focus is in a text field or a dialog,
 * or the key has already closed a menu.
 */
export function useShortcut({ keys }: Pick<Shortcut, 'keys'>, action: (key: string) => void): void {
  const onPress = useEffectEvent(action);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!keys.includes(event.key) || event.defaultPrevented || isIgnoredShortcut(event)) return;
      if ((event.target as HTMLElement).closest(IGNORED)) return;
      event.preventDefault();
      onPress(event.key);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [keys]);
}
