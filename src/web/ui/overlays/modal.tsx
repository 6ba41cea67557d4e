import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useLayoutEffect, useRef, useState } from 'react';
import { cn } from '#web/lib/cn.ts';
import { createStore } from '#web/lib/store.ts';

/**
 * Dims the page behind a modal and keeps it from scrolling (theme.css). Replaces the overlay of
 * Radix, which adds a style element that the Content-Security-Policy forbids. With the class `z-50`
 * it also covers the dialog that opened this one.
 */
export function Scrim({ className }: { className?: string }) {
  // Measured before the scrollbar disappears, so that the page can keep its width. Above another
  // scrim it is 0.
  const [scrollbarPixels] = useState(() => window.innerWidth - document.documentElement.clientWidth);
  useLayoutEffect(() => {
    if (scrollbarPixels > 0) document.documentElement.style.setProperty('--scrollbar', `${scrollbarPixels}px`);
  }, [scrollbarPixels]);
  return <div data-scrim className={cn('fixed inset-0 z-40 animate-fade-in bg-scrim', className)} />;
}

/** The panel of dialogs. On phones it is at the bottom, near the thumb. */
export const DIALOG_PANEL =
  'fixed inset-x-3 bottom-3 z-50 mx-auto flex max-h-[calc(100dvh-1.5rem)] flex-col rounded-xl bg-raised shadow-pop outline-none data-[state=open]:animate-pop-in data-[state=closed]:animate-fade-out sm:inset-y-0 sm:my-auto sm:h-fit sm:max-h-[calc(100dvh-4rem)]';

export const CloseButton = ({ className }: { className: string }) => (
  <Dialog.Close
    aria-label="Close"
    className={cn(
      'touch-beyond absolute grid size-7.5 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink',
      className,
    )}
  >
    <X aria-hidden className="size-4" />
  </Dialog.Close>
);

/** The last focused element of the page outside all modals. */
const lastOnPage = createStore<Element | null>(null);

/**
 * Returns the focus to the element that had it when the modal opened, because Radix does so for its
 * own triggers only. If that element no longer exists (the viewer behind an editor, a deleted
 * card), the focus returns to the opener of the first modal, or else to the main part of the page.
 * A focus that has moved since stays.
 */
export function useReturnFocus() {
  const opener = useRef<Element | null>(null);
  return {
    remember: () => {
      opener.current = document.activeElement;
      if (opener.current !== document.body && !isInModal(opener.current)) lastOnPage.set(opener.current);
    },
    restore: (event: Event) => {
      event.preventDefault();
      if (hasFocusMoved(opener.current)) return;
      for (const place of [opener.current, lastOnPage.get(), document.querySelector('main')]) {
        const element = place && findConnected(place);
        if (!(element instanceof HTMLElement) || element === document.body) continue;
        // The main part is taller than the screen: scrolling to it would move the page.
        element.focus({ preventScroll: element.tagName === 'MAIN' });
        return;
      }
    },
  };
}

/** Returns the element, or the one with the same id that replaced it. */
const findConnected = (element: Element) =>
  element.isConnected ? element : element.id ? document.getElementById(element.id) : null;

const isInModal = (element: Element | null) => element?.closest('[role=dialog], [role=alertdialog]') != null;

/**
 * Radix returns the focus a moment after a modal, menu or panel has closed. True when another
 * element has received it since: to move it would close a menu that has just opened, or take it
 * from a modal that replaced this one. What surrounds the opener does not count: a dialog or the
 * main part receives the focus when the focused element is removed.
 */
export function hasFocusMoved(opener: Element | null): boolean {
  const { activeElement, body } = document;
  if (!activeElement || activeElement === body || activeElement.tagName === 'MAIN') return false;
  return !activeElement.contains(opener);
}

/**
 * The landmark around an element. A panel opened by the element goes there as well: screen readers
 * find it in context, and a modal dialog treats it as its own.
 */
export const landmarkOf = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>('[role="dialog"], main, header') ?? null;
