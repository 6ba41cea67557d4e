import { Info, TriangleAlert } from 'lucide-react';

/** Why a step failed the last time, beside the button that tries again. */
export function StepError({ error }: { error: string | undefined }) {
  const text = error ?? 'The last attempt failed.';
  return (
    <p title={text} className="flex min-w-0 items-center gap-1.5 text-sm text-danger-ink">
      <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
      <span className="line-clamp-2">{text}</span>
    </p>
  );
}

/** Why a step under way waits, or in what its result differs from what was asked for. */
export function StepNote({ note }: { note: string | undefined }) {
  if (!note) return null;
  return (
    <p title={note} className="flex min-w-0 items-center gap-1.5 text-sm text-warning-ink">
      <Info aria-hidden className="size-3.5 shrink-0" />
      <span className="line-clamp-2">{note}</span>
    </p>
  );
}
