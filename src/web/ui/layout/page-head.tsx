import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { cn } from '#web/lib/cn.ts';
import { dashboardUrl } from '#web/lib/dashboard-place.ts';

interface Props {
  title: string;
  description: ReactNode;
  /** Buttons on the right. */
  children?: ReactNode;
}

/** The head of a page that is reached from the dashboard. */
export const PageHead = ({ title, description, children }: Props) => (
  <div className="mb-6 flex flex-wrap items-end justify-between gap-4">
    <div>
      <BackToDashboard />
      <h1 className="text-xl font-semibold tracking-tight sm:text-2xl">{title}</h1>
      <p className="mt-0.5 text-muted">{description}</p>
    </div>
    {children}
  </div>
);

export const BackToDashboard = ({ className }: { className?: string }) => (
  <Link
    href={dashboardUrl()}
    className={cn(
      'touch-beyond relative mb-2 -ml-1 inline-flex items-center gap-1.5 rounded-md px-1 text-sm text-muted hover:text-ink',
      className,
    )}
  >
    <ArrowLeft aria-hidden className="size-3.5" />
    Back to Dashboard
  </Link>
);
