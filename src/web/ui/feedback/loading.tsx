import { LoaderCircle } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

interface LoadingProps {
  /** Hides the footer, which would jump when the content appears. */
  isPage?: boolean;
  children: ReactNode;
}

/** A centered spinner with a text. */
export function Loading({ isPage, children }: LoadingProps) {
  return (
    <div
      role="status"
      data-page-loading={isPage}
      className="flex flex-col items-center justify-center gap-3 py-20 text-muted"
    >
      <Spinner className="size-5" />
      <p>{children}</p>
    </div>
  );
}

/** A spinner with a text above placeholders, which must be in a `relative` element. */
export const LoadingPlaceholders = ({ children }: { children: ReactNode }) => (
  <p role="status" className="absolute inset-x-0 top-4 z-10 flex justify-center text-sm text-muted">
    <span className="bordered flex items-center gap-2 rounded-full bg-raised px-3 py-1.5 shadow-pop">
      <Spinner />
      {children}
    </span>
  </p>
);

/** With a `label` it is announced by screen readers; without one it needs text next to it. */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  const icon = <LoaderCircle aria-hidden className={cn('size-4 animate-spin', className)} />;
  if (!label) return icon;
  return (
    <span role="status">
      {icon}
      <span className="sr-only">{label}</span>
    </span>
  );
}

/**
 * A placeholder while content loads. Hidden from screen readers, so it needs a status text next to
 * it.
 */
export function Skeleton({ className, ...props }: ComponentProps<'div'>) {
  return <div aria-hidden className={cn('animate-pulse rounded-md bg-sunken', className)} {...props} />;
}
