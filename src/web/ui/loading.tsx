import type { ReactNode } from 'react';
import { Spinner } from '#web/ui/spinner.tsx';

/** A spinner with its sentence, in the middle of the place that is being filled. */
export function Loading({ children }: { children: ReactNode }) {
  return (
    <div role="status" className="flex flex-col items-center justify-center gap-3 py-20 text-muted">
      <Spinner className="size-5" />
      <p>{children}</p>
    </div>
  );
}
