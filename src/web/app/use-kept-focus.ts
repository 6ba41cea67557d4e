import { useEffect } from 'react';

const FOCUSABLE = 'a[href], :is(button, input, select, textarea):not([disabled])';
const DIALOG = '[role=dialog], [role=alertdialog]';

/**
 * Moves the focus when the focused element is removed, such as a button that disappears after its
 * action. Otherwise the Tab key would start at the top of the page. The focus moves to the element
 * with the same id, else into the same tab panel, else to the main part of the page. In a dialog it
 * moves to the next element.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Place | null = null;
    const watch = new MutationObserver(() => {
      if (!last || last.element.isConnected || document.activeElement !== document.body) return;
      const { element, panel } = last;
      last = null;
      const main = document.querySelector('main');
      focusFirst([element.id && document.getElementById(element.id), panel?.querySelector(FOCUSABLE), panel, main]);
    });
    const onFocusIn = ({ target }: FocusEvent) => {
      watch.disconnect();
      const before = last;
      last = placeOf(target);
      // Dialogs take the focus themselves when their focused element is removed.
      if (before?.dialog && before.dialog === target && !before.element.isConnected)
        focusFirst(focusablesOf(before.dialog).slice(before.index));
      else if (last && !last.dialog) watch.observe(document.body, { childList: true, subtree: true });
    };
    // Some browsers also dispatch `focusout` for an element that is being removed.
    const onFocusOut = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        if (last?.element === target && last.element.isConnected) last = null;
      });
    const stopped = new AbortController();
    document.addEventListener('focusin', onFocusIn, { signal: stopped.signal });
    document.addEventListener('focusout', onFocusOut, { signal: stopped.signal });
    return () => {
      watch.disconnect();
      stopped.abort();
    };
  }, []);
}

/** The place of the focus. */
interface Place {
  element: HTMLElement;
  panel: Element | null;
  dialog: Element | null;
  /** The index of the element in its dialog; -1 outside of dialogs. */
  index: number;
}

/**
 * Returns null where the focus is not kept: menus restore it themselves, and the player handles all
 * keys in its dialog.
 */
function placeOf(target: EventTarget | null): Place | null {
  if (!(target instanceof HTMLElement)) return null;
  const dialog = target.closest(DIALOG);
  if (dialog) {
    const index = dialog.querySelector('video') ? -1 : focusablesOf(dialog).indexOf(target);
    return index < 0 ? null : { element: target, panel: null, dialog, index };
  }
  if (!target.closest('main') || target.closest('[role=menu]')) return null;
  return { element: target, panel: target.closest('[role=tabpanel]'), dialog: null, index: -1 };
}

const focusablesOf = (dialog: Element) => [...dialog.querySelectorAll<HTMLElement>(FOCUSABLE)];

/** Moves the focus to the first of these elements that accepts it. */
function focusFirst(places: readonly (Element | '' | null | undefined)[]): void {
  for (const place of places) {
    if (!(place instanceof HTMLElement)) continue;
    place.focus({ preventScroll: !place.closest(DIALOG) });
    if (document.activeElement === place) return;
  }
}
