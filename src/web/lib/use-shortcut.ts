import { useEffect } from 'react';

/** Where a key means what is written on it. */
const WRITING = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=dialog]';

/** Runs when a key is pressed anywhere on the page, unless one is writing or a dialog is open. */
export function useShortcut(key: string, run: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as HTMLElement).closest(WRITING)) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [key, run]);
}
