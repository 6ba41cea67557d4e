import { useLayoutEffect, useState } from 'react';
import { cn } from '#web/lib/cn.ts';

/**
 * Dims the page behind a modal and keeps it from scrolling (theme.css). Not the overlay of Radix: that one locks the scroll with a
 * style element of its own, which the Content-Security-Policy forbids.
 */
export function Scrim({ className }: { className?: string }) {
  // Measured before the scrollbar goes, so that the page can keep its width. Over another scrim it is gone already: 0.
  const [scrollbarPixels] = useState(() => window.innerWidth - document.documentElement.clientWidth);
  useLayoutEffect(() => {
    if (scrollbarPixels > 0) document.documentElement.style.setProperty('--scrollbar', `${scrollbarPixels}px`);
  }, [scrollbarPixels]);
  return <div data-scrim className={cn('fixed inset-0 z-40 animate-fade-in bg-scrim', className)} />;
}
