import { Info, TriangleAlert } from 'lucide-react';

/** Why a step failed the last time, below the button that tries again. Whole: what to do about it stands at the end. */
export const StepError = ({ error = 'The last attempt failed.' }: { error: string | undefined }) => (
  <p className="flex basis-full items-start gap-1.5 text-sm text-danger-ink">
    <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
    <span className="min-w-0 break-words">{error}</span>
  </p>
);

/** Why a step under way waits, or in what its result differs from what was asked for. */
export const StepNote = ({ note }: { note: string | undefined }) =>
  note ? (
    <p className="flex basis-full items-start gap-1.5 text-sm text-warning-ink">
      <Info aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0 break-words">{note}</span>
    </p>
  ) : null;
