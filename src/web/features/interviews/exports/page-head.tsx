import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/forms/button.tsx';
import { BackToDashboard } from '#web/ui/layout/page-head.tsx';

interface Props {
  title: string;
  description: string;
  /** Next to the button. */
  children?: ReactNode;
}

/** The title of a page that is printed. */
export const PageHead = ({ title, description, children }: Props) => (
  <div className="mb-6 print:mb-3">
    <BackToDashboard className="not-printed" />
    <div className="flex flex-wrap items-start justify-between gap-3">
      <div className="min-w-0">
        <h1 className="text-xl font-semibold tracking-tight break-words sm:text-2xl">{title}</h1>
        <p className="mt-0.5 break-words text-muted">{description}</p>
      </div>
      <div className="not-printed flex flex-wrap items-center gap-4">
        {children}
        <Button variant="primary" data-command="Print" onClick={() => window.print()}>
          <Printer aria-hidden />
          Print or save as PDF
        </Button>
      </div>
    </div>
  </div>
);
