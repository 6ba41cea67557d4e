import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

/** Names with values: `<Facts><Fact name="ID">7</Fact></Facts>`. */
export const Facts = ({ className, children }: { className?: string; children: ReactNode }) => (
  <dl className={cn('grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4', className)}>{children}</dl>
);

/** An empty value is shown as a dash. */
export const Fact = ({ name, className, children }: { name: string; className?: string; children: ReactNode }) => (
  <div className={cn('min-w-0', className)}>
    <dt className="text-xs text-faint">{name}</dt>
    <dd className="mt-0.5 text-pretty wrap-anywhere">{children === '' || children === null ? '–' : children}</dd>
  </div>
);
