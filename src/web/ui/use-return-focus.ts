import { useRef } from 'react';

/**
 * Handlers for a modal that has no trigger of its own: it remembers where the focus was when it opened, and gives it back.
 * When that place is gone (its card was deleted) the focus goes to the main part of the page instead of nowhere.
 */
export function useReturnFocus() {
  const opener = useRef<Element | null>(null);
  return {
    remember: () => {
      opener.current = document.activeElement;
    },
    giveBack: (event: Event) => {
      event.preventDefault();
      if (opener.current?.isConnected) focus(opener.current);
      // A dialog inside another may close after it, when the focus is already back in its place.
      else if (document.activeElement === document.body) focus(document.querySelector('main'));
    },
  };
}

function focus(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus();
}
