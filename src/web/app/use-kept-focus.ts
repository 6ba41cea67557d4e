import { useEffect } from 'react';

const FOCUSABLE = 'a[href], :is(button, input, select, textarea):not([disabled])';
const DIALOG = '[role=dialog], [role=alertdialog]';

/**
 * When the focused element is removed, such as a button that disappears after its action, moves the
 * focus to the element with the same id, into the same tab panel, or to the main part of the page.
 * In a dialog it moves to what takes the place of the element. Otherwise the Tab key would start
 * again at the top.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Place | null = null;
    const watch = new MutationObserver(() => {
      if (!last || last.element.isConnected || document.activeElement !== document.body) return;
      const { element, panel } = last;
      last = null;
      const main = document.querySelector('main');
      takeFirst([element.id && document.getElementById(element.id), panel?.querySelector(FOCUSABLE), panel, main]);
    });
    const note = ({ target }: FocusEvent) => {
      watch.disconnect();
      const before = last;
      last = placeOf(target);
      // A dialog takes the focus of an element that is removed from it.
      if (before?.dialog && before.dialog === target && !before.element.isConnected)
        takeFirst(focusablesOf(before.dialog).slice(before.index));
      else if (last && !last.dialog) watch.observe(document.body, { childList: true, subtree: true });
    };
    // Some browsers also dispatch `focusout` for an element that is being removed.
    const forget = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        if (last?.element === target && last.element.isConnected) last = null;
      });
    document.addEventListener('focusin', note);
    document.addEventListener('focusout', forget);
    return () => {
      watch.disconnect();
      document.removeEventListener('focusin', note);
      document.removeEventListener('focusout', forget);
    };
  }, []);
}

/** Where the focus is. */
interface Place {
  element: HTMLElement;
  panel: Element | null;
  dialog: Element | null;
  /** The place of the element among those of its dialog. */
  index: number;
}

/**
 * Null where the focus is not kept: menus restore it themselves, and in the player every key
 * belongs to the dialog.
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

/** Moves the focus to the first of these that takes it. */
function takeFirst(places: readonly (Element | '' | null | undefined)[]): void {
  for (const place of places) {
    if (!(place instanceof HTMLElement)) continue;
    place.focus({ preventScroll: !place.closest(DIALOG) });
    if (document.activeElement === place) return;
  }
}
