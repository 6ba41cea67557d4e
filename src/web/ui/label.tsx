import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

interface Props {
  /** The id of the control. */
  htmlFor: string;
  children: ReactNode;
  className?: string;
}

export function Label({ className, htmlFor, children }: Props) {
  return (
    <label htmlFor={htmlFor} className={cn('text-sm font-medium text-ink', className)}>
      {children}
    </label>
  );
}
