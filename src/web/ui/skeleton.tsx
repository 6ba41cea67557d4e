import type { ComponentProps } from 'react';
import { cn } from '#web/lib/cn.ts';

/** Holds the place of what is loading. Hidden from screen readers: a `Loading` beside it speaks. */
export function Skeleton({ className, ...props }: ComponentProps<'div'>) {
  return <div aria-hidden className={cn('animate-pulse rounded-md bg-sunken', className)} {...props} />;
}
