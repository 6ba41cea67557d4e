import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

interface Props {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  /** A button with the next step. */
  action?: ReactNode;
  className?: string;
}

export function EmptyState({ icon, title, children, action, className }: Props) {
  return (
    <div
      className={cn(
        'flex flex-col items-center rounded-xl border border-dashed border-line px-6 py-12 text-center',
        className,
      )}
    >
      {icon && (
        <div
          aria-hidden
          className="mb-4 grid size-11 place-items-center rounded-xl bg-sunken text-faint [&_svg]:size-5"
        >
          {icon}
        </div>
      )}
      <h2 className="text-lg font-semibold">{title}</h2>
      {children && <div className="mt-1 max-w-md text-muted">{children}</div>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}
