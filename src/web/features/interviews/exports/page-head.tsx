import { ArrowLeft, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { dashboardAddress } from '#web/lib/dashboard-place.ts';
import { Button } from '#web/ui/forms/button.tsx';

interface Props {
  title: string;
  description: string;
  /** Null if the page cannot be printed. */
  onPrint: (() => void) | null;
  /** Next to the button. */
  children?: ReactNode;
}

/** The title of a page that is printed. */
export const PageHead = ({ title, description, onPrint, children }: Props) => (
  <div className="mb-6 print:mb-3">
    <Link
      href={dashboardAddress()}
      className="not-printed touch-beyond relative mb-2 -ml-1 inline-flex items-center gap-1.5 rounded-md px-1 text-sm text-muted hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-3.5" />
      Back to Dashboard
    </Link>
    <div className="flex flex-wrap items-start justify-between gap-3">
      <div className="min-w-0">
        <h1 className="text-xl font-semibold tracking-tight break-words sm:text-2xl">{title}</h1>
        <p className="mt-0.5 break-words text-muted">{description}</p>
      </div>
      {onPrint && (
        <div className="not-printed flex flex-wrap items-center gap-4">
          {children}
          <Button variant="primary" data-command="Print" onClick={onPrint}>
            <Printer aria-hidden />
            Print or save as PDF
          </Button>
        </div>
      )}
    </div>
  </div>
);
