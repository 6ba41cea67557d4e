import { useEffect } from 'react';

const FOCUSABLE = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled';
/** These lead the focus back themselves. */
const LEADS_BACK = '[role=dialog], [role=alertdialog], [role=menu]';

/**
 * Where the focus is when its element goes, as a button does whose action has been done: on the one of the same id, on what stands in its
 * tab panel instead, or else on the main part of the page. From nowhere, the Tab key would begin anew at the head of the page.
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
      last = target instanceof HTMLElement && target.closest('main') && !target.closest(LEADS_BACK) ? target : null;
      panel = last?.closest('[role=tabpanel]') ?? null;
      if (last) watch.observe(document.body, { childList: true, subtree: true });
    };
    // Some browsers also tell it of an element that is just going.
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
