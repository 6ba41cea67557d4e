import { CircleAlert, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

interface Props {
  title: string;
  children?: ReactNode;
  tone?: 'info' | 'danger';
  /** Buttons on the right. */
  actions?: ReactNode;
  className?: string;
}

/**
 * A permanent message on the page. Screen readers announce a danger immediately, an info politely.
 */
export function Alert({ title, children, tone = 'info', actions, className }: Props) {
  const danger = tone === 'danger';
  return (
    <div
      role={danger ? 'alert' : 'status'}
      className={cn(
        'flex items-start gap-3 rounded-xl border p-4 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0',
        danger
          ? 'border-danger/30 bg-danger-soft [&>svg]:text-danger-ink'
          : 'border-line bg-surface [&>svg]:text-muted',
        className,
      )}
    >
      {danger ? <CircleAlert aria-hidden /> : <Info aria-hidden />}
      <div className="min-w-0 grow">
        <p className={cn('font-medium', danger && 'text-danger-ink')}>{title}</p>
        {children && <div className="mt-1 text-sm break-words text-muted">{children}</div>}
      </div>
      {actions && <div className="-my-1 flex shrink-0 gap-2">{actions}</div>}
    </div>
  );
}
