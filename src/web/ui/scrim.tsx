import { cn } from '#web/lib/cn.ts';

/**
 * Dims the page behind a modal and keeps it from scrolling (theme.css). Not the overlay of Radix: that one locks the scroll with a
 * style element of its own, which the Content-Security-Policy forbids.
 */
export const Scrim = ({ className }: { className?: string }) => (
  <div data-scrim className={cn('fixed inset-0 z-40 animate-fade-in bg-scrim', className)} />
);
