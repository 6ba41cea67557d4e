import { useEffect } from 'react';

const FOCUSABLE = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled';
/** Overlays that restore the focus themselves. */
const OVERLAYS = '[role=dialog], [role=alertdialog], [role=menu]';

/**
 * When the focused element is removed, such as a button that disappears after its action, moves the
 * focus to the element with the same id, into the same tab panel, or to the main part of the page.
 * Otherwise the Tab key would start again at the top of the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: HTMLElement | null = null;
    let panel: Element | null = null;
    const watch = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      const { id } = last;
      last = null;
      const main = document.querySelector('main');
      const places = [id && document.getElementById(id), panel?.querySelector(FOCUSABLE), panel, main];
      for (const place of places) if (place instanceof HTMLElement && takesFocus(place)) return;
    });
    const note = ({ target }: FocusEvent) => {
      watch.disconnect();
      last = target instanceof HTMLElement && target.closest('main') && !target.closest(OVERLAYS) ? target : null;
      panel = last?.closest('[role=tabpanel]') ?? null;
      if (last) watch.observe(document.body, { childList: true, subtree: true });
    };
    // Some browsers also dispatch `focusout` for an element that is being removed.
    const forget = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        if (last === target && last?.isConnected) last = null;
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

function takesFocus(place: HTMLElement): boolean {
  place.focus({ preventScroll: true });
  return document.activeElement === place;
}
