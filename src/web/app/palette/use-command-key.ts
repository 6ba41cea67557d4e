import { useEffect } from 'react';

/** Runs `open` for Ctrl+K and ⌘K, unless a dialog is open, whose text must not be lost. */
export function useCommandKey(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return;
      // Otherwise browsers move the focus to their own search box.
      event.preventDefault();
      if (!document.querySelector('[role=dialog], [role=alertdialog]')) open();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open]);
}
