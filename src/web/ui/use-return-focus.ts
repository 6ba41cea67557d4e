import { useRef } from 'react';

/** Where on the page, outside of any modal, the last one was opened. */
let pagePlace: Element | null = null;

/**
 * Handlers for a modal that has no trigger of its own: it remembers where the focus was when it opened, and gives it back.
 * A modal that took the place of another (an editor that of its viewer) gives it back to where the first one was opened.
 * When that place is gone (its card was deleted) the focus goes to the main part of the page instead of nowhere.
 * A modal that has taken its place already keeps it: behind a modal nobody sees where the focus is.
 */
export function useReturnFocus() {
  const opener = useRef<Element | null>(null);
  return {
    remember: () => {
      opener.current = document.activeElement;
      if (isOnPage(opener.current)) pagePlace = opener.current;
    },
    giveBack: (event: Event) => {
      event.preventDefault();
      if (isInModal(document.activeElement)) return;
      const place = hereNow(opener.current);
      if (place && place !== document.body) focus(place);
      // A dialog inside another may close after it, when the focus is already back in its place.
      else if (document.activeElement === document.body) {
        const lastPlace = hereNow(pagePlace);
        if (lastPlace) focus(lastPlace);
        // Taller than the screen: bringing it into view would scroll the page.
        else document.querySelector('main')?.focus({ preventScroll: true });
      }
    },
  };
}

/** The element, or the one of the same id that has taken its place. */
const hereNow = (element: Element | null) =>
  element?.isConnected ? element : element?.id ? document.getElementById(element.id) : null;

const isInModal = (element: Element | null) => element?.closest('[role=dialog], [role=alertdialog]') != null;

const isOnPage = (element: Element | null) => element !== null && element !== document.body && !isInModal(element);

function focus(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus();
}
